import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { messageTypes, messageTypesFile } from '../../../build/scripts/message-types.ts';

test('the generated types of the messages match the English catalogue (`npm run messages`)', async () => {
  expect(await readFile(messageTypesFile, 'utf8')).toBe(await messageTypes());
});
