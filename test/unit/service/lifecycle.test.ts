import { describe, expect, test } from 'vitest';
import type { Service } from '../../support/lab-service/server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { all, call as callNow, serve, type Call, type Reply } from './harness.ts';
import { codeOf } from './multipart-calls.ts';

const dayMs = 86_400_000;
const midnight = Date.parse('2026-03-01T00:00:00Z');

interface Rig {
  readonly service: Service;
  readonly id: number;
  now: number;
}

async function rig(dataDir = tempDir()): Promise<Rig> {
  const clock = { now: midnight + dayMs / 2 };
  const service = await serve({ dataDir, clock: { nowMs: () => clock.now } });
  await service.lifecycle.tick();
  const bucket = service.store.buckets.get('bucket') ?? service.store.buckets.create('bucket', 0);
  return Object.assign(clock, { service, id: bucket?.id ?? 0 });
}

function call(at: Rig, request: Call): Promise<Reply> {
  return callNow(at.service, { ...request, now: new Date(at.now) });
}

function putRules(at: Rig, rules: string): Promise<Reply> {
  const body = `<LifecycleConfiguration>${rules}</LifecycleConfiguration>`;
  return call(at, { method: 'PUT', path: '/bucket', query: { lifecycle: '' }, body });
}

const rule = (inner: string, filter = '<Filter/>', status = 'Enabled'): string =>
  `<Rule><ID>r</ID>${filter}<Status>${status}</Status>${inner}</Rule>`;
const filter = (inner: string): string => `<Filter>${inner}</Filter>`;
const days = (count: number): string => `<Expiration><Days>${count}</Days></Expiration>`;

async function put(at: Rig, key: string, body = key, headers: Record<string, string> = {}): Promise<void> {
  expect((await call(at, { method: 'PUT', path: `/bucket/${key}`, body, headers })).status).toBe(200);
}

async function keysOf(at: Rig): Promise<string[]> {
  return all((await call(at, { path: '/bucket' })).text, 'Key');
}

async function versionsOf(at: Rig): Promise<string[]> {
  const { text } = await call(at, { path: '/bucket', query: { versions: '' } });
  return [...text.matchAll(/<(Version|DeleteMarker)><Key>([^<]*)/g)].map(([, kind, key]) => `${kind} ${key}`);
}

async function later(at: Rig, ms: number): Promise<void> {
  at.now += ms;
  await at.service.lifecycle.tick();
}

describe('the lifecycle of a bucket', () => {
  test('is stored with an id for each rule and can be deleted', async () => {
    const at = await rig();
    const read = (): Promise<Reply> => call(at, { path: '/bucket', query: { lifecycle: '' } });
    expect(await codeOf(read())).toEqual([404, 'NoSuchLifecycleConfiguration']);
    const rules =
      `<Rule><Prefix>a &amp; b/</Prefix><Status>Disabled</Status>${days(3)}</Rule>` +
      rule(
        '<AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload>',
      );
    expect((await putRules(at, rules)).status).toBe(200);
    const { text } = await read();
    expect([all(text, 'Prefix'), all(text, 'Status'), all(text, 'ID')[1], all(text, 'ID').length]).toEqual([
      ['a & b/'],
      ['Disabled', 'Enabled'],
      'r',
      2,
    ]);
    expect((await call(at, { method: 'DELETE', path: '/bucket', query: { lifecycle: '' } })).status).toBe(
      204,
    );
    expect(await codeOf(read())).toEqual([404, 'NoSuchLifecycleConfiguration']);
  });

  test.each([
    ['', 'MalformedXML'],
    ['<Rule/>', 'MalformedXML'],
    [rule(days(1), ''), 'MalformedXML'],
    [rule(days(1), '<Prefix/><Filter/>'), 'MalformedXML'],
    [
      rule(days(1), '<Filter><Prefix>a</Prefix><ObjectSizeLessThan>5</ObjectSizeLessThan></Filter>'),
      'MalformedXML',
    ],
    [rule(days(1), '<Filter/>', 'enabled'), 'MalformedXML'],
    [rule(''), 'InvalidRequest'],
    [rule(days(0)), 'InvalidArgument'],
    [rule('<Expiration><Days>1</Days><Date>2026-01-01</Date></Expiration>'), 'MalformedXML'],
    [rule('<Expiration><Date>20260101</Date></Expiration>'), 'MalformedXML'],
    [rule('<Expiration><Date>2026-01-01T01:00:00Z</Date></Expiration>'), 'InvalidArgument'],
    [rule(days(1)) + rule(days(2)), 'InvalidArgument'],
    [rule(days(1)).replace('<ID>r', `<ID>${'r'.repeat(256)}`), 'InvalidArgument'],
    [rule(days(1) + days(1)), 'MalformedXML'],
    [rule('<Unheard>1</Unheard>'), 'MalformedXML'],
    [rule('<Transition><Days>1</Days><StorageClass>COLD</StorageClass></Transition>'), 'NotImplemented'],
    [
      rule(
        '<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>',
        '<Filter><Tag><Key>k</Key><Value>v</Value></Tag></Filter>',
      ),
      'InvalidRequest',
    ],
  ])('with %s is %s and changes nothing', async (rules, code) => {
    const at = await rig();
    const [, answered] = await codeOf(putRules(at, rules));
    expect(answered).toBe(code);
    expect(at.service.store.buckets.lifecycle(at.id)).toBeNull();
  });
});

test('lifecycle rules expire objects at the midnight after their days, by prefix, size and tags', async () => {
  const at = await rig();
  await put(at, 'logs/old');
  await put(at, 'logs/big', 'x'.repeat(100));
  await put(at, 'logs/tagged', 'x', { 'x-amz-tagging': 'keep=no' });
  await put(at, 'other');
  await putRules(
    at,
    rule(
      days(2),
      filter('<And><Prefix>logs/</Prefix><ObjectSizeGreaterThan>50</ObjectSizeGreaterThan></And>'),
    ) +
      rule(days(1), filter('<Tag><Key>keep</Key><Value>no</Value></Tag>')).replace('>r<', '>s<') +
      rule(days(1), filter('<Prefix>other</Prefix>'), 'Disabled').replace('>r<', '>t<'),
  );
  await later(at, dayMs);
  expect(await keysOf(at)).toEqual(['logs/big', 'logs/old', 'logs/tagged', 'other']);
  await later(at, dayMs / 2);
  expect(await keysOf(at)).toEqual(['logs/big', 'logs/old', 'other']);
  await later(at, dayMs);
  expect(await keysOf(at)).toEqual(['logs/old', 'other']);
  await later(at, 30 * dayMs);
  expect(await keysOf(at)).toEqual(['logs/old', 'other']);
});

test('a lifecycle date expires every matching object, whatever its age', async () => {
  const at = await rig();
  await put(at, 'a');
  await putRules(at, rule('<Expiration><Date>2026-03-03T00:00:00Z</Date></Expiration>', '<Prefix/>'));
  await later(at, dayMs);
  expect(await keysOf(at)).toEqual(['a']);
  await later(at, dayMs);
  expect(await keysOf(at)).toEqual([]);
});

test('lifecycle rules abort incomplete uploads after their days', async () => {
  const at = await rig();
  for (const key of ['tmp/a', 'b'])
    await call(at, { method: 'POST', path: `/bucket/${key}`, query: { uploads: '' } });
  const abort =
    '<AbortIncompleteMultipartUpload><DaysAfterInitiation>2</DaysAfterInitiation></AbortIncompleteMultipartUpload>';
  await putRules(at, rule(abort, '<Filter><Prefix>tmp/</Prefix></Filter>'));
  const left = async (): Promise<string[]> =>
    all((await call(at, { path: '/bucket', query: { uploads: '' } })).text, 'Key');
  await later(at, 2 * dayMs);
  expect(await left()).toEqual(['b', 'tmp/a']);
  await later(at, dayMs);
  expect(await left()).toEqual(['b']);
});

test('lifecycle expiration makes a delete marker in a versioned bucket and deletes older versions later', async () => {
  const at = await rig();
  at.service.store.setVersioning(at.id, 'Enabled');
  await put(at, 'a', 'one');
  await put(at, 'a', 'two');
  const older =
    '<NoncurrentVersionExpiration><NoncurrentDays>3</NoncurrentDays></NoncurrentVersionExpiration>';
  await putRules(at, rule(days(1) + older));
  await later(at, 2 * dayMs);
  expect([await keysOf(at), await versionsOf(at)]).toEqual([
    [],
    ['DeleteMarker a', 'Version a', 'Version a'],
  ]);
  // The first version has been older since the second was stored, and the second since the delete marker was set.
  await later(at, 2 * dayMs);
  expect(await versionsOf(at)).toEqual(['DeleteMarker a', 'Version a']);
  // Without versions the marker hides nothing, and it is older than a day.
  await later(at, 2 * dayMs);
  expect(await versionsOf(at)).toEqual([]);
});

test('lifecycle rules keep the configured number of newer versions', async () => {
  const at = await rig();
  at.service.store.setVersioning(at.id, 'Enabled');
  for (const text of ['1', '2', '3', '4']) await put(at, 'a', text);
  await putRules(
    at,
    rule(
      '<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays><NewerNoncurrentVersions>2</NewerNoncurrentVersions></NoncurrentVersionExpiration>',
    ),
  );
  await later(at, 3 * dayMs);
  expect(await versionsOf(at)).toEqual(['Version a', 'Version a', 'Version a']);
  expect((await call(at, { path: '/bucket/a' })).text).toBe('4');
});

test('lifecycle rules delete only delete markers without versions below', async () => {
  const at = await rig();
  at.service.store.setVersioning(at.id, 'Enabled');
  await put(at, 'hides');
  for (const key of ['hides', 'alone']) await call(at, { method: 'DELETE', path: `/bucket/${key}` });
  await putRules(
    at,
    rule('<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>'),
  );
  await later(at, dayMs);
  expect(await versionsOf(at)).toEqual(['DeleteMarker hides', 'Version hides']);
});

test('lifecycle rules run at the start and once a day', async () => {
  const dataDir = tempDir();
  const at = await rig(dataDir);
  await put(at, 'a');
  await putRules(at, rule(days(1)));
  expect(await at.service.lifecycle.tick()).toBe(false);
  at.now += dayMs;
  expect(await at.service.lifecycle.tick()).toBe(true);
  expect(await at.service.lifecycle.tick()).toBe(false);
  expect(await keysOf(at)).toEqual(['a']);
  await at.service.close();
  const next = await serve({ dataDir, clock: { nowMs: () => at.now + 5 * dayMs } });
  await next.lifecycle.tick();
  expect(next.store.object(at.id, 'a')).toBeNull();
});

test('lifecycle rules apply to more keys and versions than a page holds', async () => {
  const at = await rig();
  const { store } = at.service;
  store.setVersioning(at.id, 'Enabled');
  const facts = { modifiedMs: at.now };
  for (let index = 0; index < 1100; index++) await store.putBytes(at.id, 'same', Buffer.from('x'), facts);
  for (let index = 0; index < 30; index++) await store.putBytes(at.id, `z${index}`, Buffer.from('x'), facts);
  const older =
    '<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration>';
  await putRules(at, rule(days(1) + older, '<Prefix/>'));
  await later(at, 2 * dayMs);
  expect(await keysOf(at)).toEqual([]);
  const versions = await versionsOf(at);
  expect(versions.filter((line) => line.endsWith(' same'))).toEqual(['DeleteMarker same', 'Version same']);
});
