import {
  uploadAges,
  type UploadAge,
  type UploadGroup,
  type UploadRow,
  type UploadSummary,
} from '../../../shared/models/stalled.ts';

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
