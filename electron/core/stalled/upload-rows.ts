import {
  uploadAges,
  type UploadAge,
  type UploadGroup,
  type UploadRow,
  type UploadSummary,
  type Verdict,
  type UploadFilter,
  type UploadSort,
} from '../../../shared/models/stalled.ts';
import { isBeingWritten } from '../multipart/parts/part-list.ts';

/** The maximum number of groups. Beyond that, a filter is more useful. */
const maxGroups = 200;
const dayMs = 24 * 60 * 60 * 1000;

/** The age groups, each with the number of days at which it ends. */
const ageEnds: readonly (readonly [UploadAge, number])[] = [
  ['day', 1],
  ['week', 7],
  ['month', 30],
  ['quarter', 90],
  ['year', 365],
];

export function uploadAgeOf(initiatedAt: string | null, nowMs: number): UploadAge {
  const atMs = initiatedAt === null ? Number.NaN : Date.parse(initiatedAt);
  if (Number.isNaN(atMs)) return 'unknown';
  return ageEnds.find(([, days]) => nowMs - atMs < days * dayMs)?.[0] ?? 'older';
}

/** The properties of a row that are needed to group it. */
export type CountedRow = Pick<
  UploadRow,
  'bucket' | 'initiator' | 'initiatedAt' | 'storageClass' | 'parts' | 'error'
>;

class Group {
  uploads = 0;
  storedBytes = 0;
  unread = 0;
  oldestAt: string | null = null;
  readonly #stored = new Map<string, { sizeBytes: number; byteDays: number }>();

  add({ initiatedAt, storageClass, parts, error }: CountedRow, days: number): void {
    this.uploads += 1;
    if (initiatedAt !== null && (this.oldestAt === null || initiatedAt < this.oldestAt))
      this.oldestAt = initiatedAt;
    if (parts === null) {
      if (error === null) this.unread += 1;
      return;
    }
    this.storedBytes += parts.storedBytes;
    const name = storageClass ?? 'STANDARD';
    const known = this.#stored.get(name) ?? { sizeBytes: 0, byteDays: 0 };
    known.sizeBytes += parts.storedBytes;
    known.byteDays += parts.storedBytes * days;
    this.#stored.set(name, known);
  }

  model(name: string): UploadGroup {
    const { uploads, storedBytes, unread, oldestAt } = this;
    const stored = [...this.#stored].map(([storageClass, sums]) => ({ storageClass, ...sums }));
    return { name, uploads, storedBytes, unread, oldestAt, stored };
  }
}

/** Counts uploads by bucket, by client and by age. */
export function summaryOf(rows: readonly CountedRow[], nowMs: number): UploadSummary {
  const all = new Group();
  const buckets = new Map<string, Group>();
  const initiators = new Map<string, Group>();
  const ages = new Map<string, Group>();
  for (const row of rows) {
    const atMs = row.initiatedAt === null ? Number.NaN : Date.parse(row.initiatedAt);
    const days = Number.isNaN(atMs) ? 0 : Math.max(0, (nowMs - atMs) / dayMs);
    all.add(row, days);
    groupOf(buckets, row.bucket).add(row, days);
    groupOf(initiators, row.initiator ?? '').add(row, days);
    groupOf(ages, uploadAgeOf(row.initiatedAt, nowMs)).add(row, days);
  }
  return {
    all: all.model(''),
    byBucket: largestFirst(buckets),
    byInitiator: largestFirst(initiators),
    byAge: uploadAges.flatMap((age) => ages.get(age)?.model(age) ?? []),
  };
}

function groupOf(groups: Map<string, Group>, name: string): Group {
  const known = groups.get(name);
  if (known !== undefined) return known;
  const made = new Group();
  groups.set(name, made);
  return made;
}

function largestFirst(groups: ReadonlyMap<string, Group>): UploadGroup[] {
  return [...groups]
    .map(([name, group]) => group.model(name))
    .toSorted((left, right) => right.storedBytes - left.storedBytes || right.uploads - left.uploads)
    .slice(0, maxGroups);
}

/**
 * Returns the first verdict that applies. `no-gaps` does not mean that the upload is complete, because the service does not know
 * its intended length.
 */
export function verdictOf({ parts, error }: Pick<UploadRow, 'parts' | 'error'>, nowMs: number): Verdict {
  if (parts === null) return error === null ? 'unread' : 'could-not-be-read';
  if (isBeingWritten(parts.lastPartAt, nowMs)) return 'still-being-written';
  if (parts.partCount === 0) return 'empty';
  if (parts.gapCount > 0) return 'has-gaps';
  if (parts.smallCount > 0) return 'has-small-parts';
  return 'no-gaps';
}

/** The order of verdicts in the column. */
const verdictRank: Readonly<Record<Verdict, number>> = {
  'could-not-be-read': 0,
  'still-being-written': 1,
  empty: 2,
  'has-gaps': 3,
  'has-small-parts': 4,
  'no-gaps': 5,
  unread: 6,
};

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
