import { detachedText } from '../../../shared/detached-text.ts';
import type { Foreign } from '../../../shared/models/objects.ts';
import type {
  UploadFilter,
  UploadRow,
  UploadSort,
  UploadSummary,
  UploadTotals,
} from '../../../shared/models/stalled.ts';
import { noForeign } from '../s3/listing/prefixes.ts';
import type { UnreadableEntry } from '../s3/model/listing-types.ts';
import { lockKeyOf } from '../multipart/upload-job.ts';
import type { MultipartUpload } from '../s3/model/multipart-types.ts';
import { compareRows, matchesFilter, verdictOf, summaryOf } from './upload-rows.ts';

export interface ScanInput {
  readonly connectionId: string;
  readonly bucket: string | null;
  readonly prefix: string;
}

/** A row of a list. It is changed in place, because a list may have 100,000 rows. Its verdict is updated before each use. */
export type ListedRow = { -readonly [Name in keyof UploadRow]: UploadRow[Name] };

/** A list of stalled uploads, with the order and the sums computed last. */
export interface UploadList {
  readonly input: ScanInput;
  readonly rows: ListedRow[];
  readonly unreadable: UnreadableEntry[];
  foreign: Foreign;
  /** The lock keys of the rows' uploads (bucket, key and upload id), for skipping repeated uploads. */
  readonly names: Set<string>;
  /** The texts of initiators and storage classes, for holding equal texts in memory only once. */
  readonly words: Map<string, string>;
  totals: UploadTotals;
  /** Incremented when parts are read, so that orders and filters that depend on them are computed again. */
  partsRevision: number;
  /** The order requested last. It contains the first `covered` rows. */
  order: { readonly mark: string; readonly covered: number; readonly rows: readonly ListedRow[] } | null;
  summary: { readonly mark: string; readonly summary: UploadSummary } | null;
}

/** Returns an empty list. */
export function newUploadList(input: ScanInput): UploadList {
  return {
    input,
    rows: [],
    unreadable: [],
    foreign: noForeign,
    names: new Set(),
    words: new Map(),
    totals: { storedBytes: 0, unread: 0, oldestAt: null },
    partsRevision: 0,
    order: null,
    summary: null,
  };
}

/** Adds an upload. Services may list one on two pages, by mistake or because it moved between the requests. */
export function addUpload(list: UploadList, bucket: string, upload: MultipartUpload): void {
  const name = lockKeyOf({ bucket, ...upload });
  if (list.names.has(name)) return;
  list.names.add(name);
  const row = rowOf(list.rows.length, bucket, upload, list.words);
  list.rows.push(row);
  list.totals = withRow(list.totals, row);
}

/**
 * Stores what a listing of an upload's parts returned. Synchronous, so that a row that two calls read concurrently counts once.
 */
export function setParts(
  list: UploadList,
  row: ListedRow,
  outcome: Pick<ListedRow, 'error'> & Partial<Pick<ListedRow, 'parts'>>,
): void {
  const before = { storedBytes: row.parts?.storedBytes ?? 0, unread: countUnread([row]) };
  Object.assign(row, outcome);
  list.totals = {
    ...list.totals,
    storedBytes: list.totals.storedBytes - before.storedBytes + (row.parts?.storedBytes ?? 0),
    unread: list.totals.unread - before.unread,
  };
  list.partsRevision += 1;
}

/** Returns the sums over the list. Computes them again after a change, and at most once a minute because ages change. */
export function summaryOfList(list: UploadList, nowMs: number): UploadSummary {
  const mark = JSON.stringify([list.rows.length, list.partsRevision, Math.floor(nowMs / 60_000)]);
  if (list.summary?.mark !== mark) list.summary = { mark, summary: summaryOf(list.rows, nowMs) };
  return list.summary.summary;
}

/** Returns the rows that pass the filter, in this order. Reuses the order computed last if nothing it depends on has changed. */
export function orderedRows(
  list: UploadList,
  sort: UploadSort,
  filter: UploadFilter,
  nowMs: number,
): readonly ListedRow[] {
  // Verdicts and ages change with time, so an order by them is reused for at most a minute.
  const minute = Math.floor(nowMs / 60_000);
  const needs = needsOf(sort, filter);
  const mark = JSON.stringify([sort, filter, needs.parts ? list.partsRevision : 0, needs.time ? minute : 0]);
  const known = list.order?.mark === mark ? list.order : null;
  if (known?.covered === list.rows.length) return known.rows;
  // New rows are merged in. Sorting an array that is mostly sorted takes a single pass.
  const fresh = list.rows.slice(known?.covered ?? 0).filter((row) => {
    if (needs.verdict) updateVerdict(row, nowMs);
    return matchesFilter(row, filter, nowMs);
  });
  const rows = [...(known?.rows ?? []), ...fresh].toSorted((left, right) => compareRows(left, right, sort));
  list.order = { mark, covered: list.rows.length, rows };
  return rows;
}

/** Returns which changes invalidate an order by this sort and filter. */
function needsOf(
  { by }: UploadSort,
  { verdicts, age }: UploadFilter,
): { readonly parts: boolean; readonly time: boolean; readonly verdict: boolean } {
  const verdict = by === 'verdict' || verdicts !== null;
  return {
    verdict,
    parts: verdict || by === 'parts' || by === 'bytes' || by === 'last-part',
    time: verdict || (age ?? null) !== null,
  };
}

/** Updates the verdict of a row. */
export function updateVerdict(row: ListedRow, nowMs: number): void {
  row.verdict = verdictOf(row, nowMs);
}

function rowOf(id: number, bucket: string, upload: MultipartUpload, words: Map<string, string>): ListedRow {
  const owner = upload.initiator ?? upload.owner;
  const initiator = owner?.displayName ?? owner?.id ?? null;
  return {
    id,
    bucket,
    key: detachedText(upload.key),
    uploadId: detachedText(upload.uploadId),
    initiatedAt: upload.initiatedAt === null ? null : detachedText(upload.initiatedAt),
    initiator: initiator === null ? null : internText(initiator, words),
    storageClass: upload.storageClass === null ? null : internText(upload.storageClass, words),
    verdict: 'unread',
    parts: null,
    error: null,
  };
}

function internText(text: string, words: Map<string, string>): string {
  const known = words.get(text);
  if (known !== undefined) return known;
  const plainText = detachedText(text);
  words.set(plainText, plainText);
  return plainText;
}

function withRow({ storedBytes, unread, oldestAt }: UploadTotals, { initiatedAt }: ListedRow): UploadTotals {
  // Times in ISO 8601 and UTC can be compared as texts.
  const isOlder = initiatedAt !== null && (oldestAt === null || initiatedAt < oldestAt);
  return { storedBytes, unread: unread + 1, oldestAt: isOlder ? initiatedAt : oldestAt };
}

/** Returns the number of rows without parts and without an error. */
export function countUnread(rows: readonly ListedRow[]): number {
  return rows.reduce((sum, { parts, error }) => sum + (parts === null && error === null ? 1 : 0), 0);
}
