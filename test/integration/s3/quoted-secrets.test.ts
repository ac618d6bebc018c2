import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAppError } from '../../../shared/errors.ts';
import { startScriptedServer, type ScriptedServer } from '../../support/servers/scripted-server.ts';
import { clientFor } from '../../support/servers/s3-client.ts';

const sessionToken = 'Tk0123456789abcdefghijklmnopqrstuvwxyz'.repeat(3);

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
});

/** A page of a proxy. A message shows 200 characters: so many of `echoed`. */
const pageWith = (echoed: string, shown: number): string =>
  `<html>${'x'.repeat(200 - '<html>'.length - shown)}${echoed} and more of the page</html>`;

const credentials = () =>
  Promise.resolve({ accessKeyId: 'AKIA', secretAccessKey: 'Sk9876543210', sessionToken });

async function messageFor(status: number, body: string): Promise<string> {
  const { client } = clientFor(server.endpoint, { credentials });
  server.answer({ status, headers: { 'content-type': 'text/html' }, body });
  try {
    await client.listBuckets();
  } catch (thrown) {
    return toAppError(thrown).message;
  }
  throw new Error('It did not fail.');
}

test.each([502, 403, 200])(
  'a page with status %i that echoes the session token shows no part of it, wherever the message is cut',
  async (status) => {
    for (const shown of [3, 7, 8, 20, 113]) {
      const message = await messageFor(status, pageWith(sessionToken, shown));
      expect(message).toContain('<html>xxx');
      expect(message).not.toContain('Tk0');
    }
  },
);

test('a page that echoes an address with a password does not show the password where the message is cut', async () => {
  const message = await messageFor(502, pageWith('http://user:hunter2secret@proxy:3128', 22));
  expect(message).toContain('<html>xxx');
  expect(message).not.toContain('hunter2');
});
