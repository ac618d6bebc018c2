import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CsvReport } from '../../../../electron/core/inventory/rows/csv-report.ts';
import { DamagedReport, ReportRows } from '../../../../electron/core/inventory/rows/report-rows.ts';

const columns = {
  bucket: 'Bucket',
  key: 'Key',
  size: 'Size',
  isLatest: null,
  isDeleteMarker: null,
  lastModified: null,
  etag: null,
  storageClass: null,
  owner: null,
};
const text = Array.from({ length: 20_000 }, (_, at) => `"b","${at % 7}/${at}.jpg","${at * 31}"\n`).join('');
const whole = gzipSync(text);

async function read(bytes: Uint8Array, pieceBytes = 16 * 1024): Promise<ReportRows> {
  const rows = new ReportRows('b', '');
  const reader = new CsvReport(['Bucket', 'Key', 'Size'], columns, true, rows);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes)
      await reader.add(bytes.subarray(at, at + pieceBytes));
    await reader.finish();
  } finally {
    reader.close();
  }
  return rows;
}

test('a gzipped report is read completely for any chunk size', async () => {
  for (const pieceBytes of [1000, 16 * 1024, whole.length])
    expect((await read(whole, pieceBytes)).counts.keys).toBe(20_000);
});

test.each([
  ['plain CSV named .gz', Buffer.from(text)],
  ['a web page instead of gzip', Buffer.from('<!DOCTYPE html><html></html>'.repeat(2000))],
  ['truncated gzip', whole.subarray(0, whole.length - 100)],
  ['a gzip header alone', whole.subarray(0, 10)],
])('%s is reported as a damaged report', async (_name, bytes) => {
  await expect(read(bytes)).rejects.toThrow(DamagedReport);
});

test('flipped bytes in a gzipped report are always detected', async () => {
  const flips = fc.array(fc.nat(whole.length - 1), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(flips, fc.constantFrom(997, 16 * 1024, 256 * 1024), async (at, pieceBytes) => {
      const bytes = Buffer.from(whole);
      for (const index of at) bytes[index] = (bytes[index] ?? 0) ^ 0x55;
      const end = await read(bytes, pieceBytes).then(
        () => 'whole',
        (thrown: unknown) => thrown,
      );
      // A changed byte of the header may leave the rows intact.
      expect(end === 'whole' || end instanceof DamagedReport).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("a wrong row in a gzipped report is reported with the row's error", async () => {
  const rows = `${text}"other","key","1"\n${text}`;
  await expect(read(gzipSync(rows))).rejects.toThrow('a row belongs to the bucket "other"');
});

test('a report reader closed halfway leaves no unhandled rejection', async () => {
  const reader = new CsvReport(['Bucket', 'Key', 'Size'], columns, true, new ReportRows('b', ''));
  await reader.add(whole.subarray(0, 5000));
  reader.close();
  await expect(reader.finish()).rejects.toThrow('Premature close');
});

test('a small gzipped report that expands to millions of rows is stopped early', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, `"b","k","1"\n`));
  expect(bomb.byteLength).toBeLessThan(512 * 1024);
  const rows = new ReportRows('b', '');
  const reader = new CsvReport(['Bucket', 'Key', 'Size'], columns, true, rows);
  const read = async (): Promise<void> => {
    await reader.add(bomb);
    await reader.finish();
  };
  const failed = await read().then(
    () => '',
    (thrown: unknown) => String(thrown),
  );
  reader.close();
  const [, packed, allowed] = /its (\d+) compressed bytes expand to more than (\d+)/.exec(failed) ?? [];
  expect(Number(allowed)).toBe(Math.max(16 * 1024 * 1024, 250 * Number(packed)));
  // The file has more than five million rows.
  expect(rows.counts.keys).toBeLessThan(4_000_000);
});

test('a gzipped report with a high but plausible compression ratio is read', async () => {
  const lines = Array.from(
    { length: 400_000 },
    (_, at) => `"b","backup/same-name/${String(at).padStart(12, '0')}","0"\n`,
  );
  const packed = gzipSync(lines.join(''), { level: 9 });
  expect((await read(packed)).counts.keys).toBe(400_000);
});
