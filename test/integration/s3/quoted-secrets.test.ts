import { createHash } from 'node:crypto';
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

/** Returns a proxy's page of which the first `shown` characters of `echoed` fit into an error message (200 characters). */
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
  'a page with status %i that echoes the session token is quoted without any part of it',
  async (status) => {
    for (const shown of [3, 7, 8, 20, 113]) {
      const message = await messageFor(status, pageWith(sessionToken, shown));
      expect(message).toContain('<html>xxx');
      expect(message).not.toContain('Tk0');
    }
  },
);

test('a listing entry that echoes the session token is reported without any part of it', async () => {
  const { client } = clientFor(server.endpoint, { credentials });
  const listing = (root: string, entry: string): void =>
    server.answer({
      status: 200,
      headers: { 'content-type': 'application/xml' },
      body: `<${root}><IsTruncated>false</IsTruncated>${entry}</${root}>`,
    });
  const echo = `<Key>${'x'.repeat(280)}${sessionToken}</Key>`;
  listing('ListBucketResult', `<Contents>${echo}</Contents>`);
  await expect(client.listObjects({ bucket: 'b' })).rejects.toThrow(/^(?!.*Tk0).*xxx/s);
  listing('ListBucketResult', `<Contents>${echo}</Contents>`);
  const page = await client.listObjects({ bucket: 'b', setsAside: true });
  expect(JSON.stringify(page.unreadable)).toMatch(/^(?!.*Tk0).*xxx/);
  listing('ListVersionsResult', `<Version>${echo}<VersionId>1</VersionId></Version>`);
  const versions = await client.listObjectVersions({ bucket: 'b', setsAside: true });
  expect(JSON.stringify(versions.unreadable)).toMatch(/^(?!.*Tk0).*xxx/);
  listing('ListMultipartUploadsResult', `<Upload>${echo}</Upload>`);
  const uploads = await client.listMultipartUploads({ bucket: 'b', setsAside: true });
  expect(JSON.stringify(uploads.unreadable)).toMatch(/^(?!.*Tk0).*xxx/);
});

test('a DeleteObjects message that echoes the session token is reported without it', async () => {
  const { client } = clientFor(server.endpoint, { credentials });
  server.answer({
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<DeleteResult><Error><Key>k</Key><Code>InternalError</Code><Message>${'x'.repeat(990)}${sessionToken}</Message></Error></DeleteResult>`,
  });
  const deleted = await client.deleteObjects({ bucket: 'b', keys: [{ key: 'k' }] });
  expect(JSON.stringify(deleted)).toMatch(/^(?!.*Tk0).*xxx/);
});

const encryptedError =
  '<Error><Code>InvalidRequest</Code><Message>The object was stored using a form of Server Side Encryption.</Message></Error>';

test("a page that echoes the customer key of a copy's source is quoted without any part of it", async () => {
  const key = Buffer.alloc(32, 'key of the source').toString('base64');
  const md5 = createHash('md5').update(Buffer.from(key, 'base64')).digest('base64');
  const { client } = clientFor(server.endpoint, {
    credentials,
    customerKeys: () => Promise.resolve([{ key, md5 }]),
  });
  server.answer(
    { status: 400, body: encryptedError },
    { status: 500, body: pageWith(key, 40), headers: { 'content-type': 'text/html' } },
  );
  const failed = await client
    .copyObject({ bucket: 'b', key: 'to', source: { bucket: 'b', key: 'from' } })
    .then(
      () => '',
      (thrown: unknown) => toAppError(thrown).message,
    );
  expect(failed).toContain('<html>xxx');
  expect(failed).not.toContain(key.slice(0, 6));
});

test('a page that echoes a URL with a password is quoted without the password', async () => {
  const message = await messageFor(502, pageWith('http://user:hunter2secret@proxy:3128', 22));
  expect(message).toContain('<html>xxx');
  expect(message).not.toContain('hunter2');
});
