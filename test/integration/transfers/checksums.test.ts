import { beforeEach, describe, expect, test } from 'vitest';
import type { SentAlgorithm } from '../../../electron/core/s3/model/service-memory.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import type { PartChecksums } from '../../../electron/core/disk/checksums.ts';
import type { Encryption } from '../../../shared/models/transfers.ts';
import { damagingClient, type Damaging } from '../../support/core/damaging-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB, smallestPart } from '../../support/core/uploads-rig.ts';
import { KmsService } from '../../support/servers/kms-service.ts';

/** Tests uploads to a service that verifies checksums. With KMS, ETags prove nothing, so only a checksum can. */
const encryption: Encryption = { kind: 'kms', keyId: 'key-1' };

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
let kms: KmsService;
/** The checksums of the requests, in order. */
let sent: PartChecksums[];
beforeEach(() => {
  kms = new KmsService({ hidesEtags: true });
  sent = [];
  rig.wrapClient = (client) => kms.around(noting(client));
});

function noting(client: S3Client): S3Client {
  return {
    ...client,
    putObject: async (input, options) => {
      sent.push(input.checksums ?? {});
      return await client.putObject(input, options);
    },
    uploadPart: async (input, options) => {
      sent.push(input.checksums ?? {});
      return await client.uploadPart(input, options);
    },
    completeMultipartUpload: async (input, options) => {
      sent.push(input.checksums ?? {});
      return await client.completeMultipartUpload(input, options);
    },
  };
}

/** Makes the client see a checksum that the service reports for an object of another program. */
async function learn(algorithm: SentAlgorithm): Promise<void> {
  const header = `x-amz-checksum-${algorithm}`;
  const empty = { crc64nvme: 'AAAAAAAAAAA=', crc32c: 'AAAAAA==' }[algorithm];
  const ref = { bucket: rig.bucket, key: 'of another program' };
  await rig.client.putObject({
    ...ref,
    headers: { [header]: empty },
    body: { sizeBytes: 0, open: () => new Uint8Array(0) },
  });
}

async function uploaded(bytes: Buffer): Promise<object | undefined> {
  const job = await rig.settle(
    await rig.upload([rig.file('a.bin', bytes)], { encryption, onConflict: 'overwrite' }),
  );
  return rig.items(job.id)[0];
}

const sizes = [
  ['in one request', 5 * KiB],
  ['in parts', 3 * smallestPart + 5],
] as const;

test.each(sizes)(
  'an upload sends no checksum to a service that has named none, %s',
  async (_how, sizeBytes) => {
    expect(await uploaded(bytesOf(sizeBytes, 1))).toMatchObject({ state: 'done', verified: false });
    expect(sent.flatMap((request) => Object.keys(request))).toEqual([]);
  },
);

describe.each(['crc32c', 'crc64nvme'] as const)('on a service that has named a %s', (algorithm) => {
  beforeEach(async () => {
    await learn(algorithm);
    sent = [];
  });

  test.each(sizes)('a checksum proves an object under KMS sent %s', async (_how, sizeBytes) => {
    const bytes = bytesOf(sizeBytes, 1);
    expect(await uploaded(bytes)).toMatchObject({ state: 'done', verified: true, note: null });
    expect((await rig.object('a.bin'))?.equals(bytes)).toBe(true);
    const parts = sizeBytes > smallestPart ? 2 : 1;
    expect(sent.slice(0, parts).map((request) => Object.keys(request))).toEqual(
      Array.from({ length: parts }, () => [algorithm]),
    );
    const head = await rig.client.headObject({ bucket: rig.bucket, key: 'a.bin', checksums: true });
    expect(head.headers[`x-amz-checksum-${algorithm}`]).toBeDefined();
  });
});

test('CompleteMultipartUpload carries the CRC-64 of the whole object', async () => {
  await learn('crc64nvme');
  sent = [];
  await uploaded(bytesOf(3 * smallestPart + 5, 2));
  const head = await rig.client.headObject({ bucket: rig.bucket, key: 'a.bin', checksums: true });
  expect(head.headers['x-amz-checksum-type']).toBe('FULL_OBJECT');
  expect(sent.at(-1)).toEqual({ crc64nvme: head.headers['x-amz-checksum-crc64nvme'] });
});

test.each(sizes)(
  'an object under KMS whose checksum shows damage is sent again, %s',
  async (_how, sizeBytes) => {
    await learn('crc64nvme');
    const plan: Damaging = { damage: 'flips one bit', left: 2, damaged: 0 };
    // The proxy drops the checksums, but the service reports the checksum of the stored bytes.
    rig.wrapClient = (client) => kms.around(damagingClient(namingChecksums(client), plan));
    const bytes = bytesOf(sizeBytes, 3);
    expect(await uploaded(bytes)).toMatchObject({ state: 'done', verified: true });
    expect(plan.damaged).toBe(2);
    expect((await rig.object('a.bin'))?.equals(bytes)).toBe(true);
  },
);

/** Adds the CRC-64 of the stored bytes to the response of a PUT, as AWS does for each object. */
function namingChecksums(client: S3Client): S3Client {
  return {
    ...client,
    putObject: async (input, options) => {
      const opened = input.body.open();
      if (!(opened instanceof Uint8Array)) throw new Error('Only small bodies.');
      return await client.putObject({ ...input, checksums: client.checksums.of(opened) }, options);
    },
  };
}

test.each(sizes)('an echo of the checksum does not hide another MD5, %s', async (_how, sizeBytes) => {
  await learn('crc64nvme');
  const plan: Damaging = { damage: 'flips one bit', left: 1, damaged: 0 };
  rig.wrapClient = (client) => echoing(damagingClient(client, plan));
  const bytes = bytesOf(sizeBytes, 4);
  const job = await rig.settle(await rig.upload([rig.file('b.bin', bytes)]));
  expect(rig.items(job.id)).toMatchObject([{ state: 'done', verified: true }]);
  expect(plan.damaged).toBe(1);
  expect((await rig.object('b.bin'))?.equals(bytes)).toBe(true);
});

/** Simulates a service that returns the request's checksum without verifying it. */
function echoing(client: S3Client): S3Client {
  return {
    ...client,
    putObject: async (input, options) => ({
      ...(await client.putObject(input, options)),
      checksums: input.checksums ?? {},
    }),
    uploadPart: async (input, options) => ({
      ...(await client.uploadPart(input, options)),
      checksums: input.checksums ?? {},
    }),
  };
}

test('an upload whose object differs from its parts is never called done', async () => {
  await learn('crc64nvme');
  rig.wrapClient = (client) => ({
    ...client,
    completeMultipartUpload: async ({ checksums: _dropped, ...input }, options) => ({
      ...(await client.completeMultipartUpload(input, options)),
      checksums: { crc64nvme: 'AAAAAAAAAAA=' },
    }),
  });
  const job = await rig.settle(await rig.upload([rig.file('c.bin', bytesOf(2 * smallestPart, 5))]));
  expect(rig.items(job.id)).toMatchObject([{ state: 'failed', error: { code: 'damaged' } }]);
});

test.each(sizes)(
  'a service that refuses a checksum gets none, and is remembered, %s',
  async (_how, sizeBytes) => {
    await learn('crc64nvme');
    rig.service.quirks.checksumHeaders = 'refused';
    rig.wrapClient = noting;
    const bytes = bytesOf(sizeBytes, 6);
    for (const name of ['d.bin', 'e.bin']) {
      const job = await rig.settle(await rig.upload([rig.file(name, bytes)]));
      expect(rig.items(job.id)).toMatchObject([{ state: 'done', verified: true }]);
      expect((await rig.object(name))?.equals(bytes)).toBe(true);
    }
    sent = [];
    await rig.settle(await rig.upload([rig.file('f.bin', bytes)]));
    expect(sent.flatMap((request) => Object.keys(request))).toEqual([]);
  },
);
