import type { ListedVersion, UploadRow } from '../store/model.ts';
import type { LifecycleFilter, LifecycleRule } from './lifecycle-rules.ts';

export const dayMs = 86_400_000;

/** Returns the time in milliseconds since 1970 at which an action is due: the first midnight (UTC) after `days` days. */
export function dueMs(fromMs: number, days: number): number {
  return Math.ceil((fromMs + days * dayMs) / dayMs) * dayMs;
}

/** Returns the versions of one key that are due. `versions` contains all versions of the key, newest first. */
export function dueVersions(
  rules: readonly LifecycleRule[],
  versions: readonly ListedVersion[],
  nowMs: number,
): readonly DueVersion[] {
  const enabled = rules.filter(({ isEnabled }) => isEnabled);
  const [latest, ...older] = versions;
  if (latest === undefined) return [];
  const due: DueVersion[] = [];
  for (const [index, row] of older.entries()) {
    const becameMs = versions[index]?.modifiedMs ?? nowMs;
    const isDue = enabled.some(
      ({ filter, noncurrent }) =>
        noncurrent !== null &&
        index >= noncurrent.kept &&
        matches(filter, row) &&
        nowMs >= dueMs(becameMs, noncurrent.days),
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

export interface DueVersion {
  readonly row: ListedVersion;
  /** `object` deletes the key, which may leave a delete marker. `version` deletes this version permanently. */
  readonly how: 'object' | 'version';
}

export function isUploadDue(rules: readonly LifecycleRule[], upload: UploadRow, nowMs: number): boolean {
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
