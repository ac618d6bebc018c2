import { Loader } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { formatBytes, formatCount, formatMoment } from '../../../ui/words/format.ts';
import { StatusContent } from '../../../ui/status-slot.tsx';
import type { FolderModel } from '../folder/folder-model.ts';
import type { OpenFolder } from '../folder/use-folder.ts';
import type { FolderRow } from '../rows/row.ts';
import classes from '../page.module.css';

export function sumOf(model: FolderModel | null, rows: ReadonlySet<number>) {
  let folders = 0;
  let sizeBytes = 0;
  for (const number of rows) {
    if (model?.isFolder(number) === true) folders += 1;
    else sizeBytes += model?.sizeBytes(number) ?? 0;
  }
  return { rows: rows.size, folders, sizeBytes };
}

/** A selection as the details show it. */
export interface DetailedRows {
  readonly count: number;
  /** The only selected row, or null if no row or several rows are selected. */
  readonly only: FolderRow | null;
  readonly sum: () => ReturnType<typeof sumOf>;
  /** Returns the selected rows, or null if some of them are not loaded. */
  readonly rows: () => readonly FolderRow[] | null;
}

/** Returns the selected rows of a folder as the details show them. */
export function detailedRows(model: FolderModel | null, selected: ReadonlySet<number>): DetailedRows {
  const [number] = selected;
  const only = selected.size === 1 && number !== undefined ? model?.row(number) : undefined;
  return {
    count: selected.size,
    only: only ?? null,
    sum: () => sumOf(model, selected),
    rows: () => (model === null ? null : [...selected].flatMap((at) => model.row(at) ?? [])),
  };
}

interface StatusLineProps {
  readonly folder: OpenFolder;
  readonly selected: ReadonlySet<number>;
  /** The gallery's size control, or null in other views. */
  readonly tileSize: ReactNode;
}

/** Shows the number of loaded rows, the selection, and whether a request is running. */
export function StatusLine({ folder, selected, tileSize }: StatusLineProps) {
  const { t } = useTranslation();
  const { model, hasMore, nextError, isFetching, oldSinceMs } = folder;
  const loaded = model?.loadedCount ?? 0;
  const sum = useMemo(() => sumOf(model, selected), [model, selected]);
  const counted = { count: loaded, rows: formatCount(loaded) };
  return (
    <StatusContent>
      <div
        className={joinClasses(
          common.hint,
          common.row,
          common.numbers,
          common.fixed,
          common.clip,
          classes.status,
        )}
      >
        <span role="status">
          {model === null ? null : t(hasMore ? 'objects.status.loaded' : 'objects.status.complete', counted)}
          {oldSinceMs === null || !isFetching ? null : (
            <span>{` · ${t('objects.status.updating', { time: formatMoment(oldSinceMs) })}`}</span>
          )}
          {hasMore && nextError === null ? ` · ${t('objects.status.more')}` : null}
          {nextError === null || isFetching ? null : (
            <span className={common.bad}>{` · ${t('objects.status.partly')}`}</span>
          )}
        </span>
        {sum.rows === 0 ? null : (
          <span>
            {t('objects.status.selected', { count: sum.rows, rows: formatCount(sum.rows) })}
            {sum.folders === sum.rows ? null : ` · ${formatBytes(sum.sizeBytes)}`}
            {sum.folders === 0 || sum.folders === sum.rows
              ? null
              : ` · ${t('objects.status.folders', { count: sum.folders, rows: formatCount(sum.folders) })}`}
          </span>
        )}
        <span className={classes.statusRequest}>
          {isFetching ? (
            <>
              <Loader size={12} aria-hidden />
              {t('objects.status.request')}
            </>
          ) : null}
        </span>
        {tileSize}
      </div>
    </StatusContent>
  );
}
