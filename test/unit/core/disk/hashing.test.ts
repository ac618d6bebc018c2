import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  checksumAlgorithmOf,
  startChecksum,
  type ChecksumAlgorithm,
} from '../../../../electron/core/disk/checksums.ts';
import { createHashPool } from '../../../../electron/core/disk/hash-pool.ts';
import { endsOf, matchFiles } from '../../../../electron/core/stalled/match.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { bytesOf } from '../../../support/core/uploads-rig.ts';

const pool = createHashPool();
afterAll(async () => {
  await pool.close();
});
const never = new AbortController().signal;

function md5(slice: Uint8Array): string {
  return createHash('md5').update(slice).digest('hex');
}

function ref(key: string) {
  return { connectionId: 'c', bucket: 'b', key, uploadId: 'u' };
}

function hex(algorithm: ChecksumAlgorithm, text: string): string {
  const running = startChecksum(algorithm);
  for (const piece of [text.slice(0, 4), text.slice(4)]) running.update(Buffer.from(piece));
  return Buffer.from(running.digest(), 'base64').toString('hex');
}

// The check values of the CRC catalogue (reveng.sourceforge.io), and FIPS 180.
test.each([
  ['crc32', 'cbf43926'],
  ['crc32c', 'e3069283'],
  ['crc64nvme', 'ae8b14860a799888'],
  ['sha1', 'f7c3bc1d808e04732adf679965ccc34ca7ae3441'],
  ['sha256', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'],
] as const)('%s of "123456789" matches its check value', (algorithm, value) => {
  expect(hex(algorithm, '123456789')).toBe(value);
});

test("the service's names of checksum algorithms are mapped, unknown ones to null", () => {
  expect(checksumAlgorithmOf('CRC64NVME')).toBe('crc64nvme');
  expect(checksumAlgorithmOf(null)).toBeNull();
  expect(checksumAlgorithmOf('MD4')).toBeNull();
});

describe('hashing in threads', () => {
  const bytes = bytesOf(3_000_000, 5);
  const fileOf = (): string => {
    const file = path.join(tempDir(), 'f');
    writeFileSync(file, bytes);
    return file;
  };

  test('hashes more slices of a file than there are threads', async () => {
    const file = fileOf();
    const slices = Array.from({ length: 20 }, (_, index) => ({ offset: index * 100_001, sizeBytes: 99_999 }));
    const hashes = await Promise.all(
      slices.map((slice) => pool.hash({ path: file, ...slice, algorithm: 'crc32c' }, never)),
    );
    expect(hashes.map((hash) => hash.md5)).toEqual(
      slices.map(({ offset, sizeBytes }) => md5(bytes.subarray(offset, offset + sizeBytes))),
    );
    expect(hashes.every((hash) => hash.checksums.crc32c !== undefined)).toBe(true);
  });

  test('yields the same MD5s for concurrent slices as for single ones, and reports progress', async () => {
    const file = fileOf();
    const slices = Array.from({ length: 20 }, (_, index) => ({
      offset: index * 100_001,
      sizeBytes: 60_000 + index * 2000,
    }));
    const reported = slices.map(() => 0);
    const hashes = await Promise.all(
      slices.map((slice, index) =>
        pool.hash({ path: file, ...slice, algorithm: null }, never, (more) => {
          reported[index] = (reported[index] ?? 0) + more;
        }),
      ),
    );
    expect(hashes).toEqual(
      slices.map(({ offset, sizeBytes }) => ({
        md5: md5(bytes.subarray(offset, offset + sizeBytes)),
        checksums: {},
      })),
    );
    expect(reported).toEqual(slices.map(({ sizeBytes }) => sizeBytes));
  });

  test('fails one of several concurrent slices, or aborts it, without affecting the others', async () => {
    const file = fileOf();
    const stop = new AbortController();
    const whole = { path: file, offset: 0, sizeBytes: bytes.byteLength, algorithm: null };
    let reported = 0;
    const onBytes = (more: number): void => {
      reported += more;
    };
    const all = [
      pool.hash(whole, never, onBytes),
      pool.hash(whole, never, onBytes),
      pool.hash({ ...whole, offset: 1 }, never),
      pool.hash({ ...whole, path: `${file}-gone` }, never),
      pool.hash(whole, stop.signal),
    ];
    // By now, the slices have been sent to the thread.
    await Promise.resolve();
    stop.abort(new Error('stopped'));
    const [first, second, short, gone, stopped] = await Promise.allSettled(all);
    for (const reply of [first, second]) expect(reply).toMatchObject({ value: { md5: md5(bytes) } });
    expect(reported).toBe(2 * bytes.byteLength);
    expect(short).toMatchObject({ reason: { error: { reason: 'file-changed' } } });
    expect(gone).toMatchObject({ reason: { error: { reason: 'file-missing' } } });
    expect(stopped).toMatchObject({ reason: { message: 'stopped' } });
  });

  test('returns the hash of exactly the bytes of a slice', async () => {
    const hash = await pool.hash({ path: fileOf(), offset: 7, sizeBytes: 999_999, algorithm: null }, never);
    expect(hash.md5).toBe(md5(bytes.subarray(7, 1_000_006)));
  });

  test('returns the MD5 of no bytes for an empty slice', async () => {
    const hash = await pool.hash({ path: fileOf(), offset: 0, sizeBytes: 0, algorithm: null }, never);
    expect(hash.md5).toBe('d41d8cd98f00b204e9800998ecf8427e');
  });

  test("reports progress that adds up to the slice's bytes", async () => {
    let total = 0;
    const request = { path: fileOf(), offset: 0, sizeBytes: bytes.byteLength, algorithm: null };
    await pool.hash(request, never, (more) => {
      total += more;
    });
    expect(total).toBe(bytes.byteLength);
  });

  test('fails with file-missing for a removed file and file-changed for a shortened one', async () => {
    const gone = { path: path.join(tempDir(), 'no'), offset: 0, sizeBytes: 5, algorithm: null };
    await expect(pool.hash(gone, never)).rejects.toMatchObject({ error: { reason: 'file-missing' } });
    const short = { path: fileOf(), offset: 2_999_999, sizeBytes: 50, algorithm: null };
    await expect(pool.hash(short, never)).rejects.toMatchObject({ error: { reason: 'file-changed' } });
  });

  test('rejects queued and running requests on abort, and reuses the threads', async () => {
    const file = fileOf();
    const stop = new AbortController();
    const request = { path: file, offset: 0, sizeBytes: bytes.byteLength, algorithm: 'crc64nvme' as const };
    const all = Array.from({ length: 8 }, () => pool.hash(request, stop.signal));
    stop.abort(new Error('stopped'));
    const ends = await Promise.allSettled(all);
    expect(ends.filter((end) => end.status === 'rejected').length).toBeGreaterThanOrEqual(6);
    expect((await pool.hash({ ...request, algorithm: null }, never)).md5).toBe(md5(bytes));
  });
});

describe('matching keys to the files of a folder', () => {
  const deps = {
    signal: never,
    storedBytes: () => Promise.resolve(3),
    handleFor: (filePath: string) => filePath,
  };

  test('tries key suffixes from the longest, and never leaves the folder', () => {
    expect(endsOf('a//b/c.bin')).toEqual(['a/b/c.bin', 'b/c.bin', 'c.bin']);
    expect(endsOf('../../etc/passwd')).toEqual([]);
    expect(endsOf('a/./b')).toEqual([]);
    expect(endsOf('')).toEqual([]);
  });

  test('matches by name and size, and reports missing and too short files', async () => {
    const folder = tempDir();
    writeFileSync(path.join(folder, 'whole.bin'), 'whole');
    writeFileSync(path.join(folder, 'short.bin'), 'x');
    const found = await matchFiles(folder, [ref('d/whole.bin'), ref('short.bin'), ref('absent')], deps);
    expect(found.map((result) => result.problem)).toEqual([null, 'too-short', 'none-found']);
    expect(found[0]).toMatchObject({ fileName: 'whole.bin', sizeBytes: 5 });
  });
});
