import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';

/** A row of a generated report. */
export interface MadeRow {
  readonly key: string;
  readonly sizeBytes: number | null;
  readonly versionId?: string;
  readonly isLatest?: boolean;
  readonly isDeleteMarker?: boolean;
  readonly lastModified?: string;
  readonly etag?: string;
  readonly storageClass?: string;
}

export interface MadeReport {
  readonly manifestKey: string;
  /** All objects of the report, by their keys. */
  readonly objects: Readonly<Record<string, Buffer>>;
}

export interface ReportContent {
  readonly sourceBucket: string;
  readonly prefix?: string;
  readonly configurationId?: string;
  readonly format?: 'CSV' | 'Parquet' | 'ORC';
  readonly versions?: boolean;
  /** The rows of each data file. */
  readonly files: readonly (readonly MadeRow[])[];
  readonly atMs?: number;
  readonly rowGroupSize?: number;
}

const plainFields = ['Bucket', 'Key', 'Size', 'LastModifiedDate', 'ETag', 'StorageClass'];
const versionFields = ['Bucket', 'Key', 'VersionId', 'IsLatest', 'IsDeleteMarker', ...plainFields.slice(2)];
const usualTime = '2026-01-02T03:04:05.000Z';

/** Encodes a key as in S3 Inventory's CSV: URL-encoded, but with `/` unescaped and `+` for a space. */
export function inventoryKey(key: string): string {
  return encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%20', '+');
}

/** Returns one data file as uncompressed CSV. */
export function csvOf(bucket: string, rows: readonly MadeRow[], versions: boolean): string {
  return rows
    .map((row) => {
      const ofVersion = versions
        ? [row.versionId ?? '', String(row.isLatest ?? true), String(row.isDeleteMarker ?? false)]
        : [];
      return [
        bucket,
        inventoryKey(row.key),
        ...ofVersion,
        row.sizeBytes === null ? '' : String(row.sizeBytes),
        row.lastModified ?? usualTime,
        row.etag ?? '',
        row.storageClass ?? 'STANDARD',
      ]
        .map((field) => `"${field.replaceAll('"', '""')}"`)
        .join(',');
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** Returns one data file as Parquet. */
export function parquetOf(
  bucket: string,
  rows: readonly MadeRow[],
  versions: boolean,
  rowGroupSize: number,
): Buffer {
  const ofVersion = versions
    ? [
        { name: 'version_id', data: rows.map((row) => row.versionId ?? ''), type: 'STRING' as const },
        { name: 'is_latest', data: rows.map((row) => row.isLatest ?? true), type: 'BOOLEAN' as const },
        {
          name: 'is_delete_marker',
          data: rows.map((row) => row.isDeleteMarker ?? false),
          type: 'BOOLEAN' as const,
        },
      ]
    : [];
  return Buffer.from(
    parquetWriteBuffer({
      columnData: [
        { name: 'bucket', data: rows.map(() => bucket), type: 'STRING' },
        { name: 'key', data: rows.map(({ key }) => key), type: 'STRING' },
        ...ofVersion,
        {
          name: 'size',
          data: rows.map(({ sizeBytes }) => (sizeBytes === null ? null : BigInt(sizeBytes))),
          type: 'INT64',
          nullable: true,
        },
        {
          name: 'last_modified_date',
          data: rows.map(({ lastModified }) => new Date(lastModified ?? usualTime)),
          type: 'TIMESTAMP',
        },
        { name: 'e_tag', data: rows.map(({ etag }) => etag ?? ''), type: 'STRING' },
        {
          name: 'storage_class',
          data: rows.map(({ storageClass }) => storageClass ?? 'STANDARD'),
          type: 'STRING',
        },
      ],
      rowGroupSize,
    }),
  );
}

const parquetSchema = (versions: boolean): string =>
  `message s3.inventory { required binary bucket (UTF8); required binary key (UTF8); ${
    versions
      ? 'optional binary version_id (UTF8); optional boolean is_latest; optional boolean is_delete_marker; '
      : ''
  }optional int64 size; optional int64 last_modified_date (TIMESTAMP_MILLIS); optional binary e_tag (UTF8); optional binary storage_class (UTF8); }`;

export const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

/** Builds a report with the objects that S3 Inventory writes: data files, manifest.json and manifest.checksum. */
export function makeReport(content: ReportContent): MadeReport {
  const {
    sourceBucket,
    format = 'CSV',
    versions = false,
    configurationId = 'daily',
    prefix = 'reports',
  } = content;
  const atMs = content.atMs ?? Date.UTC(2026, 5, 1, 1, 0);
  const folder = `${prefix}/${sourceBucket}/${configurationId}/`;
  const ending = format === 'CSV' ? 'csv.gz' : format.toLowerCase();
  const objects: Record<string, Buffer> = {};
  const files = content.files.map((rows, at) => {
    const bytes =
      format === 'Parquet'
        ? parquetOf(sourceBucket, rows, versions, content.rowGroupSize ?? 1000)
        : gzipSync(csvOf(sourceBucket, rows, versions));
    const key = `${folder}data/part-${at}.${ending}`;
    objects[key] = bytes;
    return { key, size: bytes.byteLength, MD5checksum: md5(bytes) };
  });
  const manifest = manifestOf({ sourceBucket, format, versions, atMs, files });
  const day = new Date(atMs)
    .toISOString()
    .slice(0, 16)
    .replace(/:(\d\d)$/, '-$1');
  const manifestKey = `${folder}${day}Z/manifest.json`;
  objects[manifestKey] = manifest;
  objects[`${folder}${day}Z/manifest.checksum`] = Buffer.from(md5(manifest));
  return { manifestKey, objects };
}

export function manifestOf(about: {
  readonly sourceBucket: string;
  readonly format: string;
  readonly versions: boolean;
  readonly atMs: number;
  readonly files: readonly { readonly key: string; readonly size: number; readonly MD5checksum: string }[];
}): Buffer {
  return Buffer.from(
    JSON.stringify({
      sourceBucket: about.sourceBucket,
      destinationBucket: 'arn:aws:s3:::reports',
      version: '2016-11-30',
      creationTimestamp: String(about.atMs),
      fileFormat: about.format,
      fileSchema:
        about.format === 'CSV'
          ? (about.versions ? versionFields : plainFields).join(', ')
          : parquetSchema(about.versions),
      files: about.files,
    }),
  );
}
