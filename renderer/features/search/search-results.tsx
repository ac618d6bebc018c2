import { FileQuestion, FolderOpen, Search } from 'lucide-react';
import { useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../shared/keys/display.ts';
import type { WalkSort, WalkStatus } from '../../../shared/models/walks.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { maxSelectedItems } from '../../../shared/models/selection-limit.ts';
import { showNotice } from '../../ui/notices/notices.tsx';
import type { MenuPoint } from '../../ui/point-menu.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { formatCount } from '../../ui/words/format.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { isCommand, useCommandRuns } from '../../ui/keyboard/commands.ts';
import { hasMainModifier } from '../../ui/keyboard/shortcuts.ts';
import { useStable } from '../../ui/use-stable.ts';
import { plain } from '../../ui/table/selection.ts';
import { useResultActions } from './result-actions.ts';
import { ResultBar, ResultMenu } from './result-bar.tsx';
import { ResultsTable, type SortedColumn } from './results-table.tsx';
import { SearchProgress } from './search-progress.tsx';
import type { SearchServices, SearchWhere } from './search-services.ts';
import { foundOrder, useResults } from './use-results.ts';
import classes from './search.module.css';

interface Props {
  readonly where: SearchWhere;
  readonly status: WalkStatus;
  readonly services: SearchServices;
  readonly onAgain: () => void;
  /** Repeats the search on the service instead of the catalogue. */
  readonly onService: () => void;
}

/** Returns the next order for a column: ascending, then descending, then the order in which results were found. */
function nextOrder(sort: WalkSort, by: SortedColumn): WalkSort {
  if (sort.by !== by) return { by, descending: false };
  return sort.descending ? foundOrder : { by, descending: true };
}

/** Shows the progress of a search, and its results in a list like the one for a folder. */
export function SearchResults({ where, status, services, onAgain, onService }: Props) {
  const { walkId } = status;
  const isRunning = status.state === 'running';
  const [sort, setSort] = useState(foundOrder);
  const [menuAt, setMenuAt] = useState<MenuPoint | null>(null);
  const [previewKey, setPreviewKey] = useState<string | null>(null);
  const [isLooking, setLooking] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const results = useResults(status, sort, (thrown) => {
    sayingFailure(() => Promise.reject(thrown instanceof Error ? thrown : new Error(String(thrown))));
  });
  const { rows, selection, active } = results;
  const actions = useResultActions(status, results, sort, services);
  const focusList = (): void => list.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();

  const openRow = (index: number): void => {
    const row = rows.rowAt(index);
    if (row !== null) setPreviewKey(row.key);
  };
  const preview = (): void => {
    if (actions.only !== null) setPreviewKey(actions.only.key);
  };
  const step = (by: -1 | 1): void => {
    const next = active + by;
    const row = next < 0 || next >= rows.total ? null : rows.rowAt(next);
    if (row === null) return;
    results.activate(next, plain);
    setPreviewKey(row.key);
  };
  const drag = (index: number, event: DragEvent): void => {
    const row = rows.rowAt(index);
    if (row === null) return;
    if (!results.isSelected(index)) results.activate(index, plain);
    const dragged = results.isSelected(index) ? actions.chosen.entries : [row];
    if (dragged !== null && dragged.length <= maxSelectedItems) {
      services.drag(event.dataTransfer, dragged);
      return;
    }
    // Not all of them are loaded.
    event.preventDefault();
    showNotice({ message: (say) => say('search.actions.dragAll') });
  };
  const focused = active < 0 || active >= rows.total ? null : rows.rowAt(active);
  const look = useStable({
    close: () => {
      setLooking(false);
      focusList();
    },
  });
  const { batch } = actions;
  useCommandRuns({
    selectAll: results.selectAll,
    download: actions.download,
    ...(batch === null ? {} : { batchJob: batch }),
  });
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isLooking) setLooking(false);
    else if (event.key === 'Escape') results.clear();
    else if (isCommand(event, 'remove')) actions.remove();
    else if (isCommand(event, 'copy')) actions.copyKeys();
    else if (isCommand(event, 'properties')) actions.properties();
    else return;
    event.preventDefault();
  };

  return (
    <>
      <SearchProgress
        status={status}
        onStop={() => {
          sayingFailure(() => rpc.walks.stop({ walkId }));
        }}
        onRetry={onAgain}
        onService={onService}
      />
      {rows.error === null ? null : (
        <div className={classes.notice}>
          <ErrorNotice error={appErrorOf(rows.error)} onRetry={rows.refresh} />
        </div>
      )}
      {rows.total > 0 ? (
        <>
          <ResultBar
            actions={actions}
            isAll={selection.kind === 'all'}
            selected={actions.chosen}
            isRunning={isRunning}
            onPreview={preview}
            onSelectAll={() => {
              results.selectAll();
              focusList();
            }}
          />
          {/* Captures Ctrl+Enter (opens the folder) and Space (opens a quick look) before the grid, which would select a row. */}
          {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
          <div
            ref={list}
            className={classes.listFrame}
            onKeyDownCapture={(event) => {
              const isPlain = !event.shiftKey && !event.altKey && !hasMainModifier(event);
              if (event.key === ' ' && isPlain && focused !== null) {
                event.preventDefault();
                event.stopPropagation();
                setLooking(!isLooking);
                return;
              }
              if (event.key !== 'Enter' || !hasMainModifier(event) || actions.only === null) return;
              event.preventDefault();
              event.stopPropagation();
              actions.goToFolder(event.shiftKey);
            }}
          >
            <ResultsTable
              results={results}
              prefix={where.prefix}
              pattern={status.query?.name ?? null}
              sort={sort}
              onSort={
                isRunning
                  ? null
                  : (by) => {
                      setSort(nextOrder(sort, by));
                      results.reordered();
                    }
              }
              onOpen={openRow}
              onKey={onKey}
              onMenu={setMenuAt}
              onDragStart={drag}
            />
            {isLooking && focused !== null ? services.renderLook(focused, look.close) : null}
          </div>
        </>
      ) : (
        <NothingFound status={status} />
      )}
      <ResultMenu
        at={menuAt}
        actions={actions}
        count={actions.chosen.count}
        onClose={() => {
          setMenuAt(null);
          focusList();
        }}
        onPreview={preview}
        onSelectAll={results.selectAll}
      />
      {services.renderDetails({ ...actions, isArriving: rows.total === 0 && isRunning, onPreview: preview })}
      {services.renderPreview({
        objectKey: previewKey,
        onStep: step,
        onClose: () => setPreviewKey(null),
      })}
    </>
  );
}

/** Shown in place of missing results. Says if the search runs, was stopped, or found no match. */
function NothingFound({ status }: { readonly status: WalkStatus }) {
  const { t } = useTranslation();
  const keys = formatCount(status.keys);
  if (status.matches > 0 || status.state === 'failed') return null;
  switch (status.state) {
    case 'running':
      return (
        <EmptyState
          icon={<Search size={28} />}
          title={t('search.looking.title')}
          body={t('search.looking.body', { count: status.keys, keys })}
        />
      );
    case 'stopped':
      return (
        <EmptyState
          icon={<Search size={28} />}
          title={t('search.stoppedEmpty.title')}
          body={t('search.stoppedEmpty.body', { count: status.keys, keys })}
        />
      );
    case 'done':
      return status.keys === 0 && status.onlyBelow === null ? (
        <EmptyState
          icon={<FolderOpen size={28} />}
          title={t('search.empty.title')}
          body={t('search.empty.nothingHere')}
        />
      ) : (
        <EmptyState
          icon={<FileQuestion size={28} />}
          title={t('search.empty.title')}
          body={
            status.onlyBelow === null
              ? t('search.empty.body', { count: status.keys, keys })
              : t('search.empty.onlyBelow', {
                  count: status.keys,
                  keys,
                  start: nameText(status.onlyBelow, t('common.keyText.empty')),
                })
          }
        />
      );
    default:
      return status.state satisfies never;
  }
}
