import { describe, expect, test } from 'vitest';
import type { ChangePatch, SelectionItem } from '../../../shared/models/operations.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Metadata headers as other programs write them; each character is one byte of the request. */
const received = {
  'x-amz-meta-plain': 'plain',
  'x-amz-meta-utf8': utf8('Größe 北京'),
  'x-amz-meta-latin1': 'Gr\u00f6\u00dfe',
  'x-amz-meta-q-word': '=?UTF-8?Q?caf=C3=A9_au_lait?=',
  'x-amz-meta-b-word': '=?utf-8?b?Y2Fmw6k=?=',
  'x-amz-meta-other-charset': '=?ISO-8859-1?Q?caf=E9?=',
  'x-amz-meta-no-word': '=?UTF-8?B?/////w==?=',
  'x-amz-meta-half': '=?UTF-8?B?broken',
};

const small = bytesOf(9 * KiB, 1);
const large = bytesOf(copyBytes + KiB, 2);
const key = (name: string): SelectionItem => ({ kind: 'key', key: name });

async function put(name: string, bytes: Buffer): Promise<void> {
  await rig.client.putObject({
    bucket: rig.bucket,
    key: name,
    headers: received,
    body: { sizeBytes: bytes.byteLength, open: () => bytes },
  });
}

async function metadataOf(name: string, bucket = rig.bucket): Promise<Readonly<Record<string, string>>> {
  const { headers } = await rig.client.headObject({ bucket, key: name });
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([header]) => header.startsWith('x-amz-meta-') && header !== 'x-amz-meta-cooper-upload',
    ),
  );
}

async function change(name: string, patch: ChangePatch) {
  return await rig.settle(
    rig.operations.change({ connectionId: 'c', bucket: rig.bucket }, [key(name)], patch).jobId,
  );
}

test.each([
  ['small', small],
  ['in parts', large],
])("changing one header keeps an object's metadata byte for byte (%s)", async (_, bytes) => {
  await put('a', bytes);
  expect(await change('a', { cacheControl: 'max-age=7' })).toMatchObject({ state: 'done' });
  expect(await metadataOf('a')).toEqual(received);
});

test('changing one metadata value keeps the others as received, and undo restores all', async () => {
  await put('a', small);
  const job = await change('a', {
    metadata: { replaceAll: false, set: { plain: 'neu: ö' }, remove: ['half'] },
  });
  expect(job).toMatchObject({ state: 'done' });
  const { 'x-amz-meta-half': _, ...rest } = received;
  expect(await metadataOf('a')).toEqual({ ...rest, 'x-amz-meta-plain': '=?UTF-8?B?bmV1OiDDtg==?=' });
  const undone = await rig.undos.undo(rig.undos.state().undo?.id ?? '');
  await rig.settle(undone.jobId ?? '');
  expect(await metadataOf('a')).toEqual(received);
});

test('setting metadata to its displayed values keeps the received bytes', async () => {
  await put('a', small);
  const { metadata } = await rig.client.headObject({ bucket: rig.bucket, key: 'a' });
  expect(
    await change('a', { metadata: { replaceAll: true, set: { ...metadata }, remove: [] } }),
  ).toMatchObject({ state: 'done' });
  expect(await metadataOf('a')).toEqual(received);
});

test.each(['latin1', 'no-word'])(
  'a metadata value that cannot be decoded (%s) is not replaced',
  async (name) => {
    await put('a', small);
    const job = await change('a', { metadata: { replaceAll: false, set: { [name]: 'other' }, remove: [] } });
    expect(job).toMatchObject({ state: 'needs-attention' });
    expect(rig.items(job.id)[0]?.error).toMatchObject({ reason: 'metadata-unreadable' });
    expect(await metadataOf('a')).toEqual(received);
  },
);

describe.each([
  ['small', small],
  ['large', large],
])('a %s object', (_, bytes) => {
  test.each([
    ['a copy', 'c', false],
    ['a move', 'c', true],
    ['a copy to another service', 'other', false],
    ['a move to another service', 'other', true],
  ])('keeps its metadata byte for byte in %s', async (_name, connectionId, isMove) => {
    await put('a', bytes);
    const { jobId } = rig.operations.copy({
      from: { connectionId: 'c', bucket: rig.bucket, basePrefix: '' },
      items: [key('a')],
      to: { connectionId, bucket: rig.otherBucket, prefix: '' },
      options: { onConflict: 'ask', isMove },
    });
    expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'done' });
    expect(await metadataOf('a', rig.otherBucket)).toEqual(received);
  });
});

describe('an object with metadata that the service cannot return', () => {
  test.each([
    ['a change of a header', 'c'],
    ['a copy to another service', 'other'],
  ])('is not rewritten by %s', async (_name, connectionId) => {
    await put('a', small);
    rig.service.faults.add({
      operation: ['HeadObject', 'GetObject'],
      times: Infinity,
      action: {
        kind: 'change-answer',
        change: (made) => ({ ...made, headers: { ...made.headers, 'x-amz-missing-meta': '2' } }),
      },
    });
    const { jobId } =
      connectionId === 'c'
        ? rig.operations.change({ connectionId, bucket: rig.bucket }, [key('a')], {
            cacheControl: 'no-store',
          })
        : rig.operations.copy({
            from: { connectionId: 'c', bucket: rig.bucket, basePrefix: '' },
            items: [key('a')],
            to: { connectionId, bucket: rig.otherBucket, prefix: '' },
            options: { onConflict: 'ask', isMove: false },
          });
    expect(await rig.settle(jobId ?? '')).toMatchObject({ state: 'needs-attention' });
    expect(rig.items(jobId ?? '')[0]?.error).toMatchObject({ reason: 'metadata-missing' });
    expect(rig.service.faults.count('CopyObject') + rig.service.faults.count('PutObject')).toBe(1);
  });
});
