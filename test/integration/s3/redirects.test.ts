import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScriptedServer, type ScriptedServer } from '../../support/servers/scripted-server.ts';
import { clientFor, errorOf } from '../../support/servers/s3-client.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
});

const ref = { bucket: 'b', key: 'k' };
const port = (): string => new URL(server.endpoint).port;

test('a redirect that failed is forgotten, and the next call asks the endpoint again', async () => {
  // No server speaks TLS on that port.
  const location = `https://127.0.0.1:${port()}/b/k`;
  server.answer({ status: 307, headers: { location }, body: '' });
  const { client } = clientFor(server.endpoint);
  await errorOf(client.getObject(ref, { maxTries: 1 }));
  server.answer({ status: 200, headers: { etag: '"e"' }, body: 'here' });
  const { body } = await client.getObject(ref, { maxTries: 1 });
  expect(String(Buffer.concat(await body.toArray()))).toBe('here');
});

test('a subdomain of the endpoint gets no request, and the endpoint stays usable', async () => {
  const location = `http://x.127.0.0.1:${port()}/b/k`;
  server.answer({ status: 307, headers: { location }, body: '' });
  const { client } = clientFor(server.endpoint);
  expect(await errorOf(client.getObject(ref, { maxTries: 1 }))).toMatchObject({
    reason: 'redirect-refused',
    host: expect.stringMatching(/^https?:\/\//) as string,
  });
  server.answer({ status: 200, headers: { etag: '"e"' }, body: 'here' });
  await (await client.getObject(ref, { maxTries: 1 })).body.toArray();
});
