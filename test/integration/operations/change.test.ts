import { describe, expect, test } from 'vitest';
import type { ChangePatch, SelectionItem } from '../../../shared/models/operations.ts';
import { damagingClient, type Damaging } from '../../support/core/damaging-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';
import { KmsService, underKey } from '../../support/servers/kms-service.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

async function change(items: readonly SelectionItem[], patch: ChangePatch) {
  return await rig.settle(
    rig.operations.change({ connectionId: 'c', bucket: rig.bucket }, items, patch).jobId,
  );
}

async function put(key: string, bytes: Buffer): Promise<void> {
  await rig.client.putObject({
    bucket: rig.bucket,
    key,
    contentType: 'text/plain',
    cacheControl: 'max-age=1',
    contentDisposition: 'inline',
    contentLanguage: 'en',
    headers: { expires: 'Wed, 21 Oct 2026 07:28:00 GMT', 'x-amz-tagging': 'colour=red' },
    metadata: { owner: 'Zoë', mtime: '1.5' },
    body: { sizeBytes: bytes.byteLength, open: () => bytes },
  });
}

async function description(key: string) {
  const head = await rig.client.headObject({ bucket: rig.bucket, key });
  const { 'cooper-upload': _token, ...metadata } = head.metadata;
  const tags = await rig.client.getObjectTags({ bucket: rig.bucket, key });
  return {
    contentType: head.contentType,
    cacheControl: head.headers['cache-control'],
    contentDisposition: head.headers['content-disposition'],
    contentLanguage: head.headers['content-language'],
    expires: head.headers['expires'],
    storageClass: head.storageClass,
    metadata,
    tags: Object.fromEntries(tags.map(({ key: name, value }) => [name, value])),
  };
}

const before = {
  contentType: 'text/plain',
  cacheControl: 'max-age=1',
  contentDisposition: 'inline',
  contentLanguage: 'en',
  expires: 'Wed, 21 Oct 2026 07:28:00 GMT',
  storageClass: null,
  metadata: { owner: 'Zoë', mtime: '1.5' },
  tags: { colour: 'red' },
};
const none = { replaceAll: false, set: {}, remove: [] };

describe.each([
  ['a small object', 100],
  ['an object that is copied in parts', 2 * copyBytes + 5],
])('changing %s', (_name, size) => {
  const bytes = bytesOf(size, size);
  const changes: readonly (readonly [
    string,
    ChangePatch,
    Partial<typeof before> | { storageClass: string },
  ])[] = [
    ['its type', { contentType: 'image/png' }, { contentType: 'image/png' }],
    ['a header', { cacheControl: 'no-store' }, { cacheControl: 'no-store' }],
    ['its class', { storageClass: 'COLD' }, { storageClass: 'COLD' }],
    ['its expiry', { expires: '2030-01-01T00:00:00Z' }, { expires: 'Tue, 01 Jan 2030 00:00:00 GMT' }],
    [
      'a value of its metadata',
      { metadata: { ...none, set: { Owner: 'Jürgen' } } },
      { metadata: { owner: 'Jürgen', mtime: '1.5' } },
    ],
    [
      'its tags',
      { tags: { ...none, set: { size: 'big one' } } },
      { tags: { colour: 'red', size: 'big one' } as never },
    ],
  ];
  test.each(changes)('to %s changes nothing else', async (_what, patch, after) => {
    await put('k', bytes);
    expect(await change([{ kind: 'key', key: 'k' }], patch)).toMatchObject({
      kind: 'change',
      state: 'done',
      outcome: 'changed',
    });
    expect(await description('k')).toEqual({ ...before, ...after });
    expect((await rig.object('k'))?.equals(bytes)).toBe(true);
    expect((await rig.client.listMultipartUploads({ bucket: rig.bucket })).uploads).toEqual([]);
  });

  test('by removing properties removes only those', async () => {
    await put('k', bytes);
    const patch: ChangePatch = {
      cacheControl: null,
      expires: null,
      metadata: { ...none, remove: ['OWNER'] },
      tags: { ...none, remove: ['colour'] },
    };
    expect((await change([{ kind: 'key', key: 'k' }], patch)).state).toBe('done');
    expect(await description('k')).toEqual({
      ...before,
      cacheControl: undefined,
      expires: undefined,
      metadata: { mtime: '1.5' },
      tags: {},
    });
  });
});

describe('changing properties', () => {
  test('to the same values sends no copy', async () => {
    await put('k', bytesOf(5, 1));
    rig.service.faults.clear();
    const job = await change([{ kind: 'key', key: 'k' }], {
      contentType: 'text/plain',
      tags: { ...none, set: { colour: 'red' } },
    });
    expect(job.state).toBe('done');
    expect(rig.items(job.id)).toMatchObject([{ note: 'same' }]);
    expect(rig.service.faults.journal.map(({ method }) => method)).not.toContain('PUT');
  });

  test('of tags only rewrites no object', async () => {
    await put('k', bytesOf(5, 1));
    rig.service.faults.clear();
    await change([{ kind: 'key', key: 'k' }], { tags: { replaceAll: true, set: { a: 'b' }, remove: [] } });
    expect((await description('k')).tags).toEqual({ a: 'b' });
    expect(rig.service.faults.journal.map(({ operation }) => operation)).not.toContain('CopyObject');
  });

  test('of many objects reaches each despite a lost response', async () => {
    for (let index = 0; index < 30; index += 1) await put(`d/${index}`, bytesOf(index, index));
    rig.service.faults.add({
      operation: 'CopyObject',
      nth: 3,
      times: 5,
      action: { kind: 'reset', apply: true },
    });
    expect(await change([{ kind: 'prefix', prefix: 'd/' }], { contentType: 'a/b' })).toMatchObject({
      state: 'done',
      items: { done: 30 },
    });
    for (let index = 0; index < 30; index += 1)
      expect((await description(`d/${index}`)).contentType).toBe('a/b');
  });

  test.each([
    ['copyObject', 5],
    ['uploadPartCopy', 2 * copyBytes + 5],
    ['completeMultipartUpload', 2 * copyBytes + 5],
  ] as const)(
    'does not write old properties over an object that appears before %s',
    async (operation, size) => {
      await put('k', bytesOf(size, 1));
      rig.writtenBefore(operation, 'k', bytesOf(7, 2), { fresh: 'yes' });
      expect((await change([{ kind: 'key', key: 'k' }], { contentType: 'a/b' })).state).toBe('done');
      expect(await description('k')).toMatchObject({ metadata: { fresh: 'yes' }, contentType: 'a/b' });
      expect((await rig.object('k'))?.equals(bytesOf(7, 2))).toBe(true);
      expect((await rig.client.listMultipartUploads({ bucket: rig.bucket })).uploads).toEqual([]);
    },
  );
});

describe('creating a folder', () => {
  test('makes an empty object with a trailing delimiter, once', async () => {
    const place = { connectionId: 'c', bucket: rig.bucket, prefix: 'a/', name: 'neu ü' };
    expect(await rig.operations.createFolder(place, undefined)).toEqual({ key: 'a/neu ü/', created: true });
    await rig.put('a/neu ü/x', bytesOf(1, 1));
    expect(await rig.operations.createFolder(place, undefined)).toEqual({ key: 'a/neu ü/', created: false });
    expect((await rig.object('a/neu ü/'))?.byteLength).toBe(0);
  });

  test('is refused if the key would be too long', async () => {
    const place = { connectionId: 'c', bucket: rig.bucket, prefix: '', name: 'ü'.repeat(512) };
    await expect(rig.operations.createFolder(place, undefined)).rejects.toThrow(/1024/);
  });
});

function refuseCopies(): void {
  rig.service.faults.add({
    operation: ['CopyObject', 'UploadPartCopy'],
    times: Infinity,
    action: { kind: 'status', status: 501, code: 'NotImplemented' },
  });
}

describe('on a service without CopyObject', () => {
  const sizes = [0, 300, copyBytes + 7];

  test.each(sizes)('an object of %i bytes gets its new metadata through this computer', async (size) => {
    await rig.reset();
    const bytes = bytesOf(size, 1);
    await put('a.txt', bytes);
    refuseCopies();
    const job = await change([{ kind: 'key', key: 'a.txt' }], { contentType: 'text/x-note' });
    expect(job).toMatchObject({ state: 'done', items: { done: 1 } });
    rig.service.faults.clear();
    expect(await description('a.txt')).toEqual({ ...before, contentType: 'text/x-note' });
    expect((await rig.object('a.txt'))?.equals(bytes)).toBe(true);
  });

  test.each(sizes.slice(1))('an object of %i bytes stays if each of its parts is damaged', async (size) => {
    await rig.reset();
    const bytes = bytesOf(size, 2);
    await put('a.txt', bytes);
    refuseCopies();
    const plan: Damaging = { damage: 'flips one bit', left: Infinity, damaged: 0 };
    rig.wrapClient = (client) => damagingClient(client, plan);
    await rig.restart();
    const job = await change([{ kind: 'key', key: 'a.txt' }], { contentType: 'text/x-note' });
    expect(job).toMatchObject({ state: 'needs-attention', items: { failed: 1 } });
    expect(plan.damaged).toBeGreaterThan(0);
    rig.service.faults.clear();
    expect(await description('a.txt')).toEqual(before);
    expect((await rig.object('a.txt'))?.equals(bytes)).toBe(true);
  });

  test('an object is not touched, and no upload is left, if nothing would prove its new bytes', async () => {
    await rig.reset();
    const bytes = bytesOf(300, 3);
    await put('a.txt', bytes);
    refuseCopies();
    const kms = new KmsService({ hidesEtags: true });
    kms.encrypted.set(`${rig.bucket}/a.txt`, underKey('key-1'));
    rig.wrapClient = (client) => kms.around(client);
    await rig.restart();
    const job = await change([{ kind: 'key', key: 'a.txt' }], { contentType: 'text/x-note' });
    expect(job).toMatchObject({ state: 'needs-attention', items: { failed: 1 } });
    expect(rig.items(job.id)).toMatchObject([{ error: { code: 'unsupported' } }]);
    rig.wrapClient = (client) => client;
    await rig.restart();
    rig.service.faults.clear();
    expect(await description('a.txt')).toEqual(before);
    expect((await rig.object('a.txt'))?.equals(bytes)).toBe(true);
    expect((await rig.client.listMultipartUploads({ bucket: rig.bucket })).uploads).toEqual([]);
  });
});
