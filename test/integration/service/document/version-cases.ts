import { expect } from 'vitest';
import type { Service } from '../../../support/lab-service/server.ts';
import { begin, complete, filmPath, send } from '../../../unit/service/multipart-calls.ts';
import { all, call, ok, elementText, rootOf, serve, type Reply } from '../../../unit/service/harness.ts';
import { holding, refusal, tiny, v2 } from './asking.ts';
import type { Cases } from './claims.ts';

const path = '/bucket/note.txt';
const dayMs = 86_400_000;

async function setVersioning(service: Service, status: string): Promise<void> {
  const body = `<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>`;
  ok(await call(service, { method: 'PUT', path: '/bucket', query: { versioning: '' }, body }));
}

/** Starts a service with a versioned bucket, which contains one object from before versioning. */
async function versioned(): Promise<Service> {
  const service = await holding(['old']);
  await setVersioning(service, 'Enabled');
  return service;
}

const idOf = (reply: Reply): string => String(ok(reply).headers['x-amz-version-id']);
const putText = async (service: Service, body: string, at = path): Promise<string> =>
  idOf(await call(service, { method: 'PUT', path: at, body }));
const read = (service: Service, versionId?: string, at = path): Promise<Reply> =>
  call(service, { path: at, query: versionId === undefined ? {} : { versionId } });
const remove = (service: Service, versionId?: string, at = path): Promise<Reply> =>
  call(service, { method: 'DELETE', path: at, query: versionId === undefined ? {} : { versionId } });

/** `kind key version` of each entry of ListObjectVersions, the latest with a star. */
async function versionsOf(service: Service, query: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { text } = ok(await call(service, { path: '/bucket', query: { versions: '', ...query } }));
  const entry = /<(Version|DeleteMarker)><Key>([^<]*)<\/Key><VersionId>([^<]*)<\/VersionId><IsLatest>(\w+)/g;
  return [...text.matchAll(entry)].map(
    ([, kind, key, version, latest]) => `${kind} ${key} ${version}${latest === 'true' ? ' *' : ''}`,
  );
}

const rulesPath = { path: '/bucket', query: { lifecycle: '' } };
const rule = (actions: string, status = 'Enabled'): string =>
  `<LifecycleConfiguration><Rule><Filter><Prefix></Prefix></Filter><Status>${status}</Status>${actions}</Rule></LifecycleConfiguration>`;
const expiresAfter = (days: number): string => `<Expiration><Days>${days}</Days></Expiration>`;

/** Starts a service with a controllable clock and these rules for its bucket. */
async function ruled(rules: string) {
  const clock = { ms: Date.now() };
  const service = await serve({ ...tiny, clock: { nowMs: () => clock.ms } });
  service.store.buckets.create('bucket', clock.ms);
  ok(await call(service, { method: 'PUT', ...rulesPath, body: rules }));
  const now = (): Date => new Date(clock.ms);
  return {
    service,
    put: async () => ok(await call(service, { method: 'PUT', path, body: 'x', now: now() })),
    ask: (request: Parameters<typeof call>[1]) => call(service, { ...request, now: now() }),
    /** Advances the clock and runs the daily check of the rules. */
    pass: async (ms: number) => {
      clock.ms += ms;
      await service.lifecycle.tick();
    },
    /** Returns the milliseconds until the next midnight (UTC). */
    toMidnightMs: () => dayMs - (clock.ms % dayMs),
  };
}

/** The cases of sections 10 and 11: versions and lifecycle rules. */
export const versionCases: Cases = {
  '10-1': async () => {
    const service = await holding([]);
    const status = async (): Promise<string | null> =>
      elementText(ok(await call(service, { path: '/bucket', query: { versioning: '' } })).text, 'Status');
    expect(await status()).toBeNull();
    for (const wanted of ['Enabled', 'Suspended']) {
      await setVersioning(service, wanted);
      expect(await status()).toBe(wanted);
    }
  },
  '10-2': async () => {
    const service = await versioned();
    const put = await putText(service, 'one');
    const headers = { 'x-amz-copy-source': '/bucket/note.txt', 'x-amz-metadata-directive': 'REPLACE' };
    const copied = idOf(await call(service, { method: 'PUT', path, headers }));
    const uploadId = await begin(service);
    const etag = await send(service, uploadId, 1, 'film');
    const made = idOf(await complete(service, uploadId, [[1, etag]]));
    expect(new Set([put, copied, made]).size).toBe(3);
    expect(await versionsOf(service, { prefix: 'note' })).toHaveLength(2);
    expect((await read(service, made, filmPath)).text).toBe('film');
  },
  '10-3': async () => {
    const service = await versioned();
    const [first, second] = [await putText(service, 'one'), await putText(service, 'second')];
    expect([(await read(service, first)).text, (await read(service)).text]).toEqual(['one', 'second']);
    const head = await call(service, { method: 'HEAD', path, query: { versionId: first } });
    expect([head.headers['content-length'], head.headers['x-amz-version-id']]).toEqual(['3', first]);
    expect((await read(service)).headers['x-amz-version-id']).toBe(second);
  },
  '10-4': async () => {
    const service = await versioned();
    await putText(service, 'one');
    const removed = await remove(service);
    expect([removed.status, removed.headers['x-amz-delete-marker']]).toEqual([204, 'true']);
    expect(await refusal(read(service))).toEqual([404, 'NoSuchKey']);
    expect(all(await v2(service), 'Key')).toEqual(['old']);
  },
  '10-5': async () => {
    const service = await versioned();
    const marker = idOf(await remove(service));
    const reply = await read(service, marker);
    expect([reply.status, elementText(reply.text, 'Code'), reply.headers.allow]).toEqual([
      405,
      'MethodNotAllowed',
      'DELETE',
    ]);
  },
  '10-6': async () => {
    const service = await versioned();
    const first = await putText(service, 'one');
    const second = await putText(service, 'two');
    const marker = idOf(await remove(service));
    expect((await remove(service, marker)).status).toBe(204);
    expect((await read(service)).text).toBe('two');
    expect((await remove(service, second)).status).toBe(204);
    expect((await read(service)).text).toBe('one');
    expect(await versionsOf(service, { prefix: 'note' })).toEqual([`Version note.txt ${first} *`]);
  },
  '10-7': async () => {
    const service = await versioned();
    expect((await read(service, 'null', '/bucket/old')).text).toBe('old');
    const kept = await putText(service, 'kept', '/bucket/old');
    await setVersioning(service, 'Suspended');
    for (const text of ['once', 'twice']) await putText(service, text, '/bucket/old');
    expect(await versionsOf(service)).toEqual(['Version old null *', `Version old ${kept}`]);
    expect((await read(service, 'null', '/bucket/old')).text).toBe('twice');
  },
  '10-8': async () => {
    const service = await versioned();
    const [first, second] = [await putText(service, 'one'), await putText(service, 'two')];
    const marker = idOf(await remove(service));
    const { text } = await call(service, { path: '/bucket', query: { versions: '' } });
    expect(rootOf(text)).toBe('ListVersionsResult');
    expect(all(text, 'LastModified')).toHaveLength(4);
    expect(await versionsOf(service)).toEqual([
      `DeleteMarker note.txt ${marker} *`,
      `Version note.txt ${second}`,
      `Version note.txt ${first}`,
      'Version old null *',
    ]);
  },
  '10-9': async () => {
    const service = await versioned();
    for (const text of ['one', 'two', 'three']) await putText(service, text);
    const found: string[] = [];
    let further: Readonly<Record<string, string>> = {};
    for (let isTruncated = true; isTruncated;) {
      const query = { versions: '', 'max-keys': '1', ...further };
      const { text } = ok(await call(service, { path: '/bucket', query }));
      found.push(...all(text, 'VersionId'));
      isTruncated = elementText(text, 'IsTruncated') === 'true';
      further = {
        'key-marker': elementText(text, 'NextKeyMarker') ?? '',
        'version-id-marker': elementText(text, 'NextVersionIdMarker') ?? '',
      };
    }
    const { text } = await call(service, { path: '/bucket', query: { versions: '' } });
    expect(found).toEqual(all(text, 'VersionId'));
    expect(found).toHaveLength(4);
  },
  '10-10': async () => {
    const service = await versioned();
    const first = await putText(service, 'one');
    await putText(service, 'two');
    const headers = { 'x-amz-copy-source': `/bucket/note.txt?versionId=${first}` };
    const reply = ok(await call(service, { method: 'PUT', path: '/bucket/copy', headers }));
    expect(reply.headers['x-amz-copy-source-version-id']).toBe(first);
    expect((await read(service, undefined, '/bucket/copy')).text).toBe('one');
  },
  '10-11': async () => {
    const service = await versioned();
    const first = await putText(service, 'one');
    expect(await refusal(read(service, 'no id'))).toEqual([400, 'InvalidArgument']);
    ok(await remove(service, first));
    expect(await refusal(read(service, first))).toEqual([404, 'NoSuchVersion']);
  },
  '10-12': async () => {
    const service = await versioned();
    const removeBucket = (): Promise<Reply> => call(service, { method: 'DELETE', path: '/bucket' });
    ok(await remove(service, 'null', '/bucket/old'));
    const version = await putText(service, 'one');
    const marker = idOf(await remove(service));
    expect(await refusal(removeBucket())).toEqual([409, 'BucketNotEmpty']);
    ok(await remove(service, version));
    expect(await refusal(removeBucket())).toEqual([409, 'BucketNotEmpty']);
    ok(await remove(service, marker));
    const uploadId = await begin(service);
    expect((await removeBucket()).status).toBe(204);
    ok(await call(service, { method: 'PUT', path: '/bucket' }));
    expect(await refusal(call(service, { path: filmPath, query: { uploadId } }))).toEqual([
      404,
      'NoSuchUpload',
    ]);
  },
  '11-1': async () => {
    const service = await holding([]);
    expect(await refusal(call(service, rulesPath))).toEqual([404, 'NoSuchLifecycleConfiguration']);
    ok(await call(service, { method: 'PUT', ...rulesPath, body: rule(expiresAfter(3)) }));
    const { text } = ok(await call(service, rulesPath));
    expect([all(text, 'Days'), all(text, 'ID').every((id) => id !== ''), all(text, 'ID').length]).toEqual([
      ['3'],
      true,
      1,
    ]);
    expect((await call(service, { method: 'DELETE', ...rulesPath })).status).toBe(204);
    expect((await call(service, rulesPath)).status).toBe(404);
  },
  '11-2': async () => {
    const plain = await ruled(rule(expiresAfter(2)));
    await plain.put();
    await plain.pass(2 * dayMs - 1);
    expect((await plain.ask({ path })).status).toBe(200);
    await plain.pass(plain.toMidnightMs());
    await plain.pass(dayMs);
    expect(await refusal(plain.ask({ path }))).toEqual([404, 'NoSuchKey']);

    const kept = await ruled(rule(expiresAfter(1)));
    await setVersioning(kept.service, 'Enabled');
    await kept.put();
    await kept.pass(2 * dayMs);
    expect(await refusal(kept.ask({ path }))).toEqual([404, 'NoSuchKey']);
    const { text } = await kept.ask({ path: '/bucket', query: { versions: '' } });
    expect([all(text, 'IsLatest'), text.includes('<DeleteMarker>')]).toEqual([['true', 'false'], true]);
  },
  '11-3': async () => {
    const days = '<DaysAfterInitiation>2</DaysAfterInitiation>';
    const { service, ask, pass } = await ruled(
      rule(`<AbortIncompleteMultipartUpload>${days}</AbortIncompleteMultipartUpload>`),
    );
    const uploadId = await begin(service);
    await pass(dayMs);
    expect((await ask({ path: filmPath, query: { uploadId } })).status).toBe(200);
    await pass(2 * dayMs);
    expect(await refusal(ask({ path: filmPath, query: { uploadId } }))).toEqual([404, 'NoSuchUpload']);
  },
  '11-4': async () => {
    const action =
      '<NoncurrentVersionExpiration><NoncurrentDays>2</NoncurrentDays></NoncurrentVersionExpiration>';
    const { service, put, ask, pass } = await ruled(rule(action));
    await setVersioning(service, 'Enabled');
    const first = idOf(await put());
    await pass(10 * dayMs);
    expect((await ask({ path })).status).toBe(200);
    const second = idOf(await put());
    await pass(dayMs);
    expect((await ask({ path, query: { versionId: first } })).status).toBe(200);
    await pass(2 * dayMs);
    expect(await refusal(ask({ path, query: { versionId: first } }))).toEqual([404, 'NoSuchVersion']);
    expect((await ask({ path, query: { versionId: second } })).status).toBe(200);
  },
  '11-5': async () => {
    const { put, ask, pass, service } = await ruled(rule(expiresAfter(1)));
    await put();
    // The rules are not due again on the same day, because the rules were applied at the start.
    expect(await service.lifecycle.tick()).toBe(false);
    await pass(2 * dayMs);
    expect((await ask({ path })).status).toBe(404);
    const startMs = Date.now() + 30 * dayMs;
    const again = await serve({ ...tiny, clock: { nowMs: () => startMs } });
    // The service applied the rules when it started.
    expect(await again.lifecycle.tick()).toBe(false);
  },
  '11-6': async () => {
    const { put, ask, pass } = await ruled(rule(expiresAfter(1), 'Disabled'));
    await put();
    await pass(30 * dayMs);
    expect((await ask({ path })).status).toBe(200);
    expect(elementText((await ask(rulesPath)).text, 'Status')).toBe('Disabled');
  },
  '11-7': async () => {
    const service = await holding([]);
    const classAfter = '<StorageClass>COLD</StorageClass>';
    for (const action of [
      `<Transition><Days>1</Days>${classAfter}</Transition>`,
      `<NoncurrentVersionTransition><NoncurrentDays>1</NoncurrentDays>${classAfter}</NoncurrentVersionTransition>`,
    ]) {
      const put = call(service, { method: 'PUT', ...rulesPath, body: rule(action) });
      expect(await refusal(put)).toEqual([501, 'NotImplemented']);
    }
    expect((await call(service, rulesPath)).status).toBe(404);
  },
};
