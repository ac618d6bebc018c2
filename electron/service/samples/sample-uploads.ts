import { rename, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../core/store/private-file.ts';
import type { Store } from '../store/object-store.ts';
import { measurementsOf, tarOf, waveOf } from './sample-files.ts';
import { seededBytes } from './random.ts';

const mebi = 1024 * 1024;
const partBytes = 5 * mebi;
const dayMs = 86_400_000;

/** Adds the stalled upload of a backup: all parts are stored, only CompleteMultipartUpload is missing. */
export async function wholeUpload(store: Store, bucketId: number, nowMs: number): Promise<void> {
  const modifiedMs = nowMs - 41 * dayMs;
  const archive = tarOf(
    [
      {
        name: 'website/index.html',
        bytes: Buffer.from('<!doctype html><title>Harbour</title><h1>Harbour</h1>\n'),
      },
      { name: 'website/database.bin', bytes: seededBytes('website database', 8 * mebi) },
      { name: 'website/pictures.bin', bytes: seededBytes('website pictures', 3 * mebi - 77_777) },
    ],
    modifiedMs,
  );
  await stalled(store, bucketId, '2026/website.tar', archive, [1, 2, 3], modifiedMs);
}

/** Adds the stalled upload of a recording: part 3 of 4 is missing, and the local file exists. */
export async function gappedUpload(
  store: Store,
  bucketId: number,
  nowMs: number,
  filesDir: string,
): Promise<void> {
  const name = 'harbour at dawn.wav';
  const bytes = waveOf('harbour at dawn', 17 * mebi + 1234);
  await writeSample(filesDir, name, bytes);
  await stalled(store, bucketId, `recordings/${name}`, bytes, [1, 2, 4], nowMs - 12 * dayMs);
}

/**
 * Adds the stalled upload of measurements after its first part. Beside its local file is last year's file, with the same size but
 * other content.
 */
export async function unfinishedUpload(
  store: Store,
  bucketId: number,
  nowMs: number,
  filesDir: string,
): Promise<void> {
  const bytes = measurementsOf(2025, 8 * mebi + 321);
  await writeSample(filesDir, 'buoys-2025.csv', bytes);
  await writeSample(filesDir, 'buoys-2024.csv', measurementsOf(2024, bytes.byteLength));
  await stalled(store, bucketId, 'measurements/buoys-2025.csv', bytes, [1], nowMs - 3 * dayMs);
}

async function stalled(
  store: Store,
  bucketId: number,
  key: string,
  bytes: Buffer,
  parts: readonly number[],
  initiatedMs: number,
): Promise<void> {
  // Aborts uploads that an interrupted earlier run created.
  const before = { prefix: key, delimiter: '', after: null, afterId: null, limit: 10 };
  for (const row of store.uploads.list(bucketId, before).rows) {
    if (row.key === key) store.abortUpload(row.id);
  }
  const uploadId = store.createUpload(bucketId, key, {
    initiatedMs,
    storageClass: 'STANDARD',
    attributes: { headers: { 'content-type': contentTypeOf(key) }, metadata: {} },
    checksumAlgorithm: null,
    checksumType: null,
  });
  for (const part of parts) {
    const slice = bytes.subarray((part - 1) * partBytes, part * partBytes);
    await store.putPartBytes(uploadId, part, slice, initiatedMs + part * 9000);
  }
}

function contentTypeOf(key: string): string {
  if (key.endsWith('.wav')) return 'audio/wav';
  return key.endsWith('.csv') ? 'text/csv' : 'application/x-tar';
}

/** Writes a sample file unless it exists, because the user may have changed it. */
async function writeSample(filesDir: string, name: string, bytes: Buffer): Promise<void> {
  const path = join(filesDir, name);
  if (existsSync(path)) return;
  makePrivateFolder(filesDir);
  await writeFile(`${path}.part`, bytes, { mode: 0o600 });
  await rename(`${path}.part`, path);
}
