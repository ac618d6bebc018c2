import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ObjectAttributes } from '../../../electron/core/s3/model/object-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import type { CopyRequest } from '../../../electron/core/operations/operations.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import type { ConflictPolicy } from '../../../shared/models/transfers.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB, smallestPart } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

interface Asked {
  readonly basePrefix?: string;
  readonly bucket?: string;
  readonly prefix?: string;
  readonly connectionId?: string;
  readonly onConflict?: ConflictPolicy;
  readonly isMove?: boolean;
}

function request(items: readonly SelectionItem[], asked: Asked): CopyRequest {
  return {
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: asked.basePrefix ?? '' },
    items,
    to: {
      connectionId: asked.connectionId ?? 'c',
      bucket: asked.bucket ?? rig.bucket,
      prefix: asked.prefix ?? '',
    },
    options: { onConflict: asked.onConflict ?? 'ask', isMove: asked.isMove ?? false },
  };
}

async function run(items: readonly SelectionItem[], asked: Asked) {
  const { jobId } = rig.operations.copy(request(items, asked));
  if (jobId === null) throw new Error('There was nothing to do.');
  return await rig.settle(jobId);
}

const key = (name: string): SelectionItem => ({ kind: 'key', key: name });
const prefix = (name: string): SelectionItem => ({ kind: 'prefix', prefix: name });

const described: ObjectAttributes = {
  contentType: 'text/x-note',
  cacheControl: 'max-age=60',
  contentDisposition: 'attachment; filename="a.txt"',
  contentLanguage: 'de',
  storageClass: 'COLD',
  headers: { expires: 'Wed, 21 Oct 2026 07:28:00 GMT', 'x-amz-tagging': 'colour=red&size=big%20one' },
  metadata: { mtime: '1600000000.25', name: 'Grüße' },
};

async function putDescribed(name: string, bytes: Buffer): Promise<void> {
  await rig.client.putObject({
    bucket: rig.bucket,
    key: name,
    ...described,
    body: { sizeBytes: bytes.byteLength, open: () => bytes },
  });
}

async function descriptionOf(bucket: string, name: string) {
  const head = await rig.client.headObject({ bucket, key: name });
  const tags = await rig.client.getObjectTags({ bucket, key: name });
  const { 'cooper-upload': _token, ...metadata } = head.metadata;
  const { headers, contentType, storageClass } = head;
  return {
    contentType,
    storageClass,
    metadata,
    cacheControl: headers['cache-control'],
    disposition: headers['content-disposition'],
    language: headers['content-language'],
    expires: headers['expires'],
    tags: tags.map((tag) => `${tag.key}=${tag.value}`).toSorted(),
  };
}

const sizes = [
  ['an empty object', 0],
  ['a small object', 3 * KiB],
  ['an object of exactly what one request copies', copyBytes],
  ['one byte more than one request copies', copyBytes + 1],
  ['a large object', 3 * copyBytes + 7],
] as const;

describe('copying within the service', () => {
  test.each(sizes)('%s keeps its bytes and properties', async (_name, size) => {
    const bytes = bytesOf(size, size + 1);
    await putDescribed('in/a.txt', bytes);
    const job = await run([key('in/a.txt')], { basePrefix: 'in/', bucket: rig.otherBucket, prefix: 'out/' });
    expect(job).toMatchObject({ kind: 'copy', state: 'done', outcome: 'copied', bytesDone: size });
    expect((await rig.object('out/a.txt', rig.otherBucket))?.equals(bytes)).toBe(true);
    expect(await descriptionOf(rig.otherBucket, 'out/a.txt')).toEqual(
      await descriptionOf(rig.bucket, 'in/a.txt'),
    );
    expect(rig.service.faults.journal.some(({ operation }) => operation === 'GetObject')).toBe(true);
    expect((await rig.client.listMultipartUploads({ bucket: rig.otherBucket })).uploads).toEqual([]);
  });

  test('transfers no data through this computer except the last byte that proves each completion', async () => {
    await rig.put('a', bytesOf(2 * copyBytes, 1));
    rig.service.faults.clear();
    await run([key('a')], { prefix: 'b/' });
    const asked = rig.service.faults.journal.map(({ operation }) => operation);
    const read = rig.service.faults.journal.filter(({ operation }) => operation === 'GetObject');
    expect(read.every(({ headers }) => /^bytes=(\d+)-\1$/.test(headers.get('range') ?? ''))).toBe(true);
    expect(read.length).toBeLessThanOrEqual(1);
    expect(asked).not.toContain('UploadPart');
    expect(asked.filter((operation) => operation === 'UploadPartCopy').length).toBeGreaterThan(1);
  });

  test("sends the source's ETag with each request", async () => {
    await rig.put('small', bytesOf(9, 1));
    await rig.put('large', bytesOf(2 * copyBytes, 1));
    rig.service.faults.clear();
    await run([key('small'), key('large')], { prefix: 'b/' });
    const copies = rig.service.faults.journal.filter(
      ({ operation }) => operation.endsWith('Copy') || operation === 'CopyObject',
    );
    expect(copies.length).toBeGreaterThan(2);
    for (const { headers } of copies)
      expect(headers.get('x-amz-copy-source-if-match')).toMatch(/^"[0-9a-f]{32}"$/);
  });

  test('in parts like those of the source results in the same ETag', async () => {
    const bytes = bytesOf(3 * smallestPart + 5, 4);
    const file = rig.file('large.bin', bytes);
    const up = await rig.settle(await rig.upload([file], { multipartFromBytes: smallestPart }));
    expect(up.state).toBe('done');
    const source = await rig.client.headObject({ bucket: rig.bucket, key: 'large.bin' });
    expect(source.etag).toMatch(/-4"$/);
    await run([key('large.bin')], { prefix: 'b/' });
    const copy = await rig.client.headObject({ bucket: rig.bucket, key: 'b/large.bin' });
    expect(copy.etag).toBe(source.etag);
  });

  test('includes whole folders with their names, markers and odd keys', async () => {
    const names = ['a/', 'a/x', 'a/b//c', 'a/b/../d', 'a/ü &<\u0001>', 'a/b/ ', 'ab/not', 'a'];
    for (const name of names) await rig.put(name, Buffer.from(name));
    const job = await run([prefix('a/')], { bucket: rig.otherBucket, prefix: 'z/' });
    expect(job).toMatchObject({ state: 'done', items: { total: 6, done: 6 } });
    expect((await rig.keys(rig.otherBucket)).toSorted()).toEqual(
      names
        .filter((name) => name.startsWith('a/'))
        .map((name) => `z/${name}`)
        .toSorted(),
    );
    expect((await rig.object('z/a/b//c', rig.otherBucket))?.toString()).toBe('a/b//c');
    expect(await rig.keys()).toHaveLength(names.length);
  });

  test.each([
    ['a/', '', ''],
    ['a/', 'a/', 'a/'],
    ['a/', '', 'a/'],
    ['a/b/', '', 'a/b/c/'],
  ])('refuses to copy the folder %j (from %j to %j) onto or into itself', async (prefix, basePrefix, to) => {
    await rig.put('a/b/1', bytesOf(5, 1));
    await expect(run([{ kind: 'prefix', prefix }], { basePrefix, prefix: to })).rejects.toMatchObject({
      error: { reason: 'into-itself' },
    });
    expect(await rig.keys()).toEqual(['a/b/1']);
  });

  test('into the same folder gives the copy another name', async () => {
    await rig.put('f/a.txt', bytesOf(5, 1));
    await run([key('f/a.txt')], { basePrefix: 'f/', prefix: 'f/' });
    await run([key('f/a.txt')], { basePrefix: 'f/', prefix: 'f/' });
    expect(await rig.keys()).toEqual(['f/a (2).txt', 'f/a (3).txt', 'f/a.txt']);
  });
});

describe('copying between two connections', () => {
  test.each(sizes)('%s goes through this computer and keeps all but its class', async (_name, size) => {
    const bytes = bytesOf(size, size + 9);
    await putDescribed('in/a.txt', bytes);
    rig.service.faults.clear();
    const job = await run([key('in/a.txt')], {
      basePrefix: 'in/',
      connectionId: 'other',
      bucket: rig.otherBucket,
      prefix: 'out/',
    });
    expect(job).toMatchObject({ state: 'done', outcome: 'copied' });
    const { storageClass: _class, ...wanted } = await descriptionOf(rig.bucket, 'in/a.txt');
    expect(await descriptionOf(rig.otherBucket, 'out/a.txt')).toMatchObject(wanted);
    expect((await rig.object('out/a.txt', rig.otherBucket))?.equals(bytes)).toBe(true);
    expect(rig.service.faults.journal.some(({ operation }) => operation.includes('Copy'))).toBe(false);
  });

  test('resumes with the missing parts', async () => {
    const bytes = bytesOf(6 * smallestPart, 3);
    await rig.put('a', bytes);
    const broken = rig.service.faults.add({
      operation: 'UploadPart',
      partNumber: 2,
      times: 1000,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
    });
    const target = { connectionId: 'other', bucket: rig.otherBucket, prefix: '' };
    const job = await run([key('a')], target);
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
    broken.remove();
    rig.service.faults.clear();
    rig.transfers.retryFailed(job.id);
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done' });
    const sent = rig.service.faults.journal.flatMap(({ operation, partNumber }) =>
      operation === 'UploadPart' ? [partNumber] : [],
    );
    expect(sent).toContain(2);
    expect(sent.length).toBeLessThan(3);
    expect((await rig.object('a', rig.otherBucket))?.equals(bytes)).toBe(true);
  });
});

/** In these tests, another client writes to the target once, just before a certain request. */
describe('a conflict of a copy', () => {
  beforeEach(async () => {
    await rig.put('in/a.txt', bytesOf(10, 1));
    await rig.put('out/a.txt', bytesOf(20, 2));
  });
  const asked = { basePrefix: 'in/', prefix: 'out/' } as const;

  test('is shown with both sides, and nothing is overwritten before the user decides', async () => {
    const job = await run([key('in/a.txt')], asked);
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
    expect(rig.items(job.id)).toMatchObject([
      {
        state: 'asking',
        key: 'in/a.txt',
        localName: 'out/a.txt',
        source: { sizeBytes: 10 },
        target: { sizeBytes: 20 },
      },
    ]);
    expect((await rig.object('out/a.txt'))?.byteLength).toBe(20);
    rig.transfers.answer(job.id, [{ seq: null, action: 'overwrite' }]);
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done' });
    expect((await rig.object('out/a.txt'))?.equals(bytesOf(10, 1))).toBe(true);
  });

  test.each([
    ['skip', 20, ['in/a.txt', 'out/a.txt']],
    ['overwrite', 10, ['in/a.txt', 'out/a.txt']],
    ['rename', 20, ['in/a.txt', 'out/a (2).txt', 'out/a.txt']],
  ] as const)('resolved by %s leaves the expected objects', async (onConflict, size, keys) => {
    const job = await run([key('in/a.txt')], { ...asked, onConflict });
    expect(job.state).toBe('done');
    expect((await rig.object('out/a.txt'))?.byteLength).toBe(size);
    expect((await rig.keys()).toSorted()).toEqual([...keys].toSorted());
  });

  test('does not exist if the target is the same object', async () => {
    await rig.put('out/a.txt', bytesOf(10, 1));
    const job = await run([key('in/a.txt')], asked);
    expect(job).toMatchObject({ state: 'done', items: { done: 1, same: 1 } });
    expect(rig.items(job.id)).toMatchObject([{ state: 'done', note: 'same' }]);
  });

  test('exists if the target has the same bytes with other properties', async () => {
    await rig.put('out/a.txt', bytesOf(10, 1), { other: 'yes' });
    expect(await run([key('in/a.txt')], asked)).toMatchObject({ reason: 'conflicts' });
  });

  test('that appears while the service copies overwrites nothing', async () => {
    await rig.client.deleteObject({ bucket: rig.bucket, key: 'out/a.txt' });
    rig.writtenBefore('copyObject', 'out/a.txt', bytesOf(20, 2));
    expect(await run([key('in/a.txt')], asked)).toMatchObject({ reason: 'conflicts' });
    expect((await rig.object('out/a.txt'))?.byteLength).toBe(20);
  });

  const large = bytesOf(3 * copyBytes, 5);
  const ends = [
    ['skip', 'done', bytesOf(20, 2), null],
    ['rename', 'done', bytesOf(20, 2), large],
    ['ask', 'needs-attention', bytesOf(20, 2), null],
    // The other client writes exactly the object that the copy would create.
    ['ask', 'done', large, null],
  ] as const;
  test.each([
    ...ends.map((end) => ['uploadPartCopy', ...end] as const),
    ...ends.map((end) => ['completeMultipartUpload', ...end] as const),
  ])(
    'that appears before the first %s overwrites nothing and leaves no unfinished upload: %s, %s',
    async (operation, onConflict, state, written, renamed) => {
      await rig.client.deleteObject({ bucket: rig.bucket, key: 'out/a.txt' });
      await rig.put('in/a.txt', large);
      rig.writtenBefore(operation, 'out/a.txt', written);
      const job = await run([key('in/a.txt')], { ...asked, onConflict });
      expect(job.state).toBe(state);
      expect((await rig.object('out/a.txt'))?.equals(written)).toBe(true);
      const second = await rig.object('out/a (2).txt');
      expect(second?.equals(renamed ?? large) ?? null).toBe(renamed === null ? null : true);
      const unfinished = async () =>
        (await rig.client.listMultipartUploads({ bucket: rig.bucket })).uploads.map((upload) => upload.key);
      // Until the user decides, the job keeps its upload, whose parts may still be needed.
      expect(await unfinished()).toEqual(state === 'done' ? [] : ['out/a.txt']);
      if (state === 'done') return;
      rig.transfers.answer(job.id, [{ seq: null, action: 'rename' }]);
      expect(await rig.settle(job.id)).toMatchObject({ state: 'done' });
      expect((await rig.object('out/a (2).txt'))?.equals(large)).toBe(true);
      expect(await unfinished()).toEqual([]);
    },
  );
});

describe('the response to a copy', () => {
  test('with an error in a 200 does not count as a copy', async () => {
    await rig.put('a', bytesOf(10, 1));
    rig.service.faults.add({
      operation: 'CopyObject',
      times: 3,
      action: { kind: 'ok-with-error', code: 'InternalError' },
    });
    expect(await run([key('a')], { prefix: 'b/' })).toMatchObject({ state: 'done' });
    expect((await rig.object('b/a'))?.byteLength).toBe(10);
  });

  test('is not accepted if the target is another object', async () => {
    await rig.put('a', bytesOf(10, 1));
    rig.wrapClient = (client) =>
      new Proxy(client, {
        get: (target, property, receiver) => {
          const member: unknown = Reflect.get(target, property, receiver);
          if (property !== 'copyObject') return member;
          return async () => {
            await rig.put('b/a', bytesOf(10, 2));
            return {
              etag: `"${createHash('md5').update(bytesOf(10, 1)).digest('hex')}"`,
              lastModified: null,
              versionId: null,
            };
          };
        },
      });
    const { jobId } = rig.operations.copy(request([key('a')], { prefix: 'b/', isMove: true }));
    const job = await rig.settle(jobId ?? '');
    expect(job.state).toBe('needs-attention');
    expect(await rig.keys()).toContain('a');
  });

  test.each(['uploadPartCopy', 'completeMultipartUpload'] as const)(
    'for an object removed before the first %s leaves no unfinished upload',
    async (operation) => {
      await rig.put('in/a.txt', bytesOf(3 * copyBytes, 5));
      await rig.put('in/b.txt', bytesOf(9, 1));
      const remove = async (client: S3Client): Promise<void> => {
        await client.deleteObject({ bucket: rig.bucket, key: 'in/a.txt' });
        // CompleteMultipartUpload is then refused, and its item checked again.
        if (operation === 'completeMultipartUpload') await rig.put('out/a.txt', bytesOf(20, 2));
      };
      rig.wrapClient = (client) => ({
        ...client,
        uploadPartCopy: async (input, options) => {
          if (operation === 'uploadPartCopy') await remove(client);
          return await client.uploadPartCopy(input, options);
        },
        completeMultipartUpload: async (input, options) => {
          if (operation === 'completeMultipartUpload') await remove(client);
          return await client.completeMultipartUpload(input, options);
        },
      });
      const job = await run([key('in/a.txt'), key('in/b.txt')], { basePrefix: 'in/', prefix: 'out/' });
      expect(job).toMatchObject({ state: 'needs-attention', reason: 'items-failed', items: { done: 1 } });
      expect((await rig.client.listMultipartUploads({ bucket: rig.bucket })).uploads).toEqual([]);
    },
  );

  test('for a missing object fails only that item', async () => {
    await rig.put('a', bytesOf(10, 1));
    const job = await run([key('gone'), key('a')], { prefix: 'b/' });
    expect(job).toMatchObject({
      state: 'needs-attention',
      reason: 'items-failed',
      items: { done: 1, failed: 1 },
    });
    expect(rig.items(job.id).find((item) => item.key === 'gone')?.error).toMatchObject({ code: 'not-found' });
  });
});
