import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { csvOf, manifestOf, md5, parquetOf, type MadeRow } from '../../support/files/inventory-report.ts';
import { hash, sizeOf, teamDigitsOf, timeOf, treeKey } from './walk-keys.ts';

export interface ServedReportRequest {
  readonly keyCount: number;
  readonly filesPerFolder: number;
  readonly format: 'CSV' | 'Parquet';
  /** False to spread the rows of each data file over the whole bucket, since AWS guarantees no order. */
  readonly isOrdered: boolean;
}

/** The number of rows per data file. It makes files of some megabytes, roughly like those of AWS. */
const rowsPerFile = 100_000;
const packed = promisify(gzip);

/**
 * Writes a report of this many keys of the bucket `bench` into the bucket `reports`. Holds only one data file in memory at a
 * time. Returns the key of the manifest and the report's size.
 */
export async function putReport(
  client: S3Client,
  { keyCount, filesPerFolder, format, isOrdered }: ServedReportRequest,
): Promise<{ readonly manifestKey: string; readonly sizeBytes: number }> {
  const bucket = 'reports';
  const digits = teamDigitsOf(keyCount, filesPerFolder);
  const fileCount = Math.ceil(keyCount / rowsPerFile);
  await client.createBucket({ bucket });
  const put = async (key: string, bytes: Uint8Array): Promise<void> => {
    await client.putObject({ bucket, key, body: { sizeBytes: bytes.byteLength, open: () => bytes } });
  };
  const rowOf = (index: number): MadeRow => ({
    key: treeKey(index, filesPerFolder, digits),
    sizeBytes: sizeOf(index),
    lastModified: timeOf(index),
    etag: hash(index).repeat(4),
  });
  const files: { key: string; size: number; MD5checksum: string }[] = [];
  for (let file = 0; file < fileCount; file += 1) {
    const rows: MadeRow[] = [];
    for (let at = 0; at < rowsPerFile; at += 1) {
      const index = isOrdered ? file * rowsPerFile + at : at * fileCount + file;
      if (index < keyCount) rows.push(rowOf(index));
    }
    const bytes =
      format === 'CSV'
        ? await packed(csvOf('bench', rows, false), { level: 1 })
        : parquetOf('bench', rows, false, 20_000);
    const key = `inventory/bench/daily/data/part-${String(file)}.${format === 'CSV' ? 'csv.gz' : 'parquet'}`;
    await put(key, bytes);
    files.push({ key, size: bytes.byteLength, MD5checksum: md5(bytes) });
  }
  const manifest = manifestOf({
    sourceBucket: 'bench',
    format,
    versions: false,
    atMs: Date.UTC(2026, 5, 1, 1, 0),
    files,
  });
  const folder = 'inventory/bench/daily/2026-06-01T01-00Z/';
  await put(`${folder}manifest.json`, manifest);
  await put(`${folder}manifest.checksum`, Buffer.from(md5(manifest)));
  return { manifestKey: `${folder}manifest.json`, sizeBytes: files.reduce((sum, { size }) => sum + size, 0) };
}
