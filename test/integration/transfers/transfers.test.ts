import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure } from '../../../shared/errors.ts';
import type { ListedPart } from '../../../electron/core/s3/model/multipart-types.ts';
import { underKey } from '../../support/servers/kms-service.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { type TransferRig, treeOf } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

const small = bytesOf(5 * KiB, 1);
const large = bytesOf(500 * KiB + 77, 2);

const noParts = {
  storageClass: null,
  initiator: null,
  owner: null,
  checksumAlgorithm: null,
  checksumType: null,
};

describe('an upload', () => {
  test('sends a small file in one PUT with type, time and metadata', async () => {
    const job = await rig.settle(
      await rig.upload(
        [rig.file('a.txt', small)],
        { cacheControl: 'no-cache', metadata: { colour: 'blau ü' } },
        'in/',
      ),
    );
    expect(job).toMatchObject({
      state: 'done',
      outcome: 'uploaded',
      partsDone: 1,
      bytesDone: small.byteLength,
    });
    const head = await rig.client.headObject({ bucket: rig.bucket, key: 'in/a.txt' });
    expect(head).toMatchObject({ contentType: 'text/plain', sizeBytes: small.byteLength });
    expect(head.metadata).toEqual({ mtime: '1600000000.25', colour: 'blau ü' });
    expect(head.headers['cache-control']).toBe('no-cache');
    expect(await rig.object('in/a.txt')).toEqual(small);
  });

  test("sends a large file in parts with the upload's token", async () => {
    const job = await rig.settle(await rig.upload([rig.file('big.bin', large)]));
    expect(job).toMatchObject({ state: 'done', outcome: 'uploaded' });
    expect(await rig.object('big.bin')).toEqual(large);
    const head = await rig.client.headObject({ bucket: rig.bucket, key: 'big.bin' });
    expect(head.metadata['cooper-upload']).toMatch(/^id-/);
    expect(head.etag).toMatch(/-\d+"$/);
    expect(rig.items(job.id)).toMatchObject([{ state: 'done', verified: true }]);
  });

  test('sends a file in one PUT below the threshold, even if too large for memory', async () => {
    const file = rig.file('long.bin', bytesOf(17 * 1024 * KiB + 5, 3));
    const options = { multipartFromBytes: 64 * 1024 * KiB, partSizeBytes: null };
    const job = await rig.settle(await rig.upload([file], options));
    expect(job).toMatchObject({ state: 'done', outcome: 'uploaded' });
    const stored = await rig.object('long.bin');
    expect(stored?.equals(readFileSync(file))).toBe(true);
    const head = await rig.client.headObject({ bucket: rig.bucket, key: 'long.bin' });
    expect(head.etag).toBe(`"${hash('md5', readFileSync(file))}"`);
    expect(head.metadata['cooper-upload']).toBeUndefined();
    expect(rig.items(job.id)).toMatchObject([{ state: 'done', verified: true }]);
  });

  test('sends an empty file', async () => {
    const job = await rig.settle(await rig.upload([rig.file('empty', Buffer.alloc(0))]));
    expect(job.state).toBe('done');
    expect(await rig.object('empty')).toEqual(Buffer.alloc(0));
  });

  test('counts the same content at the key as done', async () => {
    await rig.put('a.txt', small);
    const job = await rig.settle(await rig.upload([rig.file('a.txt', small)]));
    expect(job).toMatchObject({ state: 'done', items: { done: 1, same: 1 } });
    expect(rig.items(job.id)).toMatchObject([{ state: 'done', note: 'same' }]);
  });

  test.each([['small', small] as const, ['large', large] as const])(
    'asks before it overwrites with a %s file, showing both sides, and follows the decision',
    async (_name, bytes) => {
      const old = bytesOf(100, 9);
      const file = rig.file('a.bin', bytes);
      await rig.put('a.bin', old);
      const jobId = await rig.upload([file]);
      expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
      expect(await rig.object('a.bin')).toEqual(old);
      const [item] = rig.items(jobId);
      expect(item).toMatchObject({ source: { sizeBytes: bytes.byteLength }, target: { sizeBytes: 100 } });
      rig.transfers.answer(jobId, [{ seq: 0, action: 'overwrite' }]);
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
      expect(await rig.object('a.bin')).toEqual(bytes);
    },
  );

  test('skips, renames or overwrites by its option', async () => {
    const old = bytesOf(100, 9);
    await rig.put('a.bin', old);
    const file = rig.file('a.bin', small);
    const skipped = await rig.settle(await rig.upload([file], { onConflict: 'skip' }));
    expect(skipped).toMatchObject({ state: 'done', items: { skipped: 1 } });
    expect(await rig.keys()).toEqual(['a.bin']);
    const renamed = await rig.settle(await rig.upload([file], { onConflict: 'rename' }));
    expect(renamed.state).toBe('done');
    expect(await rig.object('a (2).bin')).toEqual(small);
    expect(await rig.object('a.bin')).toEqual(old);
    await rig.settle(await rig.upload([file], { onConflict: 'overwrite' }));
    expect(await rig.object('a.bin')).toEqual(small);
  });

  test.each([
    ['older', 1000, true],
    ['newer', 4_000_000_000, false],
    ['of nearly the same time', 1_999_999_999, false],
  ] as const)(
    'replaces an object that is %s only if it is older, if so configured',
    async (_, seconds, isReplaced) => {
      const old = bytesOf(100, 9);
      const { store } = rig.service;
      const facts = { modifiedMs: seconds * 1000 };
      await store.putBytes(store.buckets.get(rig.bucket)?.id ?? -1, 'a.bin', old, facts);
      const file = rig.file('a.bin', small);
      utimesSync(file, 2_000_000_000, 2_000_000_000);
      const job = await rig.settle(await rig.upload([file], { onConflict: 'newer' }));
      expect(job).toMatchObject({ state: 'done', items: isReplaced ? { done: 1 } : { skipped: 1 } });
      expect(await rig.object('a.bin')).toEqual(isReplaced ? small : old);
    },
  );

  test('does not send CompleteMultipartUpload if an object appeared at the key', async () => {
    const other = bytesOf(10, 3);
    rig.wrapClient = (client) => ({
      ...client,
      uploadPart: async (input, options) => {
        if (input.partNumber === 2) await rig.put('big.bin', other);
        return await client.uploadPart(input, options);
      },
    });
    const jobId = await rig.upload([rig.file('big.bin', large)]);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
    expect(await rig.object('big.bin')).toEqual(other);
    rig.transfers.answer(jobId, [{ seq: null, action: 'overwrite' }]);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(await rig.object('big.bin')).toEqual(large);
  });

  test.each(['ignored', 'refused'] as const)(
    'completes in parts on a service where conditions of a Complete are %s',
    async (conditionalWrites) => {
      rig.service.quirks.conditionalWrites = conditionalWrites;
      const job = await rig.settle(await rig.upload([rig.file('big.bin', large)]));
      expect(job).toMatchObject({ state: 'done' });
      expect(await rig.object('big.bin')).toEqual(large);
    },
  );

  test.each([
    ['ask', 'needs-attention', null],
    ['skip', 'done', null],
    ['rename', 'done', large],
  ] as const)(
    'overwrites no object that appears between the last check and the Complete: %s',
    async (onConflict, state, renamed) => {
      const other = bytesOf(10, 3);
      rig.writtenBefore('completeMultipartUpload', 'big.bin', other);
      const jobId = await rig.upload([rig.file('big.bin', large)], { onConflict });
      expect(await rig.settle(jobId)).toMatchObject({ state });
      expect(await rig.object('big.bin')).toEqual(other);
      expect(await rig.object('big (2).bin')).toEqual(renamed);
      const { uploads } = await rig.client.listMultipartUploads({ bucket: rig.bucket });
      expect(uploads).toHaveLength(state === 'done' ? 0 : 1);
      if (state === 'done') return;
      rig.transfers.answer(jobId, [{ seq: null, action: 'overwrite' }]);
      rig.service.faults.clear();
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
      expect(rig.service.faults.count('UploadPart')).toBe(0);
      expect(await rig.object('big.bin')).toEqual(large);
    },
  );

  test('sends no condition with CompleteMultipartUpload if overwriting everything was confirmed', async () => {
    await rig.put('big.bin', bytesOf(10, 3));
    rig.writtenBefore('completeMultipartUpload', 'big.bin', bytesOf(11, 4));
    const job = await rig.settle(await rig.upload([rig.file('big.bin', large)], { onConflict: 'overwrite' }));
    expect(job).toMatchObject({ state: 'done' });
    expect(rig.service.faults.count('CompleteMultipartUpload')).toBe(1);
    expect(await rig.object('big.bin')).toEqual(large);
  });

  test('recognises its own object if CompleteMultipartUpload reported failure but was applied (Ceph)', async () => {
    const parts: ListedPart[] = [];
    rig.wrapClient = (client) => ({
      ...client,
      completeMultipartUpload: async (input, options) => {
        const page = await client.listParts({ bucket: rig.bucket, key: 'big.bin', uploadId: input.uploadId });
        parts.push(...page.parts);
        await client.completeMultipartUpload(input, options);
        throw failure('server', 'x', {
          reason: 'internal-error',
          retry: 'backoff',
          outcome: 'unknown',
          s3: { status: 500, code: 'InternalError', message: null, requestId: null },
        });
      },
      // No ETag proves the object, and the upload is listed forever.
      headObject: async (input, options) => ({
        ...(await client.headObject(input, options)),
        etag: '"other"',
      }),
      listParts: async (input, options) =>
        parts.length === 0
          ? await client.listParts(input, options)
          : { ...noParts, parts, nextPartNumberMarker: null },
    });
    const job = await rig.settle(await rig.upload([rig.file('big.bin', large)]));
    expect(job).toMatchObject({ state: 'done', outcome: 'uploaded' });
    expect(rig.service.faults.count('AbortMultipartUpload')).toBe(0);
    expect(await rig.object('big.bin')).toEqual(large);
  });

  test('without permission to read the key overwrites nothing', async () => {
    const other = bytesOf(10, 3);
    await rig.put('big.bin', other);
    rig.service.faults.add({
      operation: 'HeadObject',
      times: Infinity,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
    });
    const job = await rig.settle(await rig.upload([rig.file('big.bin', large)]));
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
    const failed = [{ state: 'failed', error: { reason: 'precondition-failed' } }];
    expect(rig.items(job.id)).toMatchObject(failed);
    rig.uploads.jobs.send(job.id, { kind: 'retry-now' });
    await rig.settle(job.id);
    expect(rig.items(job.id)).toMatchObject(failed);
    expect(await rig.object('big.bin')).toEqual(other);
  });

  test("that is refused reports the first item's error and the number of causes", async () => {
    rig.service.faults.add({
      operation: 'PutObject',
      times: Infinity,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
    });
    const files = ['a.txt', 'b.txt'].map((name) => rig.file(name, small));
    const job = await rig.settle(await rig.upload(files));
    expect(job).toMatchObject({
      reason: 'items-failed',
      error: { code: 'access-denied' },
      items: { failed: 2 },
    });
    expect(job.items?.causes).toBeUndefined();
  });

  test.each(['skip', 'rename'] as const)(
    'leaves no stalled upload behind if the decision is %s',
    async (action) => {
      const other = bytesOf(10, 3);
      rig.wrapClient = (client) => ({
        ...client,
        uploadPart: async (input, options) => {
          if (input.partNumber === 2 && input.key === 'big.bin') await rig.put('big.bin', other);
          return await client.uploadPart(input, options);
        },
      });
      const jobId = await rig.upload([rig.file('big.bin', large)]);
      expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
      // The upload is removed even if the service at first refuses to abort it.
      rig.service.faults.add({
        operation: 'AbortMultipartUpload',
        times: 8,
        action: { kind: 'status', status: 503, code: 'SlowDown' },
      });
      rig.transfers.answer(jobId, [{ seq: null, action }]);
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
      expect(await rig.object('big.bin')).toEqual(other);
      expect(await rig.object('big (2).bin')).toEqual(action === 'rename' ? large : null);
      const { uploads } = await rig.client.listMultipartUploads({ bucket: rig.bucket });
      expect(uploads).toEqual([]);
    },
  );

  test('under another name does not adopt a foreign unfinished upload', async () => {
    const { uploadId } = await rig.client.createMultipartUpload({ bucket: rig.bucket, key: 'big (2).bin' });
    const other = bytesOf(10, 3);
    rig.wrapClient = (client) => ({
      ...client,
      createMultipartUpload: async (input, options) => {
        if (input.key === 'big.bin') {
          await rig.put('big.bin', other);
          throw failure('network', 'cut', { retry: 'backoff', outcome: 'unknown' });
        }
        return await client.createMultipartUpload(input, options);
      },
    });
    const jobId = await rig.upload([rig.file('big.bin', large)], { onConflict: 'rename' });
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(await rig.object('big.bin')).toEqual(other);
    expect(await rig.object('big (2).bin')).toEqual(large);
    const { uploads } = await rig.client.listMultipartUploads({ bucket: rig.bucket });
    expect(uploads).toMatchObject([{ key: 'big (2).bin', uploadId }]);
  });

  test('on a service without conditional writes overwrites no object that appears between attempts', async () => {
    const other = bytesOf(10, 3);
    let puts = 0;
    rig.wrapClient = (client) => ({
      ...client,
      putObject: async (input, options) => {
        if (input.ifNoneMatch !== undefined)
          throw failure('unsupported', 'No.', { reason: 'not-implemented' });
        puts += 1;
        if (puts === 1)
          rig.service.faults.add({
            key: 'a.txt',
            operation: 'PutObject',
            action: { kind: 'status', status: 503, code: 'SlowDown' },
          });
        const response = client.putObject(input, options);
        await response.catch(async () => await rig.put('a.txt', other));
        return await response;
      },
    });
    const jobId = await rig.upload([rig.file('a.txt', small)]);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
    expect(puts).toBe(1);
    expect(await rig.object('a.txt')).toEqual(other);
  });

  test('never overwrites an object that appears between check and PUT', async () => {
    const other = bytesOf(10, 3);
    rig.wrapClient = (client) => ({
      ...client,
      putObject: async (input, options) => {
        await rig.put('a.txt', other);
        return await client.putObject(input, options);
      },
    });
    const job = await rig.settle(await rig.upload([rig.file('a.txt', small)]));
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
    expect(await rig.object('a.txt')).toEqual(other);
  });
});

describe('a download', () => {
  test('writes bytes and times of small and large objects and verifies them', async () => {
    await rig.settle(await rig.upload([rig.file('a.txt', small), rig.file('big.bin', large)]));
    const job = await rig.settle(
      await rig.download([
        { kind: 'key', key: 'a.txt' },
        { kind: 'key', key: 'big.bin' },
      ]),
    );
    expect(job).toMatchObject({
      state: 'done',
      outcome: 'downloaded',
      bytesTotal: small.byteLength + large.byteLength,
    });
    expect(treeOf(rig.fetchDir)).toEqual(treeOf(rig.sendDir));
    expect(rig.items(job.id)).toMatchObject([{ verified: true }, { verified: true }]);
  });

  test('asks before it overwrites a local file, and follows the decision', async () => {
    await rig.put('a.txt', small);
    const target = path.join(rig.fetchDir, 'a.txt');
    writeFileSync(target, 'mine');
    const jobId = await rig.download([{ kind: 'prefix', prefix: '' }]);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect(rig.items(jobId)).toMatchObject([
      { source: { sizeBytes: small.byteLength }, target: { sizeBytes: 4 } },
    ]);
    rig.transfers.answer(jobId, [{ seq: 0, action: 'rename' }]);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect(readFileSync(path.join(rig.fetchDir, 'a (2).txt'))).toEqual(small);
    const again = await rig.download([{ kind: 'prefix', prefix: '' }], 'overwrite');
    expect(await rig.settle(again)).toMatchObject({ state: 'done' });
    expect(readFileSync(target)).toEqual(small);
  });

  test.each([
    ['small', small],
    ['large', large],
  ] as const)(
    'of a %s object that is removed meanwhile fails and leaves nothing behind',
    async (_name, bytes) => {
      await rig.put('a.bin', bytes);
      rig.wrapClient = (client) => ({
        ...client,
        getObject: async (input, options) => {
          await rig.client.deleteObject({ bucket: rig.bucket, key: 'a.bin' });
          return await client.getObject(input, options);
        },
      });
      const job = await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }]));
      expect(job).toMatchObject({ state: 'needs-attention', reason: 'items-failed', items: { failed: 1 } });
      expect(rig.items(job.id)).toMatchObject([{ state: 'failed', error: { code: 'not-found' } }]);
      expect(existsSync(path.join(rig.fetchDir, 'a.bin'))).toBe(false);
    },
  );

  test.each(['ask', 'skip', 'rename'] as const)(
    'never overwrites files that appear in a folder it just created (%s)',
    async (policy) => {
      const names = ['a.bin', 'b.bin'];
      await rig.put('new/a.bin', small);
      await rig.put('new/b.bin', large);
      const targets = names.map((name) => path.join(rig.fetchDir, 'new', name));
      rig.wrapClient = (client) => ({
        ...client,
        getObject: async (input, options) => {
          const target = path.join(rig.fetchDir, ...input.key.split('/'));
          if (!existsSync(target)) writeFileSync(target, 'mine');
          return await client.getObject(input, options);
        },
      });
      const jobId = await rig.download([{ kind: 'prefix', prefix: '' }], policy);
      const counts = { ask: { asking: 2 }, skip: { skipped: 2 }, rename: { done: 2 } }[policy];
      expect(await rig.settle(jobId)).toMatchObject({ items: counts });
      for (const target of targets) expect(readFileSync(target, 'utf8')).toBe('mine');
      const others = policy === 'rename' ? ['a (2).bin', 'b (2).bin'] : [];
      expect(readdirSync(path.join(rig.fetchDir, 'new')).filter((name) => !name.startsWith('.'))).toEqual(
        [...others, ...names].toSorted(),
      );
    },
  );

  test('does not request objects that are already there', async () => {
    for (const name of ['a', 'b', 'c']) await rig.put(`new/${name}`, small);
    mkdirSync(path.join(rig.fetchDir, 'new'));
    writeFileSync(path.join(rig.fetchDir, 'new', 'b'), small);
    const got: string[] = [];
    rig.wrapClient = (client) => ({
      ...client,
      getObject: async (input, options) => {
        got.push(input.key);
        return await client.getObject(input, options);
      },
    });
    await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }], 'skip'));
    expect(got.toSorted(), 'what is there already is not fetched').toEqual(['new/a', 'new/c']);
  });

  test('starts again if the object changes meanwhile', async () => {
    const next = bytesOf(400 * KiB, 8);
    await rig.put('a.bin', large);
    let asked = 0;
    rig.wrapClient = (client) => ({
      ...client,
      getObject: async (input, options) => {
        asked += 1;
        if (asked === 3) await rig.put('a.bin', next);
        return await client.getObject(input, options);
      },
    });
    const job = await rig.settle(await rig.download([{ kind: 'key', key: 'a.bin' }]));
    expect(job.state).toBe('done');
    expect(readFileSync(path.join(rig.fetchDir, 'a.bin'))).toEqual(next);
    expect(readdirSync(rig.fetchDir)).toEqual(['a.bin']);
  });

  test.each([
    ["a proxy's page", { kind: 'ok-html', apply: false }],
    ['an error with status 200', { kind: 'ok-with-error', code: 'InternalError' }],
    ['an empty body', { kind: 'ok-empty', apply: false }],
  ] as const)('never takes %s for the object, even if its ETag proves nothing', async (_what, action) => {
    const ref = { bucket: rig.bucket, key: 'a.bin' };
    const { uploadId } = await rig.client.createMultipartUpload(ref);
    const body = { sizeBytes: small.byteLength, open: () => small };
    const { etag } = await rig.client.uploadPart({ ...ref, uploadId, partNumber: 1, body });
    await rig.client.completeMultipartUpload({ ...ref, uploadId, parts: [{ partNumber: 1, etag }] });
    rig.service.faults.add({ operation: 'GetObject', action });
    const jobId = await rig.download([{ kind: 'prefix', prefix: '' }]);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(readFileSync(path.join(rig.fetchDir, 'a.bin')).equals(small)).toBe(true);
  });

  test('never takes a body of another length with the same ETag for the object', async () => {
    await rig.put('a.bin', small, {});
    let isFirst = true;
    rig.wrapClient = (client) => ({
      ...client,
      getObject: async (input, options) => {
        const response = await client.getObject(input, options);
        if (!isFirst) return response;
        isFirst = false;
        await rig.put('b.bin', small.subarray(1));
        const { ifMatch: _ofTheFirst, ...plain } = input;
        const other = await client.getObject({ ...plain, key: 'b.bin' }, options);
        response.body.destroy();
        return Object.assign(other, { etag: response.etag, headers: underKey('k') });
      },
    });
    const jobId = await rig.download([{ kind: 'prefix', prefix: '' }]);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(readFileSync(path.join(rig.fetchDir, 'a.bin')).equals(small)).toBe(true);
  });

  test('of an object that was overwritten ends with the new one, also if If-Match is ignored', async () => {
    await rig.put('a.bin', small);
    let isFirst = true;
    rig.wrapClient = (client) => ({
      ...client,
      getObject: async ({ ifMatch: _passedOver, ...input }, options) => {
        if (isFirst) await rig.put('a.bin', small.subarray(1));
        isFirst = false;
        return await client.getObject(input, options);
      },
    });
    const jobId = await rig.download([{ kind: 'prefix', prefix: '' }]);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(rig.items(jobId)).toMatchObject([{ sizeBytes: small.byteLength - 1, verified: true }]);
    expect(readFileSync(path.join(rig.fetchDir, 'a.bin')).equals(small.subarray(1))).toBe(true);
  });

  test('leaves no partial file when cancelled', async () => {
    await rig.put('a.bin', large);
    let jobId = '';
    let asked = 0;
    rig.wrapClient = (client) => ({
      ...client,
      getObject: async (input, options) => {
        asked += 1;
        if (asked === 3) rig.uploads.jobs.send(jobId, { kind: 'cancel' });
        return await client.getObject(input, options);
      },
    });
    jobId = await rig.download([{ kind: 'key', key: 'a.bin' }]);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'cancelled' });
    expect(readdirSync(rig.fetchDir)).toEqual([]);
  });

  test('leaves no partial file when cancelled just before a crash, after the restart', async () => {
    await rig.put('a.bin', large);
    await rig.put('b.txt', small);
    rig.service.faults.add({
      key: 'b.txt',
      times: 1000,
      action: { kind: 'status', status: 503, code: 'SlowDown' },
    });
    const requests = Promise.withResolvers<void>();
    let asked = 0;
    rig.wrapClient = (client) => ({
      ...client,
      getObject: async (input, options) => {
        asked += 1;
        if (asked === 4) requests.resolve();
        return await client.getObject(input, options);
      },
    });
    const jobId = await rig.download([
      { kind: 'key', key: 'a.bin' },
      { kind: 'key', key: 'b.txt' },
    ]);
    await requests.promise;
    // Leaves a partial file as a crash while writing does.
    writeFileSync(path.join(rig.fetchDir, `.cooper-${jobId.slice(0, 13)}-1.part`), 'half');
    rig.uploads.jobs.send(jobId, { kind: 'cancel' });
    expect(readdirSync(rig.fetchDir)).toHaveLength(2);
    await rig.restart();
    expect(await rig.settle(jobId)).toMatchObject({ state: 'cancelled', outcome: null });
    expect(readdirSync(rig.fetchDir)).toEqual([]);
  });

  test("restores the object's own time if no file time is stored", async () => {
    await rig.put('a.txt', small);
    await rig.settle(await rig.download([{ kind: 'key', key: 'a.txt' }]));
    const head = await rig.client.headObject({ bucket: rig.bucket, key: 'a.txt' });
    expect(statSync(path.join(rig.fetchDir, 'a.txt')).mtimeMs).toBe(Date.parse(head.lastModified ?? ''));
  });
});
