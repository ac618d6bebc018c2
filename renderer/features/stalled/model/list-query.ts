import type { TFunction } from 'i18next';
import {
  uploadAges,
  type UploadFilter,
  type UploadGroup,
  type UploadRef,
  type UploadRows,
  type UploadSort,
  type UploadSummary,
  uploadSortKeys,
  type Verdict,
  verdicts,
} from '../../../../shared/models/stalled.ts';
import type { Column, ColumnOrder } from '../../../ui/table/columns.ts';
import { formatBytes, formatDate } from '../../../ui/words/format.ts';

export type SortKey = UploadSort['by'];

/** The scope of the search for stalled uploads. */
export interface UploadsWhere {
  readonly connectionId: string;
  /** The searched bucket, or null for all buckets of the connection. */
  readonly bucket: string | null;
  readonly prefix: string;
}

export const defaultSort: UploadSort = { by: 'begun', descending: true };
export const noUploadFilter: UploadFilter = { text: '', verdicts: null, bucket: null, begunBefore: null };

/** Returns the stored order, or the default if the stored order is missing or unknown. */
export function storedSort(order: ColumnOrder | null): UploadSort {
  const by = uploadSortKeys.find((sortKey) => sortKey === order?.by);
  return order === null || by === undefined ? defaultSort : { by, descending: order.descending };
}

/**
 * Returns `sort` or `filter` if it depends on the parts of all rows, or null. Otherwise, parts are read only for visible rows.
 */
export function needsParts(sort: UploadSort, filter: UploadFilter): 'sort' | 'filter' | null {
  if (sort.by === 'parts' || sort.by === 'bytes' || sort.by === 'last-part' || sort.by === 'verdict')
    return 'sort';
  return filter.verdicts === null || filter.verdicts.includes('unread') ? null : 'filter';
}

/** Toggles a verdict in the filter. Selecting no verdict and selecting all verdicts both mean no filter. */
export function toggledVerdict(filter: UploadFilter, verdict: Verdict): UploadFilter {
  const now = filter.verdicts ?? [];
  const next = now.includes(verdict) ? now.filter((chosen) => chosen !== verdict) : [...now, verdict];
  const isEverything = next.length === 0 || next.length === verdicts.length;
  return {
    ...filter,
    verdicts: isEverything ? null : verdicts.filter((candidate) => next.includes(candidate)),
  };
}

export function isFiltered(filter: UploadFilter): boolean {
  const { text, verdicts: shownVerdicts, bucket, begunBefore: before, initiator = null, age = null } = filter;
  return text !== '' || [shownVerdicts, bucket, before, initiator, age].some((value) => value !== null);
}

/** The columns of the stalled uploads. A narrow window hides the column with the highest rank first. */
const columns: readonly Column<SortKey>[] = [
  { id: 'key', widthPx: 180, share: 1, isFixed: true },
  { id: 'bucket', widthPx: 90, share: 0.35, rank: 1 },
  { id: 'begun', widthPx: 118, firstDescending: true, rank: 4 },
  { id: 'parts', widthPx: 72, align: 'end', firstDescending: true, rank: 5 },
  { id: 'bytes', widthPx: 88, align: 'end', firstDescending: true, rank: 3 },
  { id: 'storage-class', widthPx: 96, rank: 7 },
  { id: 'initiator', widthPx: 110, rank: 8 },
  { id: 'last-part', widthPx: 118, firstDescending: true, rank: 6 },
  { id: 'verdict', widthPx: 150, rank: 2 },
];
const withoutBucket = columns.filter(({ id }) => id !== 'bucket');

/** Returns the available columns. Includes the bucket only if the list covers several buckets. */
export function uploadColumns(manyBuckets: boolean): readonly Column<SortKey>[] {
  return manyBuckets ? columns : withoutBucket;
}

/** Returns the time before which uploads are older than N days, or null if the text is not a number of days. */
export function begunBefore(daysText: string, nowMs: number): string | null {
  const days = Number(daysText);
  if (daysText.trim() === '' || !Number.isInteger(days) || days < 1 || days > 36_500) return null;
  return new Date(nowMs - days * 86_400_000).toISOString();
}

/** Returns a text that identifies an upload. It includes the upload id, since a key may have several uploads. */
export function refId(ref: Pick<UploadRef, 'bucket' | 'key' | 'uploadId'>): string {
  return JSON.stringify([ref.bucket, ref.key, ref.uploadId]);
}

/** Returns the totals as text, for example `12 uploads, at least 3.4 GB stored, the oldest from 3 May 2025`. */
export function totalsText({ found, totals }: Pick<UploadRows, 'found' | 'totals'>, t: TFunction): string {
  const { storedBytes, unread, oldestAt } = totals;
  const words = 'stalled.totals';
  const size = formatBytes(storedBytes);
  const parts = [
    t(`${words}.uploads`, { count: found }),
    unread === 0
      ? t(`${words}.stored`, { size })
      : unread === found
        ? null
        : t(`${words}.storedAtLeast`, { size }),
    oldestAt === null ? null : t(`${words}.oldest`, { date: formatDate(oldestAt) }),
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** The ways to group uploads. */
export const groupings = ['bucket', 'initiator', 'age'] as const;
export type Grouping = (typeof groupings)[number];

export function groupsOf(summary: UploadSummary, grouping: Grouping): readonly UploadGroup[] {
  const { byBucket: bucket, byInitiator: initiator, byAge: age } = summary;
  return { bucket, initiator, age }[grouping];
}

/** Returns the name of the group that the filter selects. */
export function chosenGroup(filter: UploadFilter, grouping: Grouping): string | null {
  return filter[grouping] ?? null;
}

/** Returns the filter that selects only a group, or all groups for null. */
export function filteredByGroup(filter: UploadFilter, grouping: Grouping, name: string | null): UploadFilter {
  return grouping === 'age'
    ? { ...filter, age: uploadAges.find((age) => age === name) ?? null }
    : { ...filter, [grouping]: name };
}
