import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import {
  md5Of,
  startCrookedDownload,
  type CrookedDownload,
  type CrookedPlan,
} from '../../support/servers/crooked-download.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { pieceBytes, TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB, rigKeys, rushingDeps } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
let server: CrookedDownload | null = null;
let crooked: S3Client | null = null;
beforeEach(async () => {
  rig = await TransferRig.start();
});
afterEach(async () => {
  await crooked?.close();
  await server?.close();
  await rig.close();
});

const small = bytesOf(40 * KiB, 3);
const large = bytesOf(10 * pieceBytes + 7, 4);
const sizes = [
  ['a small object', small],
  ['a large object', large],
] as const;

async function serve(bytes: Buffer, plan: CrookedPlan): Promise<CrookedDownload> {
  server = await startCrookedDownload('a.bin', bytes, plan);
  const client = realClient({ endpoint: server.endpoint, keys: rigKeys }, rushingDeps(rig.clock, {}));
  crooked = client;
  rig.wrapClient = () => client;
  return server;
}

async function download(): Promise<Job> {
  return await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }]));
}

function fetched(): Buffer {
  expect(readdirSync(rig.fetchDir)).toEqual(['a.bin']);
  return readFileSync(path.join(rig.fetchDir, 'a.bin'));
}

describe('a download whose connection breaks', () => {
  test.each([
    ['small', small, 7 * KiB],
    ['large', large, 5 * KiB],
  ] as const)(
    'repeatedly resumes at the byte reached until a %s object is complete',
    async (_name, bytes, cut) => {
      const service = await serve(bytes, { cutAfterBytes: cut });
      const job = await download();
      expect(job).toMatchObject({ state: 'done' });
      expect(fetched().equals(bytes)).toBe(true);
      expect(service.sentBytes).toBe(bytes.byteLength);
      expect(service.gets.every((headers) => headers['if-match'] === `"${md5Of(bytes)}"`)).toBe(true);
      expect(rig.items(job.id)).toMatchObject([{ verified: true }]);
      const attempts = rig.uploads.jobs.attempts(job.id, null, 1000);
      expect(attempts.filter(({ request }) => request === 'get-object').length).toBeGreaterThanOrEqual(
        service.gets.length,
      );
    },
  );

  test('keeps its bytes over every wait of the job and counts only attempts without progress', async () => {
    // The client gives up after its attempts, but the job continues later, more often than an item may fail.
    const service = await serve(large, { cutAfterBytes: 3 * KiB, isBusy: (get) => get % 25 >= 5 });
    expect(await download()).toMatchObject({ state: 'done' });
    expect(fetched().equals(large)).toBe(true);
    expect(service.sentBytes).toBe(large.byteLength);
  });

  test.each([
    ['another ETag', bytesOf(large.byteLength, 5)],
    ['another length', bytesOf(large.byteLength - 9, 5)],
  ])('starts again if the object has %s when the download continues', async (_what, next) => {
    await serve(large, {
      cutAfterBytes: (get) => (get < 9 ? 9 * KiB : Infinity),
      beforeGet: (get) => (get === 7 ? { bytes: next } : null),
    });
    expect(await download()).toMatchObject({ state: 'done' });
    expect(fetched().equals(next)).toBe(true);
  });
});

describe('a download without Content-Length', () => {
  test.each([...sizes, ['nothing', Buffer.alloc(0)] as const])('of %s is complete', async (_name, bytes) => {
    await serve(bytes, { isChunked: true });
    expect(await download()).toMatchObject({ state: 'done' });
    expect(fetched().equals(bytes)).toBe(true);
  });
});

describe('a service that ignores ranges', () => {
  test.each([{}, { isChunked: true }, { etag: '"0123456789abcdef0123456789abcdef-3"' }])(
    'sends a large object in one response from its start: %j',
    async (plan) => {
      await serve(large, { ...plan, ignoresRanges: true });
      expect(await download()).toMatchObject({ state: 'done' });
      expect(fetched().equals(large)).toBe(true);
    },
  );

  test('and whose connection breaks never leads to a mix of two objects', async () => {
    const next = bytesOf(large.byteLength, 9);
    await serve(large, {
      ignoresRanges: true,
      cutAfterBytes: (get) => (get < 6 ? 100 * KiB : Infinity),
      beforeGet: (get) => (get === 4 ? { bytes: next } : null),
    });
    expect(await download()).toMatchObject({ state: 'done' });
    expect(fetched().equals(next)).toBe(true);
  });
});

/** Returns the job's only item. */
function itemOf(job: Job) {
  const [item] = rig.items(job.id);
  if (item === undefined) throw new Error('The job has no item.');
  return item;
}

/** Returns the bytes with one of them changed. */
function flipped(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes);
  other[5] = (other[5] ?? 0) ^ 1;
  return other;
}

describe('an object that arrives damaged each time', () => {
  const damages = [
    ['small', small, 'md5', md5Of(small), md5Of(flipped(small)), {}],
    ['large', large, 'md5', md5Of(large), md5Of(flipped(large)), {}],
    ['large, without ranges,', large, 'md5', md5Of(large), md5Of(flipped(large)), { ignoresRanges: true }],
  ] as const;
  test.each(damages)(
    '(%s) is read three times, then reports what differs and is kept only on request',
    async (_name, bytes, compared, expected, got, plan) => {
      const service = await serve(bytes, { ...plan, sent: flipped });
      const job = await download();
      expect(job).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
      expect(itemOf(job).error).toMatchObject({
        code: 'damaged',
        difference: { what: compared, expected, got },
      });
      expect(readdirSync(rig.fetchDir).filter((name) => !name.startsWith('.'))).toEqual([]);
      const whole = service.gets.filter(({ range }) => range === undefined || range.startsWith('bytes=0-'));
      expect(whole.length).toBeLessThanOrEqual(4);

      rig.transfers.keepUnverified(job.id, itemOf(job).seq);
      const kept = await rig.settle(job.id);
      expect(kept).toMatchObject({ state: 'done', items: { done: 1, failed: 0, noted: 1 } });
      expect(itemOf(kept)).toMatchObject({
        verified: false,
        note: 'unverified',
        localName: 'a (unverified).bin',
      });
      expect(readdirSync(rig.fetchDir)).toEqual(['a (unverified).bin']);
      expect(readFileSync(path.join(rig.fetchDir, 'a (unverified).bin')).equals(flipped(bytes))).toBe(true);
    },
  );

  test('by its length is reported, also without a stated length, and kept as received', async () => {
    const short = small.subarray(0, 1000);
    await serve(small, { isChunked: true, ignoresRanges: true, etag: '"opaque"', sent: () => short });
    const job = await download();
    expect(itemOf(job).error).toMatchObject({
      code: 'damaged',
      difference: { what: 'length', expected: String(small.byteLength), got: '1000' },
    });
    rig.transfers.keepUnverified(job.id, itemOf(job).seq);
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done' });
    expect(readFileSync(path.join(rig.fetchDir, 'a (unverified).bin')).equals(short)).toBe(true);
  });

  test('is detected by its whole checksum if its ETag proves nothing', async () => {
    const headers = { 'x-amz-checksum-crc32': Buffer.from([0, 0, 0, 1]).toString('base64') };
    const { gets } = await serve(small, { etag: '"opaque"', headers });
    expect(itemOf(await download()).error).toMatchObject({
      code: 'damaged',
      difference: { what: 'checksum', expected: 'CRC32 AAAAAQ==' },
    });
    expect(gets[0]).toMatchObject({ 'x-amz-checksum-mode': 'ENABLED' });
  });

  test('gets its final name if a retry finally reads it intact', async () => {
    let isDamaged = true;
    await serve(large, { sent: (bytes) => (isDamaged ? flipped(bytes) : bytes), ignoresRanges: true });
    const job = await download();
    isDamaged = false;
    rig.transfers.keepUnverified(job.id, itemOf(job).seq);
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done' });
    expect(itemOf(job)).toMatchObject({ verified: true, note: null });
    expect(fetched().equals(large)).toBe(true);
  });

  test('is read again after it was replaced, whatever was damaged before', async () => {
    const next = bytesOf(small.byteLength, 6);
    // Two reads of the first object and one of the second.
    let damagedReads = 3;
    await serve(small, {
      beforeGet: (get) => (get === 3 ? { bytes: next } : null),
      sent: (bytes) => ((damagedReads -= 1) >= 0 ? flipped(bytes) : bytes),
    });
    expect(await download()).toMatchObject({ state: 'done' });
    expect(fetched().equals(next)).toBe(true);
  });

  test('leaves nothing on disk after Clear', async () => {
    await serve(large, { sent: flipped });
    const job = await download();
    expect(readdirSync(rig.fetchDir), 'a whole one is kept for the user').toHaveLength(1);
    expect(await rig.uploads.jobs.clear([job.id])).toBe(1);
    expect(readdirSync(rig.fetchDir)).toEqual([]);
  });

  test('leaves nothing on disk after a retry', async () => {
    let isDamaged = true;
    await serve(large, { sent: (bytes) => (isDamaged ? flipped(bytes) : bytes) });
    const job = await download();
    expect(readdirSync(rig.fetchDir), 'a whole one is kept for the user').toHaveLength(1);
    isDamaged = false;
    rig.transfers.retryFailed(job.id);
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done' });
    expect(fetched().equals(large)).toBe(true);
  });

  test('is the only kind that can be kept unverified', async () => {
    await serve(small, {});
    const job = await download();
    expect(() => rig.transfers.keepUnverified(job.id, itemOf(job).seq)).toThrow('damaged');
  });
});
