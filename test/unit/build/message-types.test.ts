import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { messageTypes } from '../../../build/scripts/message-types.ts';

test('every English text becomes a literal type, separately for hosts and window', async () => {
  const english = path.resolve(import.meta.dirname, '../../../shared/messages/en');
  const texts = async (area: string): Promise<string> =>
    JSON.stringify(JSON.parse(await readFile(path.join(english, `${area}.json`), 'utf8')));
  const [window = '', host = ''] = (await messageTypes()).split('interface EnglishHostMessages');
  expect(window).toContain(`batches: ${await texts('batches')}`);
  expect(window).toContain(`viewers: ${await texts('viewers')}`);
  expect(window).not.toContain(await texts('host'));
  expect(host).toContain(await texts('host'));
});
