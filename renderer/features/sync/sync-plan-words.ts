import type { TFunction } from 'i18next';
import type { SyncFilter, SyncRow, SyncStatus } from '../../../shared/models/sync.ts';
import { formatBytes } from '../../ui/words/format.ts';

export interface SyncAmounts {
  readonly copies: number;
  readonly replaced: number;
  readonly deleted: number;
  readonly sizeBytes: number;
}

/** Returns how much the plan would copy and delete when run, with or without deletions. */
export function syncAmountsOf({ counts, needDeletion }: SyncStatus, withDeletions: boolean): SyncAmounts {
  const left = withDeletions ? { items: 0, sizeBytes: 0 } : needDeletion;
  return {
    copies: counts.copy.items - left.items,
    replaced: counts.overwrite.items,
    deleted: withDeletions ? counts.delete.items : 0,
    sizeBytes: counts.copy.sizeBytes - left.sizeBytes + counts.overwrite.sizeBytes,
  };
}

export function changesNothing({ copies, replaced, deleted }: SyncAmounts): boolean {
  return copies + replaced + deleted === 0;
}

/** Returns the label of the start button, for example `Upload 12 files, replace 3, delete 2`. */
export function syncButtonText(doing: SyncAmounts, direction: SyncStatus['direction'], t: TFunction): string {
  const parts: string[] = [];
  if (doing.copies > 0)
    parts.push(
      t(direction === 'up' ? 'sync.run.first.upload' : 'sync.run.first.download', { count: doing.copies }),
    );
  for (const [kind, count] of [
    ['replace', doing.replaced],
    ['delete', doing.deleted],
  ] as const) {
    if (count === 0) continue;
    parts.push(
      parts.length === 0 ? t(`sync.run.first.${kind}`, { count }) : t(`sync.run.next.${kind}`, { count }),
    );
  }
  return parts.length === 0 ? t('sync.run.nothing') : parts.join(', ');
}

interface CountedFilter {
  readonly filter: SyncFilter;
  readonly count: number;
}

/** Returns the filters that match any rows. Filters for rows that the plan would change come first. */
export function filtersOf(
  { counts, needDeletion }: SyncStatus,
  withDeletions: boolean,
): readonly CountedFilter[] {
  const { copy, overwrite, delete: only, same, skipped } = counts;
  const all = copy.items + overwrite.items + only.items;
  const lists: readonly CountedFilter[] = [
    withDeletions
      ? { filter: 'changes-with-deletions', count: all }
      : { filter: 'changes', count: copy.items - needDeletion.items + overwrite.items },
    { filter: 'copy', count: copy.items },
    { filter: 'overwrite', count: overwrite.items },
    { filter: 'delete', count: only.items },
    { filter: 'skipped', count: skipped.items },
    { filter: 'same', count: same.items },
    { filter: 'all', count: all + same.items + skipped.items },
  ];
  return lists.filter(({ filter, count }) => count > 0 || isChanges(filter));
}

function isChanges(filter: SyncFilter): boolean {
  return filter === 'changes' || filter === 'changes-with-deletions';
}

/**
 * Returns the chosen filter if it is offered, or else the filter for changes. For a finished plan without changes, returns the
 * filter for rows that only deletions would change.
 */
export function shownFilter(
  chosen: SyncFilter | null,
  status: SyncStatus,
  withDeletions: boolean,
): SyncFilter {
  const offered = filtersOf(status, withDeletions);
  if (chosen !== null && offered.some(({ filter }) => filter === chosen)) return chosen;
  const changes = withDeletions ? 'changes-with-deletions' : 'changes';
  const isEmpty = offered.some(({ filter, count }) => filter === changes && count === 0);
  const isPlanned = status.state === 'done' && chosen === null;
  return isPlanned && isEmpty && status.counts.delete.items > 0 ? 'delete' : changes;
}

export function filterText(filter: SyncFilter, direction: SyncStatus['direction'], t: TFunction): string {
  return filter === 'delete' ? t(`sync.filters.delete.${direction}`) : t(`sync.filters.${filter}`);
}

export function actionText(
  { action, reason }: SyncRow,
  direction: SyncStatus['direction'],
  withDeletions: boolean,
  t: TFunction,
): string {
  switch (action) {
    case 'copy':
      return reason === 'needs-deletion' && !withDeletions
        ? t('sync.actions.skipped')
        : t(`sync.actions.copy.${direction}`);
    case 'delete':
      return withDeletions ? t('sync.actions.delete') : t('sync.actions.kept');
    case 'overwrite':
    case 'same':
    case 'skipped':
      return t(`sync.actions.${action}`);
    default:
      return action satisfies never;
  }
}

export function syncReasonText(row: SyncRow, direction: SyncStatus['direction'], t: TFunction): string {
  const { action, reason, byTime } = row;
  if (reason !== null) {
    const why = t(`sync.reasons.${reason}`);
    return byTime ? `${why} (${t('sync.reasons.byTime')})` : why;
  }
  if (action === 'copy') return t('sync.reasons.new');
  if (action === 'delete') return t(`sync.reasons.only.${direction}`);
  return byTime ? t('sync.reasons.byTime') : '';
}

/**
 * Returns the current size and its replacement, such as `5 bytes → 13 bytes`. Returns one size if both are equal or one side has
 * none.
 */
export function sizesText({ local, remote }: SyncRow, direction: SyncStatus['direction']): string {
  const sides = direction === 'up' ? [remote, local] : [local, remote];
  const sizes = sides.flatMap((side) =>
    typeof side?.sizeBytes === 'number' ? [formatBytes(side.sizeBytes)] : [],
  );
  return [...new Set(sizes)].join(' → ');
}
