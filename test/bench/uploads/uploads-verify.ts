import { execFile } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { createHash } from 'node:crypto';
import type { ListedPart } from '../../../electron/core/s3/model/multipart-types.ts';
import { createHashPool } from '../../../electron/core/disk/hash-pool.ts';
import { planUpload } from '../../../electron/core/stalled/plan-resume.ts';
import { minPartBytes } from '../../../shared/models/stalled.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';
import { median, type Figure } from '../report.ts';

const run = promisify(execFile);
const MiB = 1024 * 1024;

/** Creates a file of this size that is in the page cache, and returns the MD5 of each of its parts. */
export async function bigFile(
  folder: string,
  sizeMiB: number,
  partMiB: number,
): Promise<{ file: string; md5s: string[] }> {
  const file = path.join(folder, `big-${sizeMiB}.bin`);
  const stream = createWriteStream(file);
  const block = bytesOf(MiB, 3);
  const md5s: string[] = [];
  let hash = createHash('md5');
  for (let index = 0; index < sizeMiB; index += 1) {
    const bytes = Buffer.from(block);
    bytes.writeUInt32LE(index, 0);
    hash.update(bytes);
    if ((index + 1) % partMiB === 0 || index === sizeMiB - 1) {
      md5s.push(hash.digest('hex'));
      hash = createHash('md5');
    }
    if (!stream.write(bytes)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
  return { file, md5s };
}

/** Verifies a 2 GiB file against its parts, compared with one md5sum of the same file. */
export async function uploadsVerifyBench(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-bench-'));
  const hasher = createHashPool();
  try {
    const sizeMiB = 2048;
    const partMiB = 16;
    const { file, md5s } = await bigFile(folder, sizeMiB, partMiB);
    const parts: ListedPart[] = md5s.map((md5, index) => ({
      partNumber: index + 1,
      sizeBytes: partMiB * MiB,
      etag: `"${md5}"`,
      lastModified: null,
      checksums: {},
    }));
    const verify = async (): Promise<number> => {
      const started = performance.now();
      const planned = await planUpload({
        listed: { parts, storageClass: null, initiator: null, checksumAlgorithm: null, checksumType: null },
        file: { path: file },
        fileSizeBytes: sizeMiB * MiB,
        rules: {
          equalPartSizes: false,
          minPartBytes,
          limits: { fitting: (_sizeBytes, wantedBytes) => wantedBytes },
        },
        judge: { etagsAreNotMd5: false, minPartBytes },
        hasher,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
      if (planned.kind !== 'judged' || planned.judgement.counts.verified !== parts.length)
        throw new Error('The file was not verified.');
      return performance.now() - started;
    };
    const md5sum = async (): Promise<number> => {
      const started = performance.now();
      await run('md5sum', [file]);
      return performance.now() - started;
    };
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      theirs.push(await md5sum());
      ours.push(await verify());
    }
    return [
      { name: 'verify 2 GiB against its parts', value: median(ours) / 1000, unit: 's' },
      { name: 'md5sum of the same file', value: median(theirs) / 1000, unit: 's' },
      {
        name: 'verifying, as fast as one md5sum',
        value: median(theirs) / median(ours),
        unit: 'times',
        limit: { kind: 'at-least', value: 4 },
      },
    ];
  } finally {
    await hasher.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
