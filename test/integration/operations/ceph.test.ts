import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseCustomerKey } from '../../../electron/core/s3/http/customer-key-headers.ts';
import { sendCopy } from '../../../electron/core/edits/send-copy.ts';
import { sameGrants } from '../../../electron/core/operations/copies/copied-acl.ts';
import { keyOfHead } from '../../../electron/core/operations/objects/encryption.ts';
import { aclOf, type ObjectAcl } from '../../../electron/core/s3/model/property-types.ts';
import type { ObjectAttributes } from '../../../electron/core/s3/model/object-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import type { ChangePatch, SelectionItem } from '../../../shared/models/operations.ts';
import type { Encryption } from '../../../shared/models/transfers.ts';
import { sampleOf } from '../../support/sample.ts';
import { startCephRig, type CephRig } from '../../support/servers/ceph-rig.ts';
import { isCephInstalled } from '../../support/servers/ceph.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';

const MiB = 1024 * 1024;

describe.skipIf(!isCephInstalled())('operations on Ceph RGW (if installed)', () => {
  let started: CephRig;
  let client: S3Client;
  let rig: TransferRig;
  /** How the connection encrypts by default. */
  let encryption: Encryption = { kind: 'none' };

  beforeAll(async () => {
    started = await startCephRig({
      customerKeys: () => Promise.resolve(customerKeys),
      writeEncryption: () => encryption,
    });
    ({ client, rig } = started);
  }, 180_000);
  afterAll(async () => {
    await started.close();
  });
  beforeEach(async () => {
    encryption = { kind: 'none' };
    await rig.reset();
  });

  const customerKeys = [9, 10].flatMap(
    (seed) => parseCustomerKey(bytesOf(32, seed).toString('base64')) ?? [],
  );
  const [customerKey, otherKey] = customerKeys;

  // Only customer keys, because Debian's version of Ceph does not support default encryption of buckets.
  describe.each([
    ['an empty object', 0],
    ['a small object', 1000],
    ['a large object', 17 * MiB + 3],
  ])('on %s', (_name, size) => {
    const bytes = bytesOf(size, 5);
    const kms = {
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'testkey-1',
    };

    async function moved(connectionId: string, attributes: ObjectAttributes) {
      const body = { sizeBytes: size, open: () => bytes };
      await client.putObject({ bucket: rig.bucket, key: 'd/a', body, ...attributes });
      const job = await rig.settle(copy(true, connectionId) ?? '');
      expect(job).toMatchObject({ state: 'done', outcome: 'moved' });
      expect((await rig.object('to/d/a', rig.otherBucket))?.equals(bytes)).toBe(true);
      return {
        note: rig.items(job.id)[0]?.note,
        key: keyOfHead(await client.headObject({ bucket: rig.otherBucket, key: 'to/d/a' })),
      };
    }

    test.each([
      ['by the service', 'c'],
      ['through this computer', 'other'],
    ])(
      'note the loss of a KMS key in another bucket, %s',
      { timeout: 60_000 },
      async (_way, connectionId) => {
        expect(await moved(connectionId, { headers: kms })).toEqual({
          note: 'encryption-changed',
          key: null,
        });
      },
    );

    test('keep a customer key in another bucket', { timeout: 60_000 }, async () => {
      const customerKeyMd5 = customerKey?.md5 ?? '';
      expect(await moved('c', { customerKeyMd5 })).toEqual({
        note: null,
        key: { algorithm: 'customer', keyId: customerKeyMd5 },
      });
    });

    test('note the loss of a customer key at another connection', { timeout: 60_000 }, async () => {
      const customerKeyMd5 = customerKey?.md5 ?? '';
      expect(await moved('other', { customerKeyMd5 })).toEqual({ note: 'encryption-changed', key: null });
    });

    test('keep a KMS key when properties change', { timeout: 60_000 }, async () => {
      const body = { sizeBytes: size, open: () => bytes };
      await client.putObject({ bucket: rig.bucket, key: 'd/a', body, headers: kms });
      const { jobId } = rig.operations.change(
        { connectionId: 'c', bucket: rig.bucket },
        [{ kind: 'key', key: 'd/a' }],
        { contentType: 'text/x-note' },
      );
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
      expect(rig.items(jobId)[0]?.note).toBeNull();
      const head = await client.headObject({ bucket: rig.bucket, key: 'd/a' });
      expect(head.contentType).toBe('text/x-note');
      expect(keyOfHead(head)).toEqual({ algorithm: 'aws:kms', keyId: 'testkey-1' });
      expect((await rig.object('d/a'))?.equals(bytes)).toBe(true);
    });
  });

  /** Returns how a job ended, with each item that failed or has a note. */
  async function endOf(jobId: string | null) {
    const job = await rig.settle(jobId ?? '');
    const noted = rig.items(job.id).filter(({ error, note }) => error !== null || note !== null);
    return { state: job.state, noted: noted.map(({ key, error, note }) => ({ key, error, note })) };
  }
  const undo = async () => await endOf((await rig.undos.undo(rig.undos.state().undo?.id ?? '')).jobId);
  const endedWell = { state: 'done', noted: [] };
  const inBucket = () => ({ connectionId: 'c', bucket: rig.bucket });

  describe('of many objects, some of them under customer keys', { timeout: 120_000 }, () => {
    const objects = [
      ['empty', 0, customerKey],
      ['large', 17 * MiB + 3, customerKey],
      ['other', 900, otherKey],
      ['plain', 700, undefined],
      ['small', 1000, customerKey],
    ] as const;
    const all: SelectionItem[] = [{ kind: 'prefix', prefix: 'm/' }];
    const original = { contentType: 'text/x-note', metadata: { name: 'Grüße' }, tags: ['colour=red'] };
    const changes: readonly (readonly [string, ChangePatch, object])[] = [
      ['headers', { contentType: 'image/png' }, { contentType: 'image/png' }],
      [
        'metadata',
        { metadata: { replaceAll: false, set: { fresh: 'ja' }, remove: ['name'] } },
        { metadata: { fresh: 'ja' } },
      ],
      ['tags', { tags: { replaceAll: true, set: { more: '1' }, remove: [] } }, { tags: ['more=1'] }],
      [
        'the storage class with a header',
        { storageClass: 'STANDARD', cacheControl: 'max-age=7' },
        { cacheControl: 'max-age=7' },
      ],
    ];

    beforeEach(async () => {
      for (const [name, size, under] of objects) {
        const bytes = bytesOf(size, size);
        await client.putObject({
          bucket: rig.bucket,
          key: `m/${name}`,
          contentType: original.contentType,
          metadata: original.metadata,
          headers: { 'x-amz-tagging': 'colour=red' },
          body: { sizeBytes: size, open: () => bytes },
          ...(under === undefined ? {} : { customerKeyMd5: under.md5 }),
        });
      }
    });

    async function stored(prefix: string) {
      const found = [];
      for (const [name, size] of objects) {
        const key = `${prefix}${name}`;
        const isSame = (await rig.object(key))?.equals(bytesOf(size, size));
        found.push({ name, isSame, key: await keyOf(key), ...(await description(rig.bucket, key)) });
      }
      return found;
    }

    const described = (difference: object) =>
      objects.map(([name, , under]) =>
        expect.objectContaining({
          name,
          isSame: true,
          key: under === undefined ? null : { algorithm: 'customer', keyId: under.md5 },
          ...original,
          ...difference,
        }),
      );

    test.each(sampleOf(changes, 1))(
      'a change of %s keeps keys and bytes, and its undo restores it',
      async (_what, patch, difference) => {
        expect(await endOf(rig.operations.change(inBucket(), all, patch).jobId)).toEqual(endedWell);
        expect(await stored('m/')).toEqual(described(difference));
        expect(await undo()).toEqual(endedWell);
        expect(await stored('m/')).toEqual(described({}));
      },
    );

    test('a rename of their folder keeps keys and bytes, and its undo restores it', async () => {
      const { jobId } = rig.operations.copy({
        from: { ...inBucket(), basePrefix: 'm/' },
        items: all,
        to: { ...inBucket(), prefix: 'renamed/' },
        options: { onConflict: 'ask', isMove: true },
      });
      expect(await endOf(jobId)).toEqual(endedWell);
      expect(await stored('renamed/')).toEqual(described({}));
      expect(await undo()).toEqual(endedWell);
      expect(await stored('m/')).toEqual(described({}));
    });

    test('a download writes their bytes, and a deletion removes them', async () => {
      expect(await endOf(await rig.download(all))).toEqual(endedWell);
      const differing = objects.filter(
        ([name, size]) => !readFileSync(path.join(rig.fetchDir, 'm', name)).equals(bytesOf(size, size)),
      );
      expect(differing).toEqual([]);
      expect(await endOf(rig.operations.delete(inBucket(), all, 'markers').jobId)).toEqual(endedWell);
      expect(await rig.keys()).toEqual([]);
    });
  });

  async function keyOf(key: string, bucket = rig.bucket) {
    return keyOfHead(await client.headObject({ bucket, key }));
  }

  describe('under a connection that encrypts with a customer key', { timeout: 60_000 }, () => {
    const keyId = customerKey?.md5 ?? '';
    const underCustomerKey = { algorithm: 'customer', keyId };

    async function putPlain(key: string, bytes: Buffer): Promise<void> {
      await client.putObject({
        bucket: rig.bucket,
        key,
        body: { sizeBytes: bytes.byteLength, open: () => bytes },
        isEncryptionChosen: true,
      });
      encryption = { kind: 'customer', keyMd5: keyId };
    }

    test('a new folder is encrypted with it', async () => {
      encryption = { kind: 'customer', keyMd5: keyId };
      const place = { connectionId: 'c', bucket: rig.bucket };
      await rig.operations.createFolder({ ...place, prefix: '', name: 'new' }, undefined);
      expect(await keyOf('new/')).toEqual(underCustomerKey);
    });

    test.each([
      ['an empty object', 0],
      ['a small object', 1000],
      ['an object rewritten in parts', 17 * MiB + 3],
    ])('a change encrypts %s with it', async (_name, size) => {
      const bytes = bytesOf(size, 6);
      await putPlain('d/a', bytes);
      const place = { connectionId: 'c', bucket: rig.bucket };
      const items = [{ kind: 'key', key: 'd/a' }] as const;
      const { jobId } = rig.operations.change(place, items, { contentType: 'text/x-note' });
      const job = await rig.settle(jobId);
      expect({ job, error: rig.items(jobId)[0]?.error }).toMatchObject({
        job: { state: 'done' },
        error: null,
      });
      expect(await keyOf('d/a')).toEqual(underCustomerKey);
      expect((await rig.object('d/a'))?.equals(bytes)).toBe(true);
    });

    test.each([
      ['an empty object, by the service', 0, 'c'],
      ['a small object, by the service', 1000, 'c'],
      ['an object in parts, by the service', 17 * MiB + 3, 'c'],
      ['a small object, through this computer', 1000, 'other'],
      ['an object in parts, through this computer', 17 * MiB + 3, 'other'],
    ])('a copy of %s is encrypted with it', async (_name, size, connectionId) => {
      const bytes = bytesOf(size, 7);
      await putPlain('d/a', bytes);
      const job = await rig.settle(copy(false, connectionId) ?? '');
      expect({ job, error: rig.items(job.id)[0]?.error }).toMatchObject({
        job: { state: 'done' },
        error: null,
      });
      expect(await keyOf('to/d/a', rig.otherBucket)).toEqual(underCustomerKey);
      expect((await rig.object('to/d/a', rig.otherBucket))?.equals(bytes)).toBe(true);
    });

    test.each([
      ['a text with this key', { customerKeyMd5: keyId }],
      ['a text without encryption', {}],
    ])('an edit of %s is encrypted with it', async (_name, attributes) => {
      const bytes = Buffer.from('first');
      const stored = await client.putObject({
        bucket: rig.bucket,
        key: 'a.txt',
        body: { sizeBytes: bytes.byteLength, open: () => bytes },
        isEncryptionChosen: true,
        ...attributes,
      });
      if (Object.keys(attributes).length === 0) encryption = { kind: 'customer', keyMd5: keyId };
      const record = { connectionId: 'c', bucket: rig.bucket, key: 'a.txt', etag: stored.etag };
      await sendCopy(
        client,
        { version: 1, ...record, fileName: 'a.txt', md5: '' },
        {
          bytes: Buffer.from('second'),
          mayReplace: false,
          signal: new AbortController().signal,
          onDamaged: () => Promise.resolve(),
        },
      );
      expect(await keyOf('a.txt')).toEqual(underCustomerKey);
      expect(String(await rig.object('a.txt'))).toBe('second');
    });
  });

  const sizes = [
    ['an empty one', 0],
    ['a small one', 1000],
    ['one copied in parts', 17 * MiB + 3],
  ] as const;

  async function put(key: string, bytes: Buffer): Promise<void> {
    await client.putObject({
      bucket: rig.bucket,
      key,
      contentType: 'text/x-note',
      cacheControl: 'max-age=60',
      contentDisposition: 'inline',
      headers: { 'x-amz-tagging': 'colour=red&size=big%20one' },
      metadata: { mtime: '1600000000.25', name: 'Grüße' },
      body: { sizeBytes: bytes.byteLength, open: () => bytes },
    });
  }

  async function description(bucket: string, key: string) {
    const head = await client.headObject({ bucket, key });
    const { 'cooper-upload': _token, ...metadata } = head.metadata;
    const tags = await client.getObjectTags({ bucket, key });
    return {
      contentType: head.contentType,
      cacheControl: head.headers['cache-control'],
      disposition: head.headers['content-disposition'],
      metadata,
      tags: tags.map((tag) => `${tag.key}=${tag.value}`).toSorted(),
    };
  }

  function copy(isMove: boolean, connectionId: string) {
    return rig.operations.copy({
      from: { connectionId: 'c', bucket: rig.bucket, basePrefix: '' },
      items: [{ kind: 'prefix', prefix: 'd/' }],
      to: { connectionId, bucket: rig.otherBucket, prefix: 'to/' },
      options: { onConflict: 'ask', isMove },
    }).jobId;
  }

  describe.each([
    ['by the service', 'c'],
    ['through this computer', 'other'],
  ])('a move %s', (_way, connectionId) => {
    test.each(sizes)('of %s keeps bytes, properties and tags', { timeout: 60_000 }, async (_name, size) => {
      const bytes = bytesOf(size, size + 1);
      const key = 'd/ü +%<&>\u0001.bin';
      await put(key, bytes);
      const before = await description(rig.bucket, key);
      const job = await rig.settle(copy(true, connectionId) ?? '');
      expect(job).toMatchObject({ state: 'done', outcome: 'moved' });
      expect(await rig.keys()).toEqual([]);
      expect((await rig.object(`to/${key}`, rig.otherBucket))?.equals(bytes)).toBe(true);
      expect(await description(rig.otherBucket, `to/${key}`)).toEqual(before);
    });
  });

  test.each(sizes)('change %s and nothing else', { timeout: 60_000 }, async (_name, size) => {
    const bytes = bytesOf(size, size + 1);
    await put('k', bytes);
    const before = await description(rig.bucket, 'k');
    const patch = {
      contentType: 'image/png',
      metadata: { replaceAll: false, set: { fresh: 'ja' }, remove: ['name'] },
      tags: { replaceAll: false, set: { more: '1' }, remove: ['size'] },
    };
    const { jobId } = rig.operations.change(
      { connectionId: 'c', bucket: rig.bucket },
      [{ kind: 'key', key: 'k' }],
      patch,
    );
    const job = await rig.settle(jobId);
    expect(job).toMatchObject({ state: 'done' });
    expect(await description(rig.bucket, 'k')).toEqual({
      ...before,
      contentType: 'image/png',
      metadata: { mtime: '1600000000.25', fresh: 'ja' },
      tags: ['colour=red', 'more=1'],
    });
    expect((await rig.object('k'))?.equals(bytes)).toBe(true);
  });

  test('remove all tags from an object in a versioned bucket and read them back as gone', async () => {
    const bucket = 'versioned-tags';
    await client.createBucket({ bucket });
    await client.putBucketDocument({
      bucket,
      query: 'versioning',
      operation: 'BucketVersioning',
      text: '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>',
    });
    const body = { sizeBytes: 1, open: () => Buffer.from('x') };
    for (const key of ['t/1', 't/2'])
      await client.putObject({ bucket, key, body, headers: { 'x-amz-tagging': 'a=b&c=d' } });
    const place = { connectionId: 'c', bucket };
    const patch = { tags: { replaceAll: true, set: {}, remove: [] } };
    const { jobId } = rig.operations.change(place, [{ kind: 'prefix', prefix: 't/' }], patch);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { done: 2 } });
    for (const key of ['t/1', 't/2']) expect(await client.getObjectTags({ bucket, key })).toEqual([]);
  });

  test('keep the tags when only the type changes', async () => {
    await put('k', bytesOf(10, 1));
    const place = { connectionId: 'c', bucket: rig.bucket };
    const { jobId } = rig.operations.change(place, [{ kind: 'key', key: 'k' }], { contentType: 'a/b' });
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(await description(rig.bucket, 'k')).toMatchObject({
      contentType: 'a/b',
      tags: ['colour=red', 'size=big one'],
    });
  });

  test('copy a large object under a key that Ceph would decode twice', { timeout: 60_000 }, async () => {
    const right = bytesOf(13 * MiB, 1);
    await rig.put('d/a%41', right);
    await rig.put('d/aA', bytesOf(13 * MiB, 2));
    expect(await rig.settle(copy(true, 'c') ?? '')).toMatchObject({ state: 'done', outcome: 'moved' });
    expect((await rig.object('to/d/a%41', rig.otherBucket))?.equals(right)).toBe(true);
  });

  test.each([
    ['one', ['n']],
    ['many', Array.from({ length: 25 }, (_, index) => `n${index}`)],
  ] as const)('copy the ACL of %s', async (_name, names) => {
    for (const name of names) {
      await put(`a/${name}`, bytesOf(50, 1));
      await client.putObjectAcl({ bucket: rig.bucket, key: `a/${name}`, canned: 'public-read' });
    }
    await put('a/private', bytesOf(50, 2));
    const place = { connectionId: 'c', bucket: rig.bucket };
    const { jobId } = rig.operations.copy({
      from: { ...place, basePrefix: 'a/' },
      items: [{ kind: 'prefix', prefix: 'a/' }],
      to: { ...place, prefix: 'b/' },
      options: { onConflict: 'ask', isMove: true },
    });
    expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done', outcome: 'renamed' });
    const cannedOf = async (key: string) =>
      aclOf(await client.getObjectAcl({ bucket: rig.bucket, key })).canned;
    for (const name of names) expect(await cannedOf(`b/${name}`)).toBe('public-read');
    expect(await cannedOf('b/private')).toBe('private');
  });

  test.each(sizes)(
    'keep custom grants of %s that is renamed, and when its properties change',
    { timeout: 60_000 },
    async (_name, size) => {
      await put('g', bytesOf(size, 3));
      const { owner, grants } = await client.getObjectAcl({ bucket: rig.bucket, key: 'g' });
      const groups = 'http://acs.amazonaws.com/groups/global';
      const acl: ObjectAcl = {
        owner,
        grants: [
          ...grants,
          { grantee: { kind: 'group', uri: `${groups}/AuthenticatedUsers` }, permission: 'READ_ACP' },
          { grantee: { kind: 'group', uri: `${groups}/AllUsers` }, permission: 'READ' },
        ],
      };
      await client.putObjectGrants({ bucket: rig.bucket, key: 'g', acl });
      const place = { connectionId: 'c', bucket: rig.bucket };
      const { jobId } = rig.operations.rename({
        ...place,
        item: { kind: 'key', key: 'g' },
        newName: 'h',
        onConflict: 'ask',
      });
      expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done', outcome: 'renamed' });
      const now = async () => await client.getObjectAcl({ bucket: rig.bucket, key: 'h' });
      expect(sameGrants(await now(), acl)).toBe(true);
      const change = rig.operations.change(place, [{ kind: 'key', key: 'h' }], { contentType: 'a/b' });
      expect(await rig.settle(change.jobId)).toMatchObject({ state: 'done' });
      expect(sameGrants(await now(), acl)).toBe(true);
      expect(await description(rig.bucket, 'h')).toMatchObject({ contentType: 'a/b' });
    },
  );

  test('ask about a conflict, and overwrite on a rename only if confirmed', async () => {
    await rig.put('a', bytesOf(3, 1));
    await rig.put('b', bytesOf(4, 2));
    const { jobId } = rig.operations.rename({
      connectionId: 'c',
      bucket: rig.bucket,
      item: { kind: 'key', key: 'a' },
      newName: 'b',
      onConflict: 'ask',
    });
    expect(await rig.settle(jobId ?? '')).toMatchObject({ reason: 'conflicts' });
    rig.transfers.answer(jobId ?? '', [{ seq: null, action: 'overwrite' }]);
    expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done' });
    expect(await rig.keys()).toEqual(['b']);
    expect((await rig.object('b'))?.byteLength).toBe(3);
  });

  test('delete exactly what was chosen, also odd keys', { timeout: 60_000 }, async () => {
    const strange = ['s/\u0001', 's/<&>"\'', 's/ ', 's/\r\n', 's/%2F', 's/ü', 's//x'];
    for (const key of [...strange, 's', 's-', 'sa/x']) await rig.put(key, Buffer.alloc(1));
    const place = { connectionId: 'c', bucket: rig.bucket };
    const { jobId } = rig.operations.delete(place, [{ kind: 'prefix', prefix: 's/' }], 'markers');
    const job = await rig.settle(jobId);
    expect(job).toMatchObject({ state: 'done', items: { done: strange.length } });
    expect((await rig.keys()).toSorted()).toEqual(['s', 's-', 'sa/x']);
  });

  test(
    'delete with markers in a versioned bucket, or all versions and markers if requested',
    { timeout: 60_000 },
    async () => {
      const bucket = 'versioned';
      await client.createBucket({ bucket });
      await client.putBucketDocument({
        bucket,
        query: 'versioning',
        operation: 'BucketVersioning',
        text: '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>',
      });
      const body = { sizeBytes: 2, open: () => Buffer.from('xy') };
      for (const key of ['a/1', 'a/1', 'a/2', 'a', 'ab/1']) await client.putObject({ bucket, key, body });
      const versions = async () =>
        (await client.listObjectVersions({ bucket })).versions.map(
          ({ key, isDeleteMarker }) => `${key}${isDeleteMarker ? ' marker' : ''}`,
        );
      const place = { connectionId: 'c', bucket };
      const marked = rig.operations.delete(place, [{ kind: 'prefix', prefix: 'a/' }], 'markers');
      expect(await rig.settle(marked.jobId)).toMatchObject({ state: 'done', items: { total: 2 } });
      expect(await versions()).toEqual(['a', 'a/1 marker', 'a/1', 'a/1', 'a/2 marker', 'a/2', 'ab/1']);
      const all = rig.operations.delete(
        place,
        [
          { kind: 'prefix', prefix: 'a/' },
          { kind: 'key', key: 'a' },
        ],
        'all-versions',
      );
      expect(await rig.settle(all.jobId)).toMatchObject({ state: 'done', items: { total: 6 } });
      expect(await versions()).toEqual(['ab/1']);
    },
  );
});
