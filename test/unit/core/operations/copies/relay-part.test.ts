import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { CopyContext } from '../../../../../electron/core/operations/copies/copy-context.ts';
import { checksumOf, type PartChecksums } from '../../../../../electron/core/disk/checksums.ts';
import { relayPart, type RelayedPart } from '../../../../../electron/core/operations/copies/relay-part.ts';
import { SourceReader } from '../../../../../electron/core/operations/copies/source-reader.ts';
import { ConditionMemory } from '../../../../../electron/core/s3/model/condition-memory.ts';
import type { ObjectHead } from '../../../../../electron/core/s3/model/object-types.ts';
import { checksumMemory } from '../../../../support/core/checksum-memory.ts';
import type { S3Client } from '../../../../../electron/core/s3/model/s3-client.ts';
import { newCopyItem } from '../../../../../electron/core/transfers/items/transfer-item.ts';

const MiB = 1024 * 1024;
/** Exceeds what the relay holds in memory. */
const sizeBytes = 33 * MiB;
const part = { partNumber: 1, range: { firstByte: 0, lastByte: sizeBytes - 1 }, sizeBytes };
const source: ObjectHead = {
  sizeBytes,
  etag: '"0"',
  lastModified: null,
  contentType: null,
  storageClass: null,
  versionId: null,
  metadata: {},
  headers: {},
};
const item = newCopyItem({
  seq: 0,
  key: 'a',
  targetKey: 'a',
  versionId: null,
  kind: 'file',
  sizeBytes,
  etag: null,
  modifiedAt: null,
});

/** A target whose part ETags are not the MD5 of the bytes, as with encryption. */
function contextWith(etagHidesMd5: boolean, named?: (bytes: Buffer) => PartChecksums): CopyContext {
  const checksums = checksumMemory();
  if (named !== undefined) checksums.learn({}, { 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' });
  const client = {
    conditions: new ConditionMemory(),
    checksums,
    getObject: () => Promise.resolve({ ...source, contentRange: null, body: Readable.from(chunks()) }),
    uploadPart: async ({ body, checksums: sent }: Parameters<S3Client['uploadPart']>[0]) => {
      const opened = body.open();
      if (!(opened instanceof Readable)) throw new Error('It is held in memory.');
      const bytes = await buffer(opened);
      expect(sent).toEqual({});
      return {
        etag: `"${createHash('md5').update('encrypted').digest('hex')}"`,
        checksums: named?.(bytes) ?? {},
        etagHidesMd5,
      };
    },
  };
  return {
    client,
    target: client,
    job: { bucket: 'from' },
    to: { connectionId: 'c', bucket: 'to' },
    limiter: { take: () => Promise.resolve() },
    signal: new AbortController().signal,
    log: () => undefined,
  } as unknown as CopyContext;
}

async function relay(context: CopyContext): Promise<RelayedPart> {
  return await relayPart(context, item, new SourceReader(context, item, source), 'u', {
    ...part,
    algorithm: null,
  });
}

function* chunks(): Generator<Uint8Array> {
  for (let at = 0; at < sizeBytes; at += MiB) yield new Uint8Array(MiB);
}

function crcOf(bytes: Buffer): PartChecksums {
  return { crc64nvme: checksumOf('crc64nvme', bytes) };
}

describe('a part relayed from one service to another', () => {
  test('fails as damaged if its ETag is the MD5 of other bytes', async () => {
    await expect(relay(contextWith(false))).rejects.toMatchObject({
      error: { code: 'damaged', reason: 'content-damaged' },
    });
  });

  test('is accepted without an MD5 check if the target encrypts with a key', async () => {
    const { etag, md5 } = await relay(contextWith(true));
    expect(md5).toBe(createHash('md5').update(new Uint8Array(sizeBytes)).digest('hex'));
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/u);
  });

  test('is proved by the CRC-64 of a part too large to hold, if the target reports one', async () => {
    const { isProved, checksums } = await relay(contextWith(true, crcOf));
    expect(isProved).toBe(true);
    expect(checksums).toEqual(crcOf(Buffer.alloc(sizeBytes)));
  });

  test('fails as damaged if the target reports the CRC-64 of other bytes', async () => {
    await expect(relay(contextWith(true, (bytes) => crcOf(bytes.subarray(1))))).rejects.toMatchObject({
      error: { code: 'damaged', reason: 'content-damaged' },
    });
  });

  test('keeps the CRC-64 of its content if the target reports none for a part', async () => {
    const { isProved, checksums } = await relay(contextWith(true, () => ({})));
    expect(isProved).toBe(false);
    expect(checksums).toHaveProperty('crc64nvme');
  });
});
