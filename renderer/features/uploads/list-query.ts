import {
  uploadSortKeys,
  verdicts,
  type UploadFilter,
  type UploadRef,
  type UploadSort,
  type Verdict,
} from '../../../shared/models/uploads.ts';

export type SortKey = UploadSort['by'];

/** Where stalled uploads are looked for. */
export interface UploadsWhere {
  readonly connectionId: string;
  /** null: all buckets of the connection. */
  readonly bucket: string | null;
  readonly prefix: string;
}

export const firstSort: UploadSort = { by: 'begun', descending: true };
export const noFilter: UploadFilter = { text: '', verdicts: null, bucket: null, begunBefore: null };

/** Clicking a column sorts by it, clicking it again turns the order round. Numbers and times begin with the largest. */
export function toggledSort(sort: UploadSort, by: SortKey): UploadSort {
  if (sort.by === by) return { by, descending: !sort.descending };
  return { by, descending: by === 'begun' || by === 'parts' || by === 'bytes' || by === 'last-part' };
}

/** An order or a choice by these needs the parts of every row. */
export function needsParts(sort: UploadSort, filter: UploadFilter): 'sort' | 'filter' | null {
  if (sort.by === 'parts' || sort.by === 'bytes' || sort.by === 'last-part' || sort.by === 'verdict')
    return 'sort';
  return filter.verdicts === null || filter.verdicts.includes('unread') ? null : 'filter';
}

/** Ticks a verdict on or off. None ticked and all ticked are the same: everything. */
export function toggledVerdict(filter: UploadFilter, verdict: Verdict): UploadFilter {
  const now = filter.verdicts ?? [];
  const next = now.includes(verdict) ? now.filter((one) => one !== verdict) : [...now, verdict];
  const everything = next.length === 0 || next.length === verdicts.length;
  return { ...filter, verdicts: everything ? null : verdicts.filter((one) => next.includes(one)) };
}

export function isFiltered(filter: UploadFilter): boolean {
  return filter.text !== '' || filter.verdicts !== null || filter.begunBefore !== null;
}

export interface Column {
  readonly by: SortKey;
  /** As in grid-template-columns. */
  readonly width: string;
  readonly align: 'start' | 'end';
}

const widths: Readonly<Record<SortKey, string>> = {
  key: 'minmax(180px, 1fr)',
  bucket: 'minmax(90px, 0.35fr)',
  begun: '118px',
  parts: '72px',
  bytes: '88px',
  'storage-class': '96px',
  initiator: '110px',
  'last-part': '118px',
  verdict: '150px',
};

/** The columns that have room, the least important left out first. */
export function columnsFor(width: number, manyBuckets: boolean): readonly Column[] {
  const hidden = new Set<SortKey>();
  if (!manyBuckets) hidden.add('bucket');
  if (width < 1060) hidden.add('initiator');
  if (width < 940) hidden.add('storage-class');
  if (width < 820) hidden.add('last-part');
  if (width < 560) hidden.add('parts');
  if (width < 480) hidden.add('begun');
  return uploadSortKeys
    .filter((by) => !hidden.has(by))
    .map((by) => ({ by, width: widths[by], align: by === 'parts' || by === 'bytes' ? 'end' : 'start' }));
}

/** The moment before which uploads are older than N days; null for what is no number of days. */
export function begunBefore(daysText: string, nowMs: number): string | null {
  const days = Number(daysText);
  if (daysText.trim() === '' || !Number.isInteger(days) || days < 1 || days > 36_500) return null;
  return new Date(nowMs - days * 86_400_000).toISOString();
}

/** One upload, whatever its row: several uploads of one key are several. */
export function refId(ref: Pick<UploadRef, 'bucket' | 'key' | 'uploadId'>): string {
  return JSON.stringify([ref.bucket, ref.key, ref.uploadId]);
}

/** The last segment of a key, for titles: `b.bin` of `a/b.bin`, `b/` of `a/b/`. */
export function nameOfKey(key: string): string {
  const cut = key.lastIndexOf('/', key.length - 2);
  const name = key.slice(cut + 1);
  return name === '' ? key : name;
}
