import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/types.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import {
  md5Of,
  startCrookedDownload,
  type CrookedDownload,
  type CrookedPlan,
} from '../../support/crooked-download.ts';
import { realClient } from '../../support/real-client.ts';
import { pieceBytes, TransferRig } from '../../support/transfers-rig.ts';
import { bytesOf, KiB, rigKeys, rushingDeps } from '../../support/uploads-rig.ts';

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

describe('a connection that breaks', () => {
  test.each([
    ['small', small, 7 * KiB],
    ['large', large, 5 * KiB],
  ] as const)('again and again brings a %s object whole, each byte once', async (_name, bytes, cut) => {
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
  });

  test('keeps what has come over every wait of the job, and only tries that bring nothing count', async () => {
    // The client gives up after its own tries, the job goes on later, more often than an item may fail.
    const service = await serve(large, {
      cutAfterBytes: 3 * KiB,
      isBusy: (get) => get % 25 >= 5,
    });
    expect(await download()).toMatchObject({ state: 'done' });
    expect(fetched().equals(large)).toBe(true);
    expect(service.sentBytes).toBe(large.byteLength);
  });

  test.each([
    ['another ETag', bytesOf(large.byteLength, 5)],
    ['another length', bytesOf(large.byteLength - 9, 5)],
  ])('and comes back with an object of %s begins anew', async (_what, next) => {
    await serve(large, {
      cutAfterBytes: (get) => (get < 9 ? 9 * KiB : Infinity),
      beforeGet: (get) => (get === 7 ? { bytes: next } : null),
    });
    expect(await download()).toMatchObject({ state: 'done' });
    expect(fetched().equals(next)).toBe(true);
  });
});

describe('an answer without Content-Length', () => {
  test.each([...sizes, ['nothing', Buffer.alloc(0)] as const])('brings %s whole', async (_name, bytes) => {
    await serve(bytes, { isChunked: true });
    expect(await download()).toMatchObject({ state: 'done' });
    expect(fetched().equals(bytes)).toBe(true);
  });
});

describe('a service that passes over ranges', () => {
  test.each([{}, { isChunked: true }, { etag: '"0123456789abcdef0123456789abcdef-3"' }])(
    'gives a large object in one, from its start: %j',
    async (plan) => {
      await serve(large, { ...plan, ignoresRanges: true });
      expect(await download()).toMatchObject({ state: 'done' });
      expect(fetched().equals(large)).toBe(true);
    },
  );

  test('and whose connection breaks puts no two objects together', async () => {
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
