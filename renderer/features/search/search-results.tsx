import { Box } from '@mantine/core';
import { FileQuestion, FolderOpen, Search, type LucideIcon } from 'lucide-react';
import type { TFunction } from 'i18next';
import { useMemo, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../shared/keys/display.ts';
import type { WalkSort, WalkStatus } from '../../../shared/models/walks.ts';
import { rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/words/format.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { useCommandRuns } from '../../ui/keyboard/commands.ts';
import { plain } from '../../ui/table/selection.ts';
import type { FolderHandle, FolderPlace } from '../objects/index.ts';
import { LazyPreviewDialog } from '../viewers/index.ts';
import { useResultActions } from './result-actions.ts';
import { ResultBar } from './result-bar.tsx';
import type { SortedColumn } from './result-columns.tsx';
import { ResultsList } from './results-list.tsx';
import { SearchProgress } from './search-progress.tsx';
import type { SearchServices, SearchWhere } from './search-services.ts';
import { foundOrder, useResults } from './use-results.ts';

interface Props {
  readonly where: SearchWhere;
  readonly status: WalkStatus;
  readonly services: SearchServices;
  readonly listRef: Ref<FolderHandle> | undefined;
  readonly onAgain: () => void;
  /** Repeats the search on the service instead of the catalogue. */
  readonly onService: () => void;
}

/** Returns the next order for a column: ascending, then descending, then the order in which results were found. */
function nextOrder(sort: WalkSort, by: SortedColumn): WalkSort {
  if (sort.by !== by) return { by, descending: false };
  return sort.descending ? foundOrder : { by, descending: true };
}

/** Shows the progress of a search, and its results in the list of a folder. */
export function SearchResults({ where, status, services, listRef, onAgain, onService }: Props) {
  const { walkId } = status;
  const isRunning = status.state === 'running';
  const [sort, setSort] = useState(foundOrder);
  const [previewKey, setPreviewKey] = useState<string | null>(null);
  const results = useResults(status, sort, (thrown) =>
    sayingFailure(() => Promise.reject(thrown instanceof Error ? thrown : new Error(String(thrown)))),
  );
  const { rows, selection, active } = results;
  const actions = useResultActions(status, results, sort, services);
  const { connectionId, bucket, prefix } = where;
  const place = useMemo<FolderPlace>(
    () => ({ connectionId, bucket, folder: prefix, startsWith: '' }),
    [connectionId, bucket, prefix],
  );

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
  const { batch } = actions;
  const { copyTo, moveTo, about } = services.actions;
  useCommandRuns({
    selectAll: results.selectAll,
    download: actions.download,
    ...(batch === null ? {} : { batchJob: batch }),
  });

  return (
    <>
      <SearchProgress
        status={status}
        onStop={() => sayingFailure(() => rpc.walks.stop({ walkId }))}
        onRetry={onAgain}
        onService={onService}
      />
      {rows.error === null ? null : (
        <Box flex="none" pt={4} pb="xs" px="md">
          <FailureNotice error={rows.error} onRetry={rows.refresh} />
        </Box>
      )}
      {rows.total > 0 ? (
        <>
          <ResultBar
            actions={actions}
            isAll={selection.kind === 'all'}
            selected={actions.chosen}
            isRunning={isRunning}
            onPreview={preview}
            onSelectAll={results.selectAll}
          />
          <ResultsList
            ref={listRef}
            place={place}
            status={status}
            results={results}
            resultActions={actions}
            services={services}
            sort={sort}
            onSort={(by) => {
              setSort(nextOrder(sort, by));
              results.reordered();
            }}
            onOpen={setPreviewKey}
            onAgain={onAgain}
          />
        </>
      ) : (
        <NothingFound status={status} />
      )}
      {services.renderDetails({
        ...actions,
        copyTo,
        moveTo,
        properties: about.properties,
        isArriving: rows.total === 0 && isRunning,
        onPreview: preview,
      })}
      <LazyPreviewDialog
        place={place}
        objectKey={previewKey}
        onStep={step}
        onClose={() => setPreviewKey(null)}
      />
    </>
  );
}

/** Shown in place of missing results. Says whether the search runs, was stopped, or found no match. */
function NothingFound({ status }: { readonly status: WalkStatus }) {
  const { t } = useTranslation();
  if (status.matches > 0 || status.state === 'failed') return null;
  const [Icon, title, body] = emptyWords(status, t);
  return <EmptyState icon={<Icon size={28} />} title={title} body={body} />;
}

/** Returns the icon, title and text for a search without results. */
function emptyWords(status: WalkStatus, t: TFunction): readonly [LucideIcon, string, string] {
  const { state, onlyBelow } = status;
  const counted = { count: status.keys, keys: formatCount(status.keys) };
  if (state === 'running') return [Search, t('search.looking.title'), t('search.looking.body', counted)];
  if (status.changes > 0) return [FileQuestion, t('search.empty.leftTitle'), t('search.empty.left')];
  if (state === 'stopped')
    return [Search, t('search.stoppedEmpty.title'), t('search.stoppedEmpty.body', counted)];
  if (onlyBelow !== null) {
    const start = nameText(onlyBelow, t('common.keyText.empty'));
    return [FileQuestion, t('search.empty.title'), t('search.empty.onlyBelow', { ...counted, start })];
  }
  return status.keys === 0
    ? [FolderOpen, t('search.empty.title'), t('search.empty.nothingHere')]
    : [FileQuestion, t('search.empty.title'), t('search.empty.body', counted)];
}
