import { useCallback, useMemo } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { ObjectEntry } from '../../../shared/models/objects.ts';
import type { ExportFormat, WalkSort, WalkStatus } from '../../../shared/models/walks.ts';
import { maxSelectedItems } from '../../../shared/models/limits.ts';
import { rpc } from '../../rpc/client.ts';
import { copyAndSay } from '../../ui/clipboard/copy-text.ts';
import { showNotice } from '../../ui/notices/notices.tsx';
import { formatCount } from '../../ui/words/format.ts';
import { saveFrom } from '../../rpc/save-file.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { disabledReasonOf, selectedResults, sumOfSelection, type DisabledReason } from './results-model.ts';
import type { ChosenResults, SearchServices } from './search-services.ts';
import type { Results } from './use-results.ts';

export interface ResultActions {
  /** The reason why the actions are disabled, or null if they are enabled. */
  readonly hindrance: DisabledReason;
  /** The selected object, or null unless exactly one object is selected. */
  readonly only: ObjectEntry | null;
  readonly goToFolder: (inNewTab: boolean) => void;
  readonly copyKeys: () => void;
  readonly download: () => void;
  readonly remove: () => void;
  /**
   * Calls `act` once the window can read the selection. If all results are selected, first reads them and selects each by its
   * key. Says so if there are too many.
   */
  readonly withSelected: (act: () => void) => void;
  /** Creates a batch job for the selection. Null if the service has no batch jobs. */
  readonly batch: (() => void) | null;
  readonly chosen: ChosenResults;
  readonly exportAs: (format: ExportFormat) => void;
}

/** The actions on the selected search results. */
export function useResultActions(
  status: WalkStatus,
  results: Results,
  sort: WalkSort,
  services: SearchServices,
): ResultActions {
  const { t } = useTranslation();
  const { walkId, matchedBytes } = status;
  const isRunning = status.state === 'running';
  const { batch, actions } = services;
  const { selection, rows, choose } = results;
  const { total, range } = rows;
  const hindrance = disabledReasonOf(selection, total, isRunning);
  const chosen = useMemo<ChosenResults>(
    () => ({
      walkId,
      entries: selection.kind === 'all' ? null : [...selection.rows.values()],
      items: selectedResults(selection, walkId),
      ...sumOfSelection(selection, { count: total, sizeBytes: matchedBytes }),
    }),
    [selection, walkId, total, matchedBytes],
  );
  const only =
    selection.kind === 'some' && selection.rows.size === 1 ? ([...selection.rows.values()][0] ?? null) : null;

  const copyKeys = useCallback(() => {
    sayingFailure(async () => {
      if (selection.kind === 'some') {
        if (selection.rows.size > 0) actions.copy();
        return;
      }
      const keys = (await range(0, total - 1, new AbortController().signal)).map(({ key }) => key);
      if (keys.length === 0) return;
      await copyAndSay(keys.join('\n'), (say) => say('search.actions.copied'));
    });
  }, [selection, range, total, actions]);

  const withSelected = (act: () => void): void => {
    if (hindrance === 'none' || (selection.kind === 'some' && hindrance === null)) {
      act();
      return;
    }
    if (hindrance === 'running') {
      showNotice({ message: (say) => say('search.hindrances.running') });
      return;
    }
    if (hindrance === 'too-many' || total > maxSelectedItems) {
      showNotice({
        tone: 'warning',
        message: (say) => say('search.actions.tooMany', { limit: formatCount(maxSelectedItems) }),
      });
      return;
    }
    sayingFailure(async () => {
      const all = await range(0, total - 1, new AbortController().signal);
      // The window reads the selection of the rendered page.
      flushSync(() => choose(all));
      act();
    });
  };

  const exportAs = useCallback(
    (format: ExportFormat) => {
      sayingFailure(async () => {
        const title = t('search.actions.exportTitle');
        const made = await rpc.walks.export({ walkId, format, sort, title });
        if (made.kind === 'saved') {
          const { rows: count, fileName } = made;
          showNotice({
            message: (say) =>
              say('search.actions.exported', { count, number: formatCount(count), name: fileName }),
          });
        } else if (made.kind === 'download') saveFrom(made.path, made.fileName);
      });
    },
    [walkId, sort, t],
  );

  return {
    hindrance,
    only,
    chosen,
    goToFolder: (inNewTab) => {
      if (only !== null) services.goToObject(only.key, inNewTab);
    },
    copyKeys,
    download: () => {
      if (hindrance === null) services.download(chosen);
    },
    remove: () => {
      if (hindrance === null) services.remove(chosen);
    },
    withSelected,
    batch:
      batch === null
        ? null
        : () => {
            // The command also runs without a selection, and then says that nothing is selected.
            if (hindrance === null || hindrance === 'none') batch(chosen);
          },
    exportAs,
  };
}
