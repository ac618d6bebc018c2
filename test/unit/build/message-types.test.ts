import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { messageTypes, messageTypesFile } from '../../../build/scripts/message-types.ts';

test('the types of the English texts are those of the catalogue; `npm run messages` writes them', async () => {
  expect(await readFile(messageTypesFile, 'utf8')).toBe(await messageTypes());
});
