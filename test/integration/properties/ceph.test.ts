import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLinks } from '../../../electron/core/links/links.ts';
import { createProperties } from '../../../electron/core/properties/properties.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { createVersions } from '../../../electron/core/versions/versions.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import type { VersionRef } from '../../../shared/models/versions.ts';
import { isCephInstalled, type Ceph } from '../../support/servers/ceph.ts';
import { cephRequest } from '../../support/servers/ceph-request.ts';
import { startCephRig, type CephRig } from '../../support/servers/ceph-rig.ts';
import { rawFetch } from '../../support/servers/raw-fetch.ts';
import { bytesSource, errorOf, textOf } from '../../support/servers/s3-client.ts';

/** Object keys that break clients whose signed path differs from the requested one. */
const specialKeys = [
  'plain.txt',
  'with space.txt',
  'a/../b.txt',
  'double//slash.txt',
  'plus+and%25percent%.txt',
  'Ünïcödé 文 😀.txt',
  'quotes\'"&<>.txt',
  '~tilde(paren)!*.txt',
  './dot/.',
];

const at = (bucket: string) => ({ connectionId: 'c', bucket });

describe.skipIf(!isCephInstalled())('on Ceph RGW (if installed)', () => {
  let started: CephRig;
  let ceph: Ceph;
  let client: S3Client;
  const connection = () => Promise.resolve(client);
  const begun: string[] = [];
  const versions = createVersions({
    client: connection,
    copyOver: (ref) => begun.push(started.rig.operations.restoreVersion(ref).jobId),
  });
  /** Restores a version and waits for its job. */
  const restored = async (ref: VersionRef): Promise<Job> => {
    expect(await versions.restore(ref)).toEqual({ how: 'begun' });
    return await started.rig.settle(begun.pop() ?? '');
  };
  const properties = createProperties({ client: connection });
  const links = createLinks({ client: connection });

  const put = async (bucket: string, key: string, text: string): Promise<string | null> => {
    const { versionId } = await client.putObject({ bucket, key, body: bytesSource(text) });
    return versionId;
  };
  const read = async (bucket: string, key: string, versionId?: string): Promise<string> => {
    const ref = versionId === undefined ? { bucket, key } : { bucket, key, versionId };
    return await textOf((await client.getObject(ref)).body);
  };
  const allOf = async (bucket: string, prefix: string, delimiter: '/' | null) => {
    const found = [];
    const prefixes = [];
    let pageToken: string | null = null;
    let pages = 0;
    do {
      const page: Awaited<ReturnType<typeof versions.list>> = await versions.list(
        { ...at(bucket), prefix, delimiter, pageToken },
        undefined,
      );
      found.push(...page.versions);
      prefixes.push(...page.commonPrefixes);
      ({ nextPageToken: pageToken } = page);
      pages += 1;
    } while (pageToken !== null);
    return { found, prefixes, pages };
  };

  beforeAll(async () => {
    // Open to clients without credentials, because an unsigned link is tested too.
    started = await startCephRig({}, { isOpen: true });
    ({ ceph, client } = started);
    await client.createBucket({ bucket: 'kept' });
    await cephRequest(ceph, 'PUT', '/kept', { versioning: '' }, versioningXml('Enabled'));
  }, 180_000);
  afterAll(async () => {
    await started.close();
  });

  test('the versioning of a bucket is reported, also if it was never enabled', async () => {
    await client.createBucket({ bucket: 'not-kept' });
    expect(await versions.status(at('not-kept'), undefined)).toEqual({ versioning: 'off' });
    expect(await versions.status(at('kept'), undefined)).toEqual({ versioning: 'enabled' });
  });

  test('versions and markers are listed newest first, and an old version is read and restored', async () => {
    const key = 'story/über + %.txt';
    const first = await put('kept', key, 'first');
    await put('kept', key, 'second');
    await client.deleteObject({ bucket: 'kept', key });
    const { found } = await allOf('kept', key, null);
    expect(found.map((entry) => [entry.isDeleteMarker, entry.isLatest, entry.sizeBytes])).toEqual([
      [true, true, null],
      [false, false, 6],
      [false, false, 5],
    ]);
    expect(found.at(-1)?.versionId).toBe(first);
    expect(await read('kept', key, first ?? '')).toBe('first');

    const job = await restored({ ...at('kept'), key, versionId: first ?? '' });
    expect(job).toMatchObject({ state: 'done', items: { done: 1 } });
    expect(await read('kept', key)).toBe('first');
    const after = await allOf('kept', key, null);
    expect(after.found).toHaveLength(4);
  });

  const kms = {
    'x-amz-server-side-encryption': 'aws:kms',
    'x-amz-server-side-encryption-aws-kms-key-id': 'testkey-1',
  };
  test.each([
    ['a small one', 10, {}],
    ['one copied in parts', 13 * 1024 * 1024, {}],
    ['an encrypted one', 1000, kms],
    ['an empty encrypted one', 0, kms],
  ])('a restored version keeps its properties: %s', { timeout: 60_000 }, async (name, size, headers) => {
    const key = `old/${name}`;
    const bytes = Buffer.alloc(size, 'x');
    const { versionId } = await client.putObject({
      bucket: 'kept',
      key,
      body: bytesSource(bytes),
      contentType: 'text/x-note',
      cacheControl: 'max-age=60',
      metadata: { colour: 'red' },
      headers: { ...headers, 'x-amz-tagging': 'a=b', 'x-amz-acl': 'public-read' },
    });
    await put('kept', key, 'newer');
    const job = await restored({ ...at('kept'), key, versionId: versionId ?? '' });
    expect(job).toMatchObject({ state: 'done', items: { done: 1 } });
    expect((await read('kept', key)).length).toBe(size);
    const head = await client.headObject({ bucket: 'kept', key });
    expect(head).toMatchObject({ contentType: 'text/x-note', metadata: { colour: 'red' } });
    expect(head.headers).toMatchObject({ 'cache-control': 'max-age=60', ...headers });
    expect(await client.getObjectTags({ bucket: 'kept', key })).toEqual([{ key: 'a', value: 'b' }]);
    expect((await client.getObjectAcl({ bucket: 'kept', key })).grants).toHaveLength(2);
    expect((await allOf('kept', key, null)).found.map(({ sizeBytes }) => sizeBytes)).toEqual([size, 5, size]);
  });

  test('restoring a delete marker deletes it and nothing else', async () => {
    await put('kept', 'gone.txt', 'there');
    await client.deleteObject({ bucket: 'kept', key: 'gone.txt' });
    const [marker] = (await allOf('kept', 'gone.txt', null)).found;
    expect(marker).toMatchObject({ isDeleteMarker: true, isLatest: true });
    const how = await versions.restore({
      ...at('kept'),
      key: 'gone.txt',
      versionId: marker?.versionId ?? '',
    });
    expect(how).toEqual({ how: 'marker-deleted' });
    expect(await read('kept', 'gone.txt')).toBe('there');
    expect((await allOf('kept', 'gone.txt', null)).found).toHaveLength(1);
  });

  test('deleting one version permanently keeps the others', async () => {
    const first = await put('kept', 'pruned', '1');
    const second = await put('kept', 'pruned', '22');
    await versions.remove({ ...at('kept'), key: 'pruned', versionId: second ?? '' });
    expect(await read('kept', 'pruned')).toBe('1');
    expect((await allOf('kept', 'pruned', null)).found.map(({ versionId }) => versionId)).toEqual([first]);
    await versions.remove({ ...at('kept'), key: 'pruned', versionId: first ?? '' });
    expect((await allOf('kept', 'pruned', null)).found).toEqual([]);
    expect(
      await errorOf(versions.restore({ ...at('kept'), key: 'pruned', versionId: first ?? '' })),
    ).toMatchObject({ code: 'not-found' });
  });

  test('the version "null" is handled like any other', async () => {
    await client.createBucket({ bucket: 'late' });
    await put('late', 'a', 'before');
    await cephRequest(ceph, 'PUT', '/late', { versioning: '' }, versioningXml('Enabled'));
    await put('late', 'a', 'after');
    const { found } = await allOf('late', 'a', null);
    expect(found.map(({ versionId, isLatest }) => [versionId === 'null', isLatest])).toEqual([
      [false, true],
      [true, false],
    ]);
    expect(await read('late', 'a', 'null')).toBe('before');
    expect(await restored({ ...at('late'), key: 'a', versionId: 'null' })).toMatchObject({ state: 'done' });
    expect(await read('late', 'a')).toBe('before');
    await versions.remove({ ...at('late'), key: 'a', versionId: 'null' });
    expect((await allOf('late', 'a', null)).found.some(({ versionId }) => versionId === 'null')).toBe(false);
  });

  test(
    'versions of a folder are paged to the end without duplicates or gaps',
    { timeout: 120_000 },
    async () => {
      await client.createBucket({ bucket: 'paged' });
      await cephRequest(ceph, 'PUT', '/paged', { versioning: '' }, versioningXml('Enabled'));
      const names = Array.from({ length: 60 }, (_, n) => `f/k ${String(n % 30).padStart(2, '0')}+é.txt`);
      for (const name of names) await put('paged', name, name);
      for (let n = 0; n < 7; n += 1) await put('paged', `f/sub ${n}/x`, 'x');
      const seen: string[] = [];
      const prefixes: string[] = [];
      let pageToken: string | undefined;
      let pages = 0;
      do {
        const page = await client.listObjectVersions({
          bucket: 'paged',
          prefix: 'f/',
          delimiter: '/',
          maxKeys: 7,
          ...(pageToken === undefined ? {} : { pageToken }),
        });
        seen.push(...page.versions.map(({ key, versionId }) => `${key} ${versionId}`));
        prefixes.push(...page.commonPrefixes);
        pageToken = page.nextPageToken ?? undefined;
        pages += 1;
      } while (pageToken !== undefined);
      expect(pages).toBeGreaterThan(5);
      expect(seen).toHaveLength(60);
      expect(new Set(seen).size).toBe(60);
      expect([...prefixes].toSorted()).toEqual(Array.from({ length: 7 }, (_, n) => `f/sub ${n}/`));
    },
  );

  test('tags and headers of several objects are read with a result for each', async () => {
    await client.createBucket({ bucket: 'props' });
    await client.putObject({
      bucket: 'props',
      key: 'a',
      body: bytesSource('a'),
      contentType: 'text/x-a',
      cacheControl: 'max-age=1',
      metadata: { colour: 'grün' },
    });
    await client.putObjectTags({
      bucket: 'props',
      key: 'a',
      tags: [{ key: 'team & co', value: 'blue <1>' }],
    });
    const [a, missing] = await properties.read({ ...at('props'), keys: ['a', 'not there'] }, undefined);
    expect(a?.properties).toMatchObject({
      contentType: 'text/x-a',
      cacheControl: 'max-age=1',
      metadata: { colour: 'grün' },
      storageClass: 'STANDARD',
      archive: { state: 'readable' },
      tags: [{ key: 'team & co', value: 'blue <1>' }],
    });
    expect(missing).toMatchObject({ properties: null, error: { code: 'not-found' } });
    await client.putObjectTags({ bucket: 'props', key: 'a', tags: [] });
    const [after] = await properties.read({ ...at('props'), keys: ['a'] }, undefined);
    expect(after?.properties?.tags).toEqual([]);
  });

  test('permissions are described in words and set by a canned ACL', async () => {
    await client.createBucket({ bucket: 'acls' });
    await put('acls', 'open', 'open to all');
    const ref = { ...at('acls'), key: 'open' };
    expect(await properties.acl(ref, undefined)).toMatchObject({ canned: 'private' });
    const plain = await links.create({
      ...ref,
      kind: 'plain',
      expiresInSeconds: 60,
      disposition: null,
      contentType: null,
    });
    expect((await request(plain.url)).statusCode).toBe(403);
    await properties.setAcl({ ...ref, canned: 'public-read' });
    const acl = await properties.acl(ref, undefined);
    expect(acl.canned).toBe('public-read');
    expect(acl.grants).toContainEqual({ grantee: { kind: 'everybody' }, permission: 'READ' });
    const fetched = await request(plain.url);
    expect([fetched.statusCode, await fetched.body.text()]).toEqual([200, 'open to all']);
  });

  test(
    'a legal hold and a retention are set, enforced by the service, and shortened',
    { timeout: 60_000 },
    async () => {
      await cephRequest(ceph, 'PUT', '/locked', {}, '', { 'x-amz-bucket-object-lock-enabled': 'true' });
      const versionId = (await put('locked', 'deed', 'do not lose')) ?? '';
      const ref = { ...at('locked'), key: 'deed', versionId };
      expect(await properties.lock(ref, undefined)).toEqual({
        bucketHasLock: true,
        retention: null,
        legalHold: false,
      });
      await properties.setLegalHold({ ...ref, on: true });
      expect(await properties.lock(ref, undefined)).toMatchObject({ legalHold: true });
      expect(await errorOf(versions.remove(ref))).toMatchObject({ code: 'access-denied' });
      await properties.setLegalHold({ ...ref, on: false });

      const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3600_000).toISOString();
      await properties.setRetention({
        ...ref,
        retention: { mode: 'GOVERNANCE', until },
        bypassGovernance: false,
      });
      expect(await properties.lock(ref, undefined)).toMatchObject({
        retention: { mode: 'GOVERNANCE', until },
      });
      expect(await errorOf(versions.remove(ref))).toMatchObject({ code: 'access-denied' });
      const soon = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_000).toISOString();
      await properties.setRetention({
        ...ref,
        retention: { mode: 'GOVERNANCE', until: soon },
        bypassGovernance: true,
      });
      expect(await properties.lock(ref, undefined)).toMatchObject({ retention: { until: soon } });
      expect(await properties.lock({ ...at('not-kept'), key: 'x' }, undefined)).toMatchObject({
        bucketHasLock: false,
      });
    },
  );

  test.each(specialKeys)('signed links read and write exactly the key %s', async (key) => {
    await put('props', key, `bytes of ${key}`);
    const input = { ...at('props'), key, expiresInSeconds: 300, disposition: null, contentType: null };
    const reading = await links.create({ ...input, kind: 'get' });
    const got = await rawFetch(reading.url, 'GET');
    expect([got.status, got.text]).toEqual([200, `bytes of ${key}`]);
    const writing = await links.create({ ...input, kind: 'put' });
    expect((await rawFetch(writing.url, 'PUT', 'written by link')).status).toBe(200);
    expect(await read('props', key)).toBe('written by link');
  });

  test('a link can set the response headers of its download', async () => {
    await put('props', 'Bericht ü.txt', 'x');
    const { url, endsWith } = await links.create({
      ...at('props'),
      key: 'Bericht ü.txt',
      kind: 'get',
      expiresInSeconds: 300,
      disposition: 'attachment',
      contentType: 'application/x-report',
    });
    const got = await rawFetch(url, 'GET');
    expect(endsWith).toBe('time');
    expect(got.headers['content-type']).toBe('application/x-report');
    expect(got.headers['content-disposition']).toBe(
      `attachment; filename="Bericht _.txt"; filename*=UTF-8''Bericht%20%C3%BC.txt`,
    );
  });
});

function versioningXml(status: string): string {
  return `<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>${status}</Status></VersioningConfiguration>`;
}
