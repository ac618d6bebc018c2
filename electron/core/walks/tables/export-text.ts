import type { ObjectEntry } from '../../../../shared/models/objects.ts';
import type { ExportFormat } from '../../../../shared/models/walks.ts';

/** The last row that was read: its value in the sort column and its number. */
export type Cursor = readonly [value: string | number, id: number];

export interface ExportChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  readonly next: Cursor | null;
}

export interface ChunkPlace {
  readonly bucket: string;
  /** False for rows from a catalogue, which stores no ETags. The export then has no ETag column. */
  readonly hasEtags: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

type Render = (rows: readonly ObjectEntry[], place: ChunkPlace) => string;

const renderers: Readonly<Record<RowFormat, Render>> = { csv, json, manifest };

/** The formats in which rows are rendered. `csv-bom` is CSV, with its byte order mark added when the chunks are joined. */
export type RowFormat = Exclude<ExportFormat, 'csv-bom'>;

/** Renders the rows of one chunk. All chunks joined are one CSV file or JSON array. */
export function renderRows(format: RowFormat, rows: readonly ObjectEntry[], place: ChunkPlace): string {
  return renderers[format](rows, place);
}

function manifest(rows: readonly ObjectEntry[], { bucket }: ChunkPlace): string {
  return manifestText(
    bucket,
    rows.map(({ key }) => key),
  );
}

/** Returns one manifest line for each key. */
export function manifestText(bucket: string, keys: readonly string[]): string {
  return keys.map((key) => `${bucket},${manifestKey(key)}\n`).join('');
}

/**
 * Encodes a key for an S3 Batch Operations manifest (Amazon S3 User Guide, "Specifying a manifest"). Percent-encoding escapes the
 * delimiters of CSV. A space becomes `%20` rather than `+`; `/` stays readable.
 */
function manifestKey(key: string): string {
  return encodeURIComponent(key).replaceAll('%2F', '/');
}

/** Renders rows as CSV (RFC 4180), with CRLF and with quotes only if needed. */
function csv(rows: readonly ObjectEntry[], place: ChunkPlace): string {
  const lines = rows.map((row) =>
    [
      csvText(row.key),
      String(row.sizeBytes),
      csvText(row.lastModified ?? ''),
      csvText(row.storageClass ?? ''),
      ...(place.hasEtags ? [csvText(row.etag?.replaceAll('"', '') ?? '')] : []),
    ].join(','),
  );
  if (place.isFirst)
    lines.unshift(`Key,Size in bytes,Last modified,Storage class${place.hasEtags ? ',ETag' : ''}`);
  return lines.map((line) => `${line}\r\n`).join('');
}

/**
 * Escapes a text for CSV. Other people may choose keys, and a spreadsheet evaluates text that starts like a formula; a leading
 * apostrophe prevents that (OWASP, "CSV Injection").
 */
export function csvText(text: string): string {
  const harmless = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n']|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function json(rows: readonly ObjectEntry[], place: ChunkPlace): string {
  const lines = rows
    .map(({ etag, ...row }) => JSON.stringify(place.hasEtags ? { ...row, etag } : row))
    .join(',\n');
  const separator = !place.isFirst && rows.length > 0 ? ',\n' : '';
  return `${place.isFirst ? '[\n' : ''}${separator}${lines}${place.isLast ? '\n]\n' : ''}`;
}
