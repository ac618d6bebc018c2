import { expect, test } from 'vitest';
import { coreUnderTest, inputFor } from '../../../support/core/core-under-test.ts';

const secrets = ['SECRET-KEY-1', 'SECRET-TOKEN-2', 'proxy-password-3'];

async function withConnection() {
  const rig = coreUnderTest();
  await rig.client.connections.create(
    inputFor('https://storage.example.com', {
      name: 'Work',
      auth: {
        kind: 'keys',
        accessKeyId: 'AKWORK',
        secretAccessKey: 'SECRET-KEY-1',
        sessionToken: 'SECRET-TOKEN-2',
      },
      proxy: { kind: 'url', url: 'http://me:proxy-password-3@proxy.example.com:3128' },
      start: { bucket: 'photos', prefix: '2024/' },
    }),
  );
  return rig;
}

test("an exported connection file holds no secret, not even a proxy's password", async () => {
  const { client } = await withConnection();
  const { text, count, fileName } = await client.connections.exportFile();
  expect(count).toBe(1);
  expect(fileName).toMatch(/^cooper-connections-\d{4}-\d\d-\d\d\.json$/);
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).toContain('AKWORK');
});

test('exported connections are imported without their secrets', async () => {
  const here = await withConnection();
  const { text } = await here.client.connections.exportFile();
  const there = coreUnderTest();
  expect(await there.client.connections.readFile({ text })).toEqual([
    {
      index: 0,
      name: 'Work',
      endpoint: 'https://storage.example.com',
      needsKeys: true,
      duplicateOf: null,
      problem: null,
    },
  ]);
  const [added] = await there.client.connections.importFile({ text, indexes: [0] });
  const [original] = await here.client.connections.list();
  expect(added).toEqual({
    ...original,
    id: added?.id,
    auth: { kind: 'keys', accessKeyId: 'AKWORK', hasSecret: false, hasSessionToken: false },
  });
  // Without its key, the connection sends no request and reports the missing secret.
  const listed = there.client.buckets.list({ connectionId: added?.id ?? '' });
  expect((await listed).error).toMatchObject({ reason: 'secret-missing' });
});

test('an import reports a connection that already exists, also under another name', async () => {
  const { client } = await withConnection();
  const { text } = await client.connections.exportFile();
  const [connection] = await client.connections.list();
  const renamed = text.replace('"Work"', '"Another name"');
  expect(await client.connections.readFile({ text: renamed })).toMatchObject([
    { duplicateOf: connection?.id },
  ]);
});

test.each([
  ['not JSON', 'hello', 'file-invalid'],
  ['of another format', '{"connections": []}', 'file-invalid'],
  ['of a newer version', '{"format": "cooper-connections", "version": 2, "connections": []}', 'file-newer'],
])('an import file that is %s is refused, and nothing is added', async (_name, text, reason) => {
  const { client } = coreUnderTest();
  await expect(client.connections.readFile({ text })).rejects.toMatchObject({ data: { reason } });
  await expect(client.connections.importFile({ text, indexes: [0] })).rejects.toMatchObject({
    data: { reason },
  });
  expect(await client.connections.list()).toEqual([]);
});

test('an unusable entry of an import file is reported and skipped', async () => {
  const { client } = await withConnection();
  const whole = JSON.parse((await client.connections.exportFile()).text) as { connections: object[] };
  const [good] = whole.connections;
  const text = JSON.stringify({
    ...whole,
    connections: [
      { name: 'Half' },
      { ...good, endpoint: 'ftp://example.com' },
      { ...good, endpoint: 'https://b.example.com' },
    ],
  });
  const entries = await client.connections.readFile({ text });
  expect(entries.map(({ name, problem }) => [name, problem === null])).toEqual([
    ['Half', false],
    ['Work', false],
    ['Work', true],
  ]);
  await expect(client.connections.importFile({ text, indexes: [1] })).rejects.toMatchObject({
    data: { reason: 'file-invalid' },
  });
  expect(await client.connections.importFile({ text, indexes: [2, 2] })).toHaveLength(1);
});
