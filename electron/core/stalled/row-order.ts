import type { UploadFilter, UploadRow, UploadSort } from '../../../shared/models/stalled.ts';
import { uploadAgeOf } from './summary.ts';
import { verdictRank } from './verdict.ts';

/** Compares two rows. Rows without a value come last in both directions; equal rows are ordered by key and upload id. */
export function compareRows(left: UploadRow, right: UploadRow, sort: UploadSort): number {
  const a = valueOf(left, sort.by);
  const b = valueOf(right, sort.by);
  if (a === null || b === null) {
    if (a !== null) return -1;
    if (b !== null) return 1;
  } else if (a !== b) {
    const order = a < b ? -1 : 1;
    return sort.descending ? -order : order;
  }
  return (
    compareText(left.key, right.key) ||
    compareText(left.bucket, right.bucket) ||
    compareText(left.uploadId, right.uploadId)
  );
}

function valueOf(row: UploadRow, by: UploadSort['by']): string | number | null {
  switch (by) {
    case 'key':
      return row.key;
    case 'bucket':
      return row.bucket;
    case 'begun':
      return row.initiatedAt;
    case 'parts':
      return row.parts?.partCount ?? null;
    case 'bytes':
      return row.parts?.storedBytes ?? null;
    case 'storage-class':
      return row.storageClass;
    case 'initiator':
      return row.initiator;
    case 'last-part':
      return row.parts?.lastPartAt ?? null;
    case 'verdict':
      return row.verdict === 'unread' ? null : verdictRank[row.verdict];
    default:
      return by satisfies never;
  }
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export function matchesFilter(row: UploadRow, filter: UploadFilter, nowMs: number): boolean {
  if (filter.bucket !== null && row.bucket !== filter.bucket) return false;
  if (filter.verdicts !== null && !filter.verdicts.includes(row.verdict)) return false;
  if (filter.text !== '' && !row.key.toLowerCase().includes(filter.text.toLowerCase())) return false;
  const { initiator = null, age = null } = filter;
  if (initiator !== null && (row.initiator ?? '') !== initiator) return false;
  if (age !== null && uploadAgeOf(row.initiatedAt, nowMs) !== age) return false;
  if (filter.begunBefore === null) return true;
  // Uploads with an unknown start time do not count as old.
  if (row.initiatedAt === null) return false;
  return Date.parse(row.initiatedAt) < Date.parse(filter.begunBefore);
}
