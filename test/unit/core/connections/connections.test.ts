import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileSecrets } from '../../../../electron/core/connections/file-secrets.ts';
import type { ConnectionInput } from '../../../../shared/models/connection.ts';
import { failure } from '../../../../shared/errors.ts';
import { coreUnderTest, inputFor } from '../../../support/core/core-under-test.ts';
import { fakePorts, instantClock } from '../../../support/core/fake-ports.ts';
import { memorySecrets } from '../../../support/core/memory-secrets.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const samples = () =>
  Promise.resolve({
    endpoint: 'http://127.0.0.1:1',
    region: 'r',
    accessKeyId: 'a',
    secretAccessKey: 's',
    keysFile: '/data/keys.json',
  });
const secretOf = (id: string) => `connection:${id}:secret`;
const tokenOf = (id: string) => `connection:${id}:session-token`;

const keys = (change: Partial<Extract<ConnectionInput['auth'], { kind: 'keys' }>> = {}): ConnectionInput =>
  inputFor('https://example.com', {
    auth: {
      kind: 'keys',
      accessKeyId: 'AKIA',
      secretAccessKey: 'first-secret',
      sessionToken: null,
      ...change,
    },
  });

const withProxy = (url: string): ConnectionInput => ({ ...keys(), proxy: { kind: 'url', url } });

async function appErrorOf(call: Promise<unknown>): Promise<unknown> {
  const thrown: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  return (thrown as { data?: unknown } | null)?.data;
}

describe('connections', () => {
  test('keep their order over a restart', async () => {
    const first = coreUnderTest();
    for (const name of ['one', 'two', 'three']) await first.client.connections.create({ ...keys(), name });
    const [entry, two, three] = await first.client.connections.list();
    if (!entry || !two || !three) throw new Error('Three were made.');
    await first.client.connections.reorder({ connectionIds: [three.id, entry.id] });
    const second = coreUnderTest({ dataDir: first.dataDir, ports: first.ports });
    expect((await second.client.connections.list()).map(({ name }) => name)).toEqual(['three', 'one', 'two']);
  });

  test('keep the stored secret if an edit leaves it null; a new secret also removes the session token', async () => {
    const { client, ports } = coreUnderTest();
    const { id } = await client.connections.create(keys({ sessionToken: 'first-token' }));
    await client.connections.update({ connectionId: id, input: keys({ secretAccessKey: null }) });
    expect([await ports.secrets.get(secretOf(id)), await ports.secrets.get(tokenOf(id))]).toEqual([
      'first-secret',
      'first-token',
    ]);
    const edited = await client.connections.update({
      connectionId: id,
      input: keys({ secretAccessKey: 'second-secret' }),
    });
    expect(edited.auth).toMatchObject({ hasSecret: true, hasSessionToken: false });
    expect([await ports.secrets.get(secretOf(id)), await ports.secrets.get(tokenOf(id))]).toEqual([
      'second-secret',
      null,
    ]);
  });

  test.each(['https://elsewhere.com', 'http://example.com', 'https://example.com:8443'])(
    'with a changed endpoint (%s) ask for the secret again and drop token and customer keys',
    async (endpoint) => {
      const { client, ports } = coreUnderTest();
      const { id } = await client.connections.create(keys({ sessionToken: 'first-token' }));
      const key = Buffer.alloc(32, 7).toString('base64');
      await client.transfers.addCustomerKey({ connectionId: id, name: 'Mine', key, bucket: 'b' });
      const other = { ...keys({ secretAccessKey: null }), endpoint };
      expect(await appErrorOf(client.connections.update({ connectionId: id, input: other }))).toMatchObject({
        reason: 'secret-missing',
      });
      const steps: unknown[] = [];
      for await (const step of await client.connections.test({ connectionId: id, input: other }))
        steps.push(step);
      expect(JSON.stringify(steps)).toContain('secret-missing');
      await client.connections.update({
        connectionId: id,
        input: { ...other, auth: { ...keys().auth, secretAccessKey: 'second-secret' } as typeof other.auth },
      });
      expect(await ports.secrets.get(tokenOf(id))).toBeNull();
      expect(await client.transfers.customerKeys({ connectionId: id })).toEqual([]);
      // The customer key is kept until its endpoint returns, since this may be its only copy.
      await client.connections.update({ connectionId: id, input: keys() });
      expect(await client.transfers.customerKeys({ connectionId: id })).toHaveLength(1);
    },
  );

  test("lose the stored token when it is emptied, and all secrets when changed to 'anonymous'", async () => {
    const { client, ports } = coreUnderTest();
    const { id } = await client.connections.create(keys({ sessionToken: 'token' }));
    await client.connections.update({
      connectionId: id,
      input: keys({ secretAccessKey: null, sessionToken: '' }),
    });
    expect(await ports.secrets.get(tokenOf(id))).toBeNull();
    await client.connections.update({
      connectionId: id,
      input: inputFor('https://example.com', { auth: { kind: 'anonymous' } }),
    });
    expect(await ports.secrets.get(secretOf(id))).toBeNull();
  });

  test('are not created without their secret', async () => {
    const { client } = coreUnderTest();
    expect(await appErrorOf(client.connections.create(keys({ secretAccessKey: null })))).toMatchObject({
      code: 'invalid-argument',
      reason: 'secret-missing',
    });
    expect(await client.connections.list()).toEqual([]);
  });

  test('are duplicated with a separate copy of the secret that outlives the original', async () => {
    const { client, ports } = coreUnderTest();
    const original = await client.connections.create(keys());
    const copy = await client.connections.duplicate({ connectionId: original.id });
    expect((await client.connections.duplicate({ connectionId: original.id })).name).toBe('Test (copy 2)');
    expect(copy).toEqual({ ...original, id: copy.id, name: 'Test (copy)' });
    await client.connections.remove({ connectionId: original.id });
    expect(await ports.secrets.get(secretOf(original.id))).toBeNull();
    expect(await ports.secrets.get(secretOf(copy.id))).toBe('first-secret');
  });

  test('that were removed are reported as not-found', async () => {
    const { client } = coreUnderTest();
    const gone = { code: 'not-found', reason: 'no-such-connection' };
    expect(await appErrorOf(client.connections.duplicate({ connectionId: 'x' }))).toMatchObject(gone);
    expect(await appErrorOf(client.connections.update({ connectionId: 'x', input: keys() }))).toMatchObject(
      gone,
    );
    expect(await appErrorOf(client.buckets.list({ connectionId: 'x' }))).toMatchObject(gone);
  });

  test('list the samples first, which cannot be edited but can be hidden and restored', async () => {
    const { client, dataDir, ports } = coreUnderTest({ samples });
    await client.connections.create(keys());
    expect((await client.connections.list()).map(({ builtIn }) => builtIn)).toEqual([true, false]);
    expect(
      await appErrorOf(client.connections.update({ connectionId: 'samples', input: keys() })),
    ).toMatchObject({ code: 'unsupported' });
    await client.connections.remove({ connectionId: 'samples' });
    const second = coreUnderTest({ samples, dataDir, ports });
    expect(await second.client.connections.list()).toHaveLength(1);
    expect((await second.client.connections.restoreSamples()).builtIn).toBe(true);
    expect(await second.client.connections.list()).toHaveLength(2);
  });

  test('report secrets that were only in memory as missing after a restart', async () => {
    const first = coreUnderTest();
    await first.client.connections.create(keys());
    const second = coreUnderTest({ dataDir: first.dataDir, ports: fakePorts() });
    const [connection] = await second.client.connections.list();
    expect(connection?.auth).toMatchObject({ hasSecret: false });
    expect(
      await appErrorOf(second.client.buckets.list({ connectionId: connection?.id ?? '' })),
    ).toBeUndefined();
    const list = await second.client.buckets.list({ connectionId: connection?.id ?? '' });
    expect(list.error).toMatchObject({ code: 'access-denied', reason: 'secret-missing' });
  });

  test('are listed although the secrets of one cannot be read', async () => {
    const secrets = memorySecrets();
    const locked = new Set<string>();
    const get = (name: string): Promise<string | null> =>
      locked.has(name) ? Promise.reject(failure('storage', 'The store is locked.')) : secrets.get(name);
    const { client } = coreUnderTest({ ports: fakePorts({ secrets: { ...secrets, get } }) });
    const { id } = await client.connections.create({ ...keys(), name: 'locked' });
    await client.connections.create({ ...keys(), name: 'other' });
    locked.add(secretOf(id));
    expect(await client.connections.list()).toMatchObject([
      { name: 'locked', auth: { hasSecret: true } },
      { name: 'other', auth: { hasSecret: true } },
    ]);
  });

  test('that are removed while another window stores a change stay removed', async () => {
    const secrets = memorySecrets();
    const removeFirst: { now: (() => Promise<unknown>) | null } = { now: null };
    const set = async (name: string, value: string): Promise<void> => {
      await removeFirst.now?.();
      await secrets.set(name, value);
    };
    const { client } = coreUnderTest({ ports: fakePorts({ secrets: { ...secrets, set } }) });
    const { id } = await client.connections.create(keys());
    removeFirst.now = async () => await client.connections.remove({ connectionId: id });
    const change = keys({ secretAccessKey: 'second-secret' });
    expect(await appErrorOf(client.connections.update({ connectionId: id, input: change }))).toMatchObject({
      code: 'not-found',
      reason: 'no-such-connection',
    });
    expect(await client.connections.list()).toEqual([]);
    expect(await secrets.get(secretOf(id))).toBeNull();
  });

  test('with a damaged record are set aside and logged; the others are listed', async () => {
    const first = coreUnderTest();
    const good = await first.client.connections.create({ ...keys(), name: 'good' });
    const bad = await first.client.connections.create({ ...keys(), name: 'bad' });
    await first.core.close();
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(path.join(first.dataDir, 'cooper.db'));
    database.prepare('UPDATE connections SET record = ? WHERE id = ?').run('{"name": 7}', bad.id);
    database.close();
    const second = coreUnderTest({ dataDir: first.dataDir, ports: first.ports });
    expect((await second.client.connections.list()).map(({ id }) => id)).toEqual([good.id]);
    expect(first.ports.logger.lines.map(({ level }) => level)).toContain('warn');
  });
});

describe('secrets', () => {
  const secret = 'do-not-show-this-secret/+==';
  const token = 'do-not-show-this-token';
  const password = 'do-not-show-this-password';

  test('never reach the window, the database, the log or an error', async () => {
    const dataDir = tempDir();
    const ports = fakePorts({ clock: instantClock(), secrets: fileSecrets(tempDir()) });
    const { client, core } = coreUnderTest({ dataDir, ports });
    const seen: unknown[] = [];
    const input: ConnectionInput = {
      ...keys({ secretAccessKey: secret, sessionToken: token }),
      endpoint: 'http://127.0.0.1:1',
      proxy: { kind: 'url', url: `http://me:${password}@127.0.0.1:2` },
    };
    const created = await client.connections.create(input);
    seen.push(created, await client.connections.duplicate({ connectionId: created.id }));
    seen.push(
      await client.connections.update({
        connectionId: created.id,
        input: { ...input, start: { bucket: 'b', prefix: '' } },
      }),
    );
    seen.push(await client.connections.list());
    seen.push(
      await appErrorOf(
        client.connections.update({
          connectionId: created.id,
          input: { ...input, endpoint: `http://x:${secret}@[` },
        }),
      ),
    );
    seen.push(await client.buckets.list({ connectionId: created.id }));
    for await (const step of await client.connections.test({ connectionId: created.id, input }))
      seen.push(step);
    seen.push(await client.requestLog.list({ beforeId: null, limit: 100, connectionId: null }));
    seen.push(
      (await client.requestLog.export({ format: 'json' })).text,
      (await client.requestLog.export({ format: 'text' })).text,
    );
    await core.close();

    const shown = JSON.stringify([seen, ports.logger.lines]);
    const stored = readdirSync(dataDir).map((name) => readFileSync(path.join(dataDir, name), 'latin1'));
    for (const text of [shown, ...stored]) {
      expect(text).not.toMatch(/do-not-show-this/);
    }
    // Checks that the secrets are stored at all; otherwise the checks above would prove nothing.
    expect(await ports.secrets.get(secretOf(created.id))).toBe(secret);
    expect(await ports.secrets.get(`connection:${created.id}:proxy-password`)).toBe(password);
  });

  test("include a proxy's password, which is kept while the proxy is unchanged and removed with it", async () => {
    const { client, ports } = coreUnderTest();
    const { id, proxy } = await client.connections.create(
      withProxy(`http://me:${password}@proxy.example.com:3128`),
    );
    expect(proxy).toEqual({ kind: 'url', url: 'http://me@proxy.example.com:3128' });
    const name = `connection:${id}:proxy-password`;
    await client.connections.update({
      connectionId: id,
      input: withProxy('http://me@proxy.example.com:3128'),
    });
    expect(await ports.secrets.get(name)).toBe(password);
    await client.connections.update({
      connectionId: id,
      input: withProxy('http://me@other.example.com:3128'),
    });
    expect(await ports.secrets.get(name)).toBeNull();
  });
});
