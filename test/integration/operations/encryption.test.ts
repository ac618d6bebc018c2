import { beforeEach, describe, expect, test } from 'vitest';
import { failure } from '../../../shared/errors.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import {
  KmsService,
  underCustomerKey,
  underKey,
  type EncryptionHeaders,
} from '../../support/servers/kms-service.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, smallestPart } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
let kms: KmsService;

const byService: EncryptionHeaders = { 'x-amz-server-side-encryption': 'AES256' };

rigOfFile((started) => {
  rig = started;
});
beforeEach(() => {
  serve({ hidesEtags: true });
});

function serve(options: { readonly hidesEtags: boolean }): void {
  kms = new KmsService(options);
  rig.wrapClient = (client) => kms.around(client);
}

async function put(key: string, sizeBytes: number, encryption: EncryptionHeaders): Promise<void> {
  await rig.put(key, bytesOf(sizeBytes, 1));
  kms.encrypted.set(`${rig.bucket}/${key}`, encryption);
}

interface How {
  readonly isMove: boolean;
  /** True to copy through this computer to another connection. */
  readonly isRelay?: boolean;
  readonly prefix?: string;
}

function begin(keys: readonly string[], { isMove, isRelay = false, prefix = '' }: How): string {
  const items: SelectionItem[] = keys.map((key) => ({ kind: 'key', key }));
  const { jobId } = rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: '' },
    items,
    to: { connectionId: isRelay ? 'other' : 'c', bucket: rig.otherBucket, prefix },
    options: { onConflict: 'ask', isMove },
  });
  return jobId ?? '';
}

async function carry(keys: readonly string[], how: How) {
  return await rig.settle(begin(keys, how));
}

function notesOf(jobId: string) {
  return rig.items(jobId).map(({ state, note }) => ({ state, note }));
}

const expected = [{ state: 'done', note: 'encryption-changed' }];
const withoutNotes = [{ state: 'done', note: null }];

const ways = [
  ['a small object that is copied', 1000, { isMove: false }],
  ['a small object that is moved', 1000, { isMove: true }],
  ['an object that is copied in parts', copyBytes + 1, { isMove: false }],
  ['an object that is moved in parts', copyBytes + 1, { isMove: true }],
  ['a small object that goes to another connection', 1000, { isMove: true, isRelay: true }],
  ['a large object that goes to another connection', 2 * smallestPart + 1, { isMove: true, isRelay: true }],
] as const;

describe.each(ways)('the KMS key of %s in another bucket', (_name, size, how) => {
  test.each([
    ['nothing', {}],
    ['another algorithm', byService],
    ['another key', underKey('key-2')],
    ['two layers', { ...underKey('key-1'), 'x-amz-server-side-encryption': 'aws:kms:dsse' }],
  ] as const)("is noted as lost if that bucket's default is %s", async (_default, byDefault) => {
    await put('a', size, underKey('key-1'));
    kms.defaults.set(rig.otherBucket, byDefault);
    const job = await carry(['a'], how);
    expect(rig.items(job.id)[0]?.error ?? job.error).toBeNull();
    expect(job).toMatchObject({ state: 'done', outcome: how.isMove ? 'moved' : 'copied' });
    // No encryption was requested, so the default of the target's bucket applies.
    expect(kms.encrypted.get(`${rig.otherBucket}/a`)).toEqual(byDefault);
    expect(notesOf(job.id)).toEqual(expected);
    expect(job.items?.noted).toBe(1);
  });

  test('is not noted if that bucket has the same default key', async () => {
    await put('a', size, underKey('key-1'));
    kms.defaults.set(rig.otherBucket, underKey('key-1'));
    const job = await carry(['a'], how);
    expect(job).toMatchObject({ state: 'done' });
    expect(notesOf(job.id)).toEqual(withoutNotes);
  });
});

test('a customer key lost at another connection is noted', async () => {
  await put('a', 1000, underCustomerKey('digest'));
  const job = await carry(['a'], { isMove: true, isRelay: true });
  expect(job).toMatchObject({ state: 'done' });
  expect(notesOf(job.id)).toEqual(expected);
});

test.each([
  ['a small object', 1000],
  ['an object copied in parts', copyBytes + 1],
])('%s keeps its customer key in another bucket', async (_name, size) => {
  await put('a', size, underCustomerKey('digest'));
  const job = await carry(['a'], { isMove: true });
  expect(kms.encrypted.get(`${rig.otherBucket}/a`)).toEqual(underCustomerKey('digest'));
  expect(notesOf(job.id)).toEqual(withoutNotes);
});

test("an object without its own key is copied without a note, whatever the bucket's default", async () => {
  await put('a', 1000, byService);
  kms.defaults.set(rig.otherBucket, underKey('key-2'));
  const job = await carry(['a'], { isMove: false });
  expect(notesOf(job.id)).toEqual(withoutNotes);
});

describe.each([
  ['on S3, whose ETags are then not MD5s', true],
  ['on a service whose ETags are still MD5s', false],
])('copies of many objects %s', (_name, hidesEtags) => {
  test('are noted where a key was lost, with one extra HEAD only for those', async () => {
    serve({ hidesEtags });
    const keys = Array.from({ length: 25 }, (_, index) => `n-${String(index).padStart(2, '0')}`);
    for (const [index, key] of keys.entries()) await put(key, 10, index % 5 === 0 ? underKey('key-1') : {});
    const job = await carry(keys, { isMove: true });
    expect(job).toMatchObject({ state: 'done', outcome: 'moved' });
    expect(job.items?.noted).toBe(5);
    for (const { key, note } of rig.items(job.id))
      expect([key, note]).toEqual([key, Number(key.slice(2)) % 5 === 0 ? 'encryption-changed' : null]);
    if (hidesEtags) return;
    const looksAtCopies = kms.looks.filter((name) => name.startsWith(`${rig.otherBucket}/`));
    // One more HEAD verifies the copy of the source that the job deletes alone, to learn whether deletions honour conditions.
    expect(looksAtCopies.length).toBe(6);
  });
});

test.each([
  ['a small object', 1000],
  ['an object copied in parts', copyBytes + 1],
])('the lost key of %s is noted also after a crash between copy and deletion', async (_name, size) => {
  await put('a', size, underKey('key-1'));
  const { promise, resolve } = Promise.withResolvers<void>();
  rig.wrapClient = (client) => ({
    ...kms.around(client),
    deleteObject: async () => {
      resolve();
      throw failure('network', 'Cut.', { retry: 'backoff' });
    },
  });
  const jobId = begin(['a'], { isMove: true });
  await promise;
  rig.wrapClient = (client) => kms.around(client);
  await rig.restart();
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', outcome: 'moved' });
  expect(notesOf(jobId)).toEqual(expected);
});

test('a lost key is noted when a copy with a lost response is found', async () => {
  await put('a', 1000, underKey('key-1'));
  serveKeeping({ hidesEtags: false });
  let isCut = false;
  rig.wrapClient = (client) => {
    const around = kms.around(client);
    return {
      ...around,
      copyObject: async (input, options) => {
        const reply = await around.copyObject(input, options);
        if (isCut) return reply;
        isCut = true;
        throw failure('network', 'Cut.', { retry: 'backoff', outcome: 'unknown' });
      },
    };
  };
  const job = await carry(['a'], { isMove: true });
  expect(isCut).toBe(true);
  expect(job).toMatchObject({ state: 'done', outcome: 'moved' });
  expect(notesOf(job.id)).toEqual(expected);
});

/** Replaces the service by one with the same encrypted objects. */
function serveKeeping(options: { readonly hidesEtags: boolean }): void {
  const { encrypted } = kms;
  serve(options);
  for (const [name, encryption] of encrypted) kms.encrypted.set(name, encryption);
}

/** Puts `a`, encrypted with a key, and an unencrypted copy of it made by another client. */
async function copiedBefore(): Promise<void> {
  serve({ hidesEtags: false });
  await put('a', 1000, underKey('key-1'));
  await rig.client.copyObject({
    bucket: rig.otherBucket,
    key: 'x/a',
    source: { bucket: rig.bucket, key: 'a' },
  });
}

test('a move whose copy already exists without the key is noted', async () => {
  await copiedBefore();
  const job = await carry(['a'], { isMove: true, prefix: 'x/' });
  expect(job).toMatchObject({ state: 'done', outcome: 'moved' });
  expect(notesOf(job.id)).toEqual(expected);
});

test('a copy that already exists is not noted while its source stays', async () => {
  await copiedBefore();
  const job = await carry(['a'], { isMove: false, prefix: 'x/' });
  expect(notesOf(job.id)).toEqual([{ state: 'done', note: 'same' }]);
});

test('an unreadable ACL is noted together with the lost key', async () => {
  await put('a', 1000, underKey('key-1'));
  rig.wrapClient = (client) => ({
    ...kms.around(client),
    getObjectAcl: async () =>
      await Promise.reject(
        failure('access-denied', 'You may not.', { retry: 'after-fix', reason: 'denied' }),
      ),
  });
  const job = await carry(['a'], { isMove: true });
  expect(notesOf(job.id)).toEqual([{ state: 'done', note: 'acl-unread-encryption-changed' }]);
});

async function change() {
  const { jobId } = rig.operations.change(
    { connectionId: 'c', bucket: rig.bucket },
    [{ kind: 'key', key: 'a' }],
    { contentType: 'text/x-note' },
  );
  return await rig.settle(jobId);
}

describe.each([
  ['a small object', 1000],
  ['an object rewritten in parts', copyBytes + 1],
])('within its bucket, %s', (_name, size) => {
  test("keeps its key when properties change, whatever the bucket's default", async () => {
    await put('a', size, underKey('key-1'));
    kms.defaults.set(rig.bucket, underKey('key-2'));
    const job = await change();
    expect(kms.encrypted.get(`${rig.bucket}/a`)).toEqual(underKey('key-1'));
    expect(notesOf(job.id)).toEqual(withoutNotes);
  });

  test('is noted without its key if the service ignores the requested one', async () => {
    await put('a', size, underKey('key-1'));
    kms.isDeaf = true;
    expect(notesOf((await change()).id)).toEqual(expected);
  });

  test('is noted without its key also if the response to the change was lost', async () => {
    await put('a', size, underKey('key-1'));
    kms.isDeaf = true;
    let isCut = false;
    const cut = <T>(reply: T): T => {
      if (isCut) return reply;
      isCut = true;
      throw failure('network', 'Cut.', { retry: 'backoff', outcome: 'unknown' });
    };
    rig.wrapClient = (client) => {
      const around = kms.around(client);
      return {
        ...around,
        copyObject: async (input, options) => cut(await around.copyObject(input, options)),
        completeMultipartUpload: async (input, options) =>
          cut(await around.completeMultipartUpload(input, options)),
      };
    };
    const job = await change();
    expect(isCut).toBe(true);
    expect(job).toMatchObject({ state: 'done' });
    expect(notesOf(job.id)).toEqual(expected);
  });
});

describe('a service that refuses to copy encrypted objects in one request', () => {
  beforeEach(() => {
    kms.copiesNoKeyed = true;
  });

  test('gets them copied as a part with tags, and others in one request, conditionally', async () => {
    const bytes = bytesOf(1000, 1);
    await put('a', 1000, underKey('key-1'));
    await put('b', 1000, {});
    await rig.client.putObjectTags({ bucket: rig.bucket, key: 'a', tags: [{ key: 'colour', value: 'red' }] });
    kms.defaults.set(rig.otherBucket, underKey('key-1'));
    const conditions: (string | undefined)[] = [];
    rig.wrapClient = (client) => {
      const around = kms.around(client);
      return {
        ...around,
        copyObject: async (input, options) => {
          if (input.source.key === 'b') conditions.push(input.ifNoneMatch);
          return await around.copyObject(input, options);
        },
      };
    };
    const job = await carry(['a', 'b'], { isMove: true });
    expect(job).toMatchObject({ state: 'done', outcome: 'moved' });
    expect(notesOf(job.id)).toEqual([...withoutNotes, ...withoutNotes]);
    expect((await rig.object('a', rig.otherBucket))?.equals(bytes)).toBe(true);
    expect(await rig.client.getObjectTags({ bucket: rig.otherBucket, key: 'a' })).toEqual([
      { key: 'colour', value: 'red' },
    ]);
    expect(conditions).toEqual(['*']);
  });

  test('gets properties changed in the same way, keeping the key', async () => {
    await put('a', 1000, underKey('key-1'));
    const job = await change();
    expect(job).toMatchObject({ state: 'done' });
    expect(notesOf(job.id)).toEqual(withoutNotes);
    expect(kms.encrypted.get(`${rig.bucket}/a`)).toEqual(underKey('key-1'));
    expect((await rig.client.headObject({ bucket: rig.bucket, key: 'a' })).contentType).toBe('text/x-note');
  });

  test('gets an empty encrypted object copied as an empty part', async () => {
    await put('a', 0, underKey('key-1'));
    kms.defaults.set(rig.otherBucket, underKey('key-1'));
    const job = await carry(['a'], { isMove: true });
    expect(job).toMatchObject({ state: 'done', outcome: 'moved' });
    expect(await rig.keys()).toEqual([]);
    expect(await rig.object('a', rig.otherBucket)).toEqual(Buffer.alloc(0));
  });
});
