import type { ObjectEntry } from '../../../../shared/models/objects.ts';
import type { ExportFormat } from '../../../../shared/models/walks.ts';

export interface ChunkPlace {
  readonly bucket: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

type Render = (rows: readonly ObjectEntry[], place: ChunkPlace) => string;

const renderers: Readonly<Record<ExportFormat, Render>> = { csv, json, manifest };

/** A stretch of an export. The stretches of a whole, one behind the other, are one CSV file or one JSON array. */
export function renderRows(format: ExportFormat, rows: readonly ObjectEntry[], place: ChunkPlace): string {
  return renderers[format](rows, place);
}

function manifest(rows: readonly ObjectEntry[], { bucket }: ChunkPlace): string {
  return manifestText(
    bucket,
    rows.map(({ key }) => key),
  );
}

/** The lines of a manifest for these keys of a bucket. */
export function manifestText(bucket: string, keys: readonly string[]): string {
  return keys.map((key) => `${bucket},${manifestKey(key)}\n`).join('');
}

/**
 * As S3 Batch Operations reads it (Amazon S3 User Guide, "Specifying a manifest"): in percent-encoding, so that no character
 * of a key is one of the file. A space is `%20`, which no reader takes for a plus. The delimiter of folders stays readable.
 */
function manifestKey(key: string): string {
  return encodeURIComponent(key).replaceAll('%2F', '/');
}

/** RFC 4180: CRLF, and quotes around whatever needs them. */
function csv(rows: readonly ObjectEntry[], place: ChunkPlace): string {
  const lines = rows.map((row) =>
    [
      csvText(row.key),
      String(row.sizeBytes),
      csvText(row.lastModified ?? ''),
      csvText(row.storageClass ?? ''),
      csvText(row.etag?.replaceAll('"', '') ?? ''),
    ].join(','),
  );
  if (place.isFirst) lines.unshift('Key,Size in bytes,Last modified,Storage class,ETag');
  return lines.map((line) => `${line}\r\n`).join('');
}

/**
 * A key is a text that anybody may have chosen, and a spreadsheet runs what begins like a formula. An apostrophe before it
 * makes it a text (OWASP, "CSV Injection").
 */
export function csvText(text: string): string {
  const harmless = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n']|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function json(rows: readonly ObjectEntry[], place: ChunkPlace): string {
  const lines = rows.map((row) => JSON.stringify(row)).join(',\n');
  const separator = !place.isFirst && rows.length > 0 ? ',\n' : '';
  return `${place.isFirst ? '[\n' : ''}${separator}${lines}${place.isLast ? '\n]\n' : ''}`;
}
