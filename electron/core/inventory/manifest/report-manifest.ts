import { z } from 'zod';
import { failure } from '../../../../shared/errors.ts';
import { quoteWithout } from '../../s3/model/redact.ts';
import {
  inventoryFormats,
  type InventoryFormat,
  type InventorySummary,
} from '../../../../shared/models/inventory.ts';

/** A data file of a report. */
export interface ReportFile {
  readonly key: string;
  readonly sizeBytes: number;
  /** The MD5 in lower-case hex. */
  readonly md5: string;
}

/** A parsed manifest.json. https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-inventory-location.html */
export interface ReportManifest {
  readonly sourceBucket: string;
  /** The time of the report, ISO 8601. */
  readonly takenAt: string;
  readonly format: InventoryFormat;
  /** The names of the columns in order, as the service spells them. */
  readonly fields: readonly string[];
  readonly files: readonly ReportFile[];
}

const manifestSchema = z.object({
  sourceBucket: z.string().min(1),
  creationTimestamp: z.union([z.string().regex(/^\d{1,15}$/), z.int().min(0)]),
  fileFormat: z.string(),
  fileSchema: z.string(),
  files: z.array(
    z.object({
      key: z.string().min(1),
      size: z.int().min(0),
      MD5checksum: z.string().regex(/^[0-9a-f]{32}$/i),
    }),
  ),
});

/** Parses a manifest. Throws AppFailure with reason `inventory-damaged`. */
export function readManifest(text: string): ReportManifest {
  const { sourceBucket, creationTimestamp, fileFormat, fileSchema, files } = parsed(text);
  const format = formatOf(fileFormat);
  const atMs = Number(creationTimestamp);
  if (atMs > 8_640_000_000_000_000) throw damagedReport('its time is impossible');
  return {
    sourceBucket,
    takenAt: new Date(atMs).toISOString(),
    format,
    fields: format === 'CSV' ? fileSchema.split(',').map((name) => name.trim()) : schemaFields(fileSchema),
    files: files.map(({ key, size, MD5checksum }) => ({
      key,
      sizeBytes: size,
      md5: MD5checksum.toLowerCase(),
    })),
  };
}

function parsed(text: string): z.infer<typeof manifestSchema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damagedReport('it is not JSON');
  }
  const reading = manifestSchema.safeParse(value);
  if (reading.success) return reading.data;
  const [issue] = reading.error.issues;
  throw damagedReport(
    `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is not the manifest of an inventory'}`,
  );
}

function formatOf(name: string): InventoryFormat {
  const format = inventoryFormats.find((known) => known.toUpperCase() === name.toUpperCase());
  if (format === undefined) throw damagedReport(`its format is unknown: "${name}"`);
  return format;
}

/** Returns the fields of `message s3.inventory { required binary bucket (UTF8); … }`, or ORC's `struct<bucket:string,…>`. */
function schemaFields(schema: string): string[] {
  const struct = /struct<(.*)>/s.exec(schema)?.[1];
  if (struct !== undefined) return struct.split(',').map((field) => field.split(':')[0]?.trim() ?? '');
  return [...schema.matchAll(/(?:required|optional)\s+\w+\s+(\w+)/g)].map(([, name = '']) => name);
}

/** The columns from which a map is built; null if the report lacks one. */
export interface ReportColumns {
  readonly bucket: string | null;
  readonly key: string;
  readonly size: string;
  readonly isLatest: string | null;
  readonly isDeleteMarker: string | null;
  readonly lastModified: string | null;
  readonly etag: string | null;
  readonly storageClass: string | null;
  /** The column of the owner's canonical user ID. */
  readonly owner: string | null;
}

/** Returns a field by its name, ignoring case and underscores. CSV has `LastModifiedDate`, Parquet `last_modified_date`. */
function fieldNamed(fields: readonly string[], name: string): string | null {
  return fields.find((field) => plainName(field) === name) ?? null;
}

function plainName(field: string): string {
  return field.replaceAll('_', '').toLowerCase();
}

/** Returns why no map can be made from a report; null if it is possible. */
export function obstacleOf({ format, fields }: ReportManifest): InventorySummary['obstacle'] {
  if (format === 'ORC') return 'orc';
  if (fieldNamed(fields, 'key') === null) return 'no-key';
  if (fieldNamed(fields, 'size') === null) return 'no-size';
  const lacksLatest = fieldNamed(fields, 'versionid') !== null && fieldNamed(fields, 'islatest') === null;
  return lacksLatest ? 'no-latest' : null;
}

/** Returns the columns of a report. Throws AppFailure with reason `inventory-orc` or `inventory-fields` if no map can be made. */
export function columnsOf(manifest: ReportManifest): ReportColumns {
  const { fields } = manifest;
  const obstacle = obstacleOf(manifest);
  const key = fieldNamed(fields, 'key');
  const size = fieldNamed(fields, 'size');
  if (obstacle === 'orc')
    throw failure('unsupported', 'The report is in ORC. Choose CSV or Parquet in its configuration.', {
      reason: 'inventory-orc',
      retry: 'after-fix',
    });
  if (obstacle !== null || key === null || size === null)
    throw failure('unsupported', `The report lacks a field (${obstacle ?? 'key'}).`, {
      reason: 'inventory-fields',
      retry: 'after-fix',
    });
  return {
    bucket: fieldNamed(fields, 'bucket'),
    key,
    size,
    isLatest: fieldNamed(fields, 'islatest'),
    isDeleteMarker: fieldNamed(fields, 'isdeletemarker'),
    lastModified: fieldNamed(fields, 'lastmodifieddate'),
    etag: fieldNamed(fields, 'etag'),
    storageClass: fieldNamed(fields, 'storageclass'),
    owner: fieldNamed(fields, 'objectowner'),
  };
}

export function hasVersions({ fields }: ReportManifest): boolean {
  return fieldNamed(fields, 'islatest') !== null;
}

/** Returns the id of the configuration of a report, from the key of its manifest; null if the report was moved. */
export function configurationIdOf(manifestKey: string, sourceBucket: string): string | null {
  const [bucket, configurationId] = manifestKey.split('/').slice(-4, -2);
  return bucket === sourceBucket ? configurationId || null : null;
}

/** Long enough for a message with a key of 1024 bytes. */
const maxReasonChars = 1500;

/**
 * Returns an AppFailure `inventory-damaged` for a report that contradicts itself or whose content does not match its checksums.
 * `why` may contain text from the report, of any length.
 */
export function damagedReport(why: string): Error {
  const reason = quoteWithout([])(why, maxReasonChars);
  return failure('damaged', `The inventory report is damaged: ${reason}.`, {
    reason: 'inventory-damaged',
    retry: 'after-fix',
  });
}
