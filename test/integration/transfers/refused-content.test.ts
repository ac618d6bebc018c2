import { beforeEach, describe, expect, test } from 'vitest';
import { failure } from '../../../shared/errors.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { copyBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, smallestPart } from '../../support/core/uploads-rig.ts';
import { KmsService, underKey } from '../../support/servers/kms-service.ts';

/** Tests a CompleteMultipartUpload that the service refuses because the content differs from its checksum. */
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

const bytes = bytesOf(3 * smallestPart + 5, 1);
const parts = 2;

const refusals: readonly (readonly [code: string, message: string])[] = [
  ['BadDigest', 'The digest you specified did not match.'],
  ['InvalidDigest', 'The Content-MD5 you specified was invalid.'],
  ['XAmzContentChecksumMismatch', 'The provided checksum does not match what was computed.'],
  ['XAmzContentSHA256Mismatch', 'The provided SHA-256 does not match.'],
  ['BadRequest', 'The CRC64NVME you specified did not match the calculated checksum.'],
];

function refuseComplete([code, message]: readonly [string, string], times: number): void {
  rig.service.faults.add({
    operation: 'CompleteMultipartUpload',
    times,
    action: { kind: 'status', status: 400, code, message },
  });
}

async function upload(): Promise<{ readonly items: readonly object[]; readonly state: string }> {
  const job = await rig.settle(await rig.upload([rig.file('a.bin', bytes)]));
  return { items: rig.items(job.id), state: job.state };
}

const asked = (operation: 'CompleteMultipartUpload' | 'UploadPart'): number =>
  rig.service.faults.count(operation);

test.each(refusals)('an upload whose Complete gets %s once is completed', async (...refusal) => {
  refuseComplete(refusal, 1);
  expect((await upload()).items).toMatchObject([{ state: 'done', verified: true }]);
  expect((await rig.object('a.bin'))?.equals(bytes)).toBe(true);
  expect([asked('CompleteMultipartUpload'), asked('UploadPart')]).toEqual([2, parts]);
});

test.each(refusals)('an upload whose Complete gets %s each time needs attention', async (...refusal) => {
  refuseComplete(refusal, Infinity);
  const { items, state } = await upload();
  expect(state).toBe('needs-attention');
  expect(items).toMatchObject([
    { error: { code: 'damaged', reason: 'content-damaged', retry: 'after-fix' } },
  ]);
  expect([asked('CompleteMultipartUpload'), asked('UploadPart')]).toEqual([2, parts]);
  expect(await rig.object('a.bin')).toBeNull();
});

describe('where ETags prove nothing', () => {
  beforeEach(() => {
    const kms = new KmsService({ hidesEtags: true });
    kms.defaults.set(rig.bucket, underKey('key-1'));
    kms.defaults.set(rig.otherBucket, underKey('key-1'));
    rig.wrapClient = (client) => kms.around(client);
  });

  test('the parts are sent again before the Complete is', async () => {
    refuseComplete(['BadDigest', ''], 1);
    expect((await upload()).items).toMatchObject([{ state: 'done' }]);
    expect((await rig.object('a.bin'))?.equals(bytes)).toBe(true);
    expect([asked('CompleteMultipartUpload'), asked('UploadPart')]).toEqual([2, 2 * parts]);
  });

  test('the parts are sent again a few times before the upload needs attention', async () => {
    refuseComplete(['BadDigest', ''], Infinity);
    expect((await upload()).state).toBe('needs-attention');
    expect([asked('CompleteMultipartUpload'), asked('UploadPart')]).toEqual([4, 4 * parts]);
  });
});

test.each([
  [400, 'InvalidRequest', 'Value for x-amz-checksum-crc64nvme header is not supported.'],
  [400, 'InvalidArgument', 'Unknown header x-amz-checksum-type'],
  [501, 'NotImplemented', 'Full object checksums are not implemented.'],
])(
  'a Complete that is refused with its checksum (%d %s) is sent without it',
  async (status, code, message) => {
    rig.client.checksums.learn({}, { 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' });
    rig.service.faults.add({
      operation: 'CompleteMultipartUpload',
      times: Infinity,
      when: ({ headers }) => headers.has('x-amz-checksum-crc64nvme'),
      action: { kind: 'status', status, code, message },
    });
    expect((await upload()).items).toMatchObject([{ state: 'done', verified: true }]);
    expect((await rig.object('a.bin'))?.equals(bytes)).toBe(true);
    expect(asked('CompleteMultipartUpload')).toBe(2);
  },
);

test('an unconditional PUT that gets 412 each time fails and is not sent again and again', async () => {
  rig.service.faults.add({
    operation: 'PutObject',
    times: Infinity,
    action: { kind: 'status', status: 412, code: 'PreconditionFailed' },
  });
  await rig.settle(
    await rig.upload([rig.file('a.bin', bytes.subarray(0, 100))], { onConflict: 'overwrite' }),
  );
  expect(rig.service.faults.count('PutObject')).toBe(1);
});

describe('a move in parts to another service', () => {
  const large = bytesOf(3 * copyBytes + 5, 1);
  /** The size of the parts in which the rig copies between services. */
  const relayedPartBytes = copyBytes / 2;

  test('copies its parts again after two refusals, and is done', async () => {
    await rig.put('a/x', large);
    refuseComplete(['BadDigest', ''], 2);
    expect(await rig.settle(rig.copyToOtherBucket(true, 'other'))).toMatchObject({
      state: 'done',
      outcome: 'moved',
    });
    expect((await rig.object('b/x', rig.otherBucket))?.equals(large)).toBe(true);
    expect(asked('UploadPart')).toBe(2 * Math.ceil(large.length / relayedPartBytes));
  });

  test('keeps its source if the Complete is refused each time, and does not repeat it for long', async () => {
    await rig.put('a/x', large);
    refuseComplete(['BadDigest', ''], Infinity);
    expect(await rig.settle(rig.copyToOtherBucket(true, 'other'))).toMatchObject({
      state: 'needs-attention',
    });
    expect((await rig.object('a/x'))?.equals(large)).toBe(true);
    expect(asked('CompleteMultipartUpload')).toBeLessThanOrEqual(8);
  });
});

test('a Complete refused after one without a response is not repeated before the outcome is known', async () => {
  rig.wrapClient = (client) => {
    let isFirst = true;
    return {
      ...client,
      completeMultipartUpload: async (input, options) => {
        if (!isFirst) throw failure('damaged', 'x', { reason: 'content-damaged', retry: 'backoff', s3 });
        isFirst = false;
        await client.completeMultipartUpload(input, options);
        throw failure('network', 'reset', { retry: 'backoff', outcome: 'unknown' });
      },
    };
  };
  expect((await upload()).items).toMatchObject([{ state: 'done', verified: true }]);
});

const s3 = { status: 400, code: 'BadDigest', message: null, requestId: null };
