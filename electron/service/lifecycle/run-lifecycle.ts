import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ListedVersion, UploadRow } from '../store/model.ts';
import type { Store } from '../store/object-store.ts';
import { parseXml } from '../xml.ts';
import { readLifecycle, type LifecycleRule, type LifecycleFilter } from './lifecycle-rules.ts';

const dayMs = 86_400_000;

/** Returns the time in milliseconds since 1970 at which an action is due: the first midnight (UTC) after `days` days. */
function dueMs(fromMs: number, days: number): number {
  return Math.ceil((fromMs + days * dayMs) / dayMs) * dayMs;
}

/** Returns the versions of one key that are due. `versions` contains all versions of the key, newest first. */
function dueVersions(
  rules: readonly LifecycleRule[],
  versions: readonly ListedVersion[],
  nowMs: number,
): readonly DueVersion[] {
  const enabled = rules.filter(({ isEnabled }) => isEnabled);
  const [latest, ...older] = versions;
  if (latest === undefined) return [];
  const due: DueVersion[] = [];
  for (const [index, row] of older.entries()) {
    const noncurrentSinceMs = versions[index]?.modifiedMs ?? nowMs;
    const isDue = enabled.some(
      ({ filter, noncurrent }) =>
        noncurrent !== null &&
        index >= noncurrent.keptVersions &&
        matches(filter, row) &&
        nowMs >= dueMs(noncurrentSinceMs, noncurrent.days),
    );
    if (isDue) due.push({ row, how: 'version' });
  }
  const isAlone = due.length === older.length;
  if (latest.isMarker) {
    if (isAlone && enabled.some((rule) => expiresMarker(rule, latest, nowMs)))
      due.push({ row: latest, how: 'version' });
  } else if (enabled.some((rule) => expires(rule, latest, nowMs))) due.push({ row: latest, how: 'object' });
  return due;
}

interface DueVersion {
  readonly row: ListedVersion;
  /** `object` deletes the key, which may leave a delete marker. `version` deletes this version permanently. */
  readonly how: 'object' | 'version';
}

function isUploadDue(rules: readonly LifecycleRule[], upload: UploadRow, nowMs: number): boolean {
  return rules.some(
    ({ isEnabled, filter, abortDays }) =>
      isEnabled &&
      abortDays !== null &&
      upload.key.startsWith(filter.prefix) &&
      nowMs >= dueMs(upload.initiatedMs, abortDays),
  );
}

function expires({ filter, expiration }: LifecycleRule, row: ListedVersion, nowMs: number): boolean {
  if (expiration === null || expiration.kind === 'delete-markers' || !matches(filter, row)) return false;
  return nowMs >= (expiration.kind === 'date' ? expiration.dateMs : dueMs(row.modifiedMs, expiration.days));
}

/** Returns true if a delete marker is due to expire. It must be its key's only version, so that it hides nothing. */
function expiresMarker(rule: LifecycleRule, row: ListedVersion, nowMs: number): boolean {
  if (rule.expiration?.kind === 'delete-markers') return row.key.startsWith(rule.filter.prefix);
  return expires(rule, row, nowMs);
}

function matches(filter: LifecycleFilter, row: ListedVersion): boolean {
  const tags = row.attributes.tags ?? {};
  return (
    row.key.startsWith(filter.prefix) &&
    (filter.largerThan === null || row.sizeBytes > filter.largerThan) &&
    (filter.smallerThan === null || row.sizeBytes < filter.smallerThan) &&
    filter.tags.every(([key, value]) => Object.hasOwn(tags, key) && tags[key] === value)
  );
}

const pageLength = 1000;

export interface LifecycleRun {
  readonly store: Store;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
}

/**
 * Applies the rules of all buckets page by page, so that requests are served meanwhile. Throws MalformedXML or another S3 error
 * if stored rules cannot be parsed.
 */
async function runLifecycle({ store, nowMs, signal }: LifecycleRun): Promise<void> {
  for (const bucket of store.buckets.all()) {
    const text = store.buckets.lifecycle(bucket.id);
    if (text === null) continue;
    const rules = readLifecycle(parseXml(text));
    await abortUploads(store, bucket.id, rules, nowMs(), signal);
    await expireVersions(store, bucket.id, rules, nowMs(), signal);
    if (signal.aborted) return;
  }
}

async function abortUploads(
  store: Store,
  bucketId: number,
  rules: readonly LifecycleRule[],
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  let marker: { readonly key: string; readonly id: string } | null = null;
  do {
    const page: ReturnType<Store['uploads']['list']> = store.uploads.list(bucketId, {
      prefix: '',
      delimiter: '',
      after: marker?.key ?? null,
      afterId: marker?.id ?? null,
      limit: pageLength,
    });
    for (const upload of page.rows) if (isUploadDue(rules, upload, nowMs)) store.abortUpload(upload.id);
    marker = page.isTruncated ? (page.rows.at(-1) ?? null) : null;
    await nextTurn();
  } while (marker !== null && !signal.aborted);
}

async function expireVersions(
  store: Store,
  bucketId: number,
  rules: readonly LifecycleRule[],
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  let marker: ListedVersion | null = null;
  /** The versions of the page's last key. The next page may have older versions of it. */
  let lastKeyVersions: ListedVersion[] = [];
  do {
    const page: ReturnType<Store['listVersions']> = store.listVersions(bucketId, {
      prefix: '',
      delimiter: '',
      after: marker?.key ?? null,
      afterVersion: marker?.version ?? null,
      limit: pageLength,
    });
    const due: DueVersion[] = [];
    for (const row of page.rows) {
      if (lastKeyVersions[0] !== undefined && lastKeyVersions[0].key !== row.key) {
        due.push(...dueVersions(rules, lastKeyVersions, nowMs));
        lastKeyVersions = [];
      }
      lastKeyVersions.push(row);
    }
    marker = page.isTruncated ? (page.rows.at(-1) ?? null) : null;
    if (marker === null) due.push(...dueVersions(rules, lastKeyVersions, nowMs));
    deleteDueVersions(store, bucketId, due, nowMs);
    await nextTurn();
  } while (marker !== null && !signal.aborted);
}

/** Deletes the due versions. Skips an object that was overwritten since the listing, because the new one is not due. */
function deleteDueVersions(store: Store, bucketId: number, due: readonly DueVersion[], nowMs: number): void {
  if (due.length === 0) return;
  const toDelete = due.map(({ row, how }) => ({
    key: row.key,
    version: how === 'object' ? null : row.version,
    row,
  }));
  store.deleteObjects(
    bucketId,
    toDelete,
    nowMs,
    ({ row }, existing) =>
      row.isMarker || (existing?.version === row.version && existing.modifiedMs === row.modifiedMs),
    () => undefined,
  );
}

/** Applies the lifecycle rules daily. */
export interface Lifecycle {
  /** Applies the rules once per UTC day. Returns true if they were due. */
  tick(): Promise<boolean>;
}

/** Creates the daily run. The first tick applies the rules at once. */
export function createLifecycle(run: LifecycleRun): Lifecycle {
  let lastRunMs: number | null = null;
  let running: Promise<void> = Promise.resolve();
  return {
    tick: async () => {
      const nowMs = run.nowMs();
      const isDue = lastRunMs === null || Math.floor(nowMs / dayMs) > Math.floor(lastRunMs / dayMs);
      if (isDue) {
        lastRunMs = nowMs;
        running = running.catch(() => undefined).then(() => runLifecycle(run));
      }
      await running;
      return isDue;
    },
  };
}
