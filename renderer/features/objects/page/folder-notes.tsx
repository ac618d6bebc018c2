import { Button, Loader } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { errorWords } from '../../../ui/words/error-words.ts';
import { formatCount, formatMoment } from '../../../ui/words/format.ts';
import { OmittedEntries } from '../../../ui/cells/left-out.tsx';
import type { SortColumn } from '../rows/folder-columns.ts';
import type { FolderModel } from '../folder/folder-model.ts';
import type { OpenFolder } from '../folder/use-folder.ts';
import common from '../../../ui/common.module.css';

interface FolderNotesProps {
  readonly folder: OpenFolder;
  readonly filter: string;
  /** The column by which to sort once the folder is complete, or null. */
  readonly pendingSort: SortColumn | null;
  readonly onCancelSort: () => void;
  readonly onReload: () => void;
}

/** Shows the notes above the list: outdated rows, unreadable entries, sorting that waits for the rest of the rows. */
export function FolderNotes({ folder, filter, pendingSort, onCancelSort, onReload }: FolderNotesProps) {
  const { model } = folder;
  const { t } = useTranslation();
  const time = folder.oldSinceMs === null ? '' : formatMoment(folder.oldSinceMs);
  return (
    <>
      {folder.refreshError === null ? null : (
        <div className={common.note} role="status">
          <span>{t('objects.notUpdated', { time })}</span>
          <span>{t(`${errorWords(folder.refreshError)}.title`)}</span>
          <Button variant="subtle" size="compact-xs" onClick={folder.retry}>
            {t('common.retry')}
          </Button>
        </div>
      )}
      {folder.outdated !== null ? (
        <div className={common.note} role="status">
          <span>
            {folder.outdated === 'changed' ? t('operations.outdated') : t('objects.fromBefore', { time })}
          </span>
          <Button variant="subtle" size="compact-xs" onClick={onReload}>
            {t('objects.menu.reload')}
          </Button>
        </div>
      ) : null}
      {folder.emptyPages > 1 && folder.hasMore ? (
        <div className={common.note} role="status">
          {t('objects.emptyPages', { count: folder.emptyPages })}
        </div>
      ) : null}
      {model === null ? null : <OmittedEntries unreadable={model.unreadable} foreign={model.foreign} />}
      {pendingSort === null ? null : (
        <SortNote folder={folder} pendingSort={pendingSort} onDismiss={onCancelSort} />
      )}
      {filter === '' || model === null ? null : <FilterNote folder={folder} model={model} />}
    </>
  );
}

interface SortNoteProps {
  /** The column chosen while the folder was incomplete. */
  readonly pendingSort: SortColumn;
  readonly folder: Pick<OpenFolder, 'model' | 'isLoadingAll' | 'loadAll' | 'stopLoadingAll'>;
  readonly onDismiss: () => void;
}

/** Says that sorting needs the whole folder. Offers to load the rest, shows the progress and a button to stop. */
function SortNote({ pendingSort, folder, onDismiss }: SortNoteProps) {
  const { t } = useTranslation();
  if (folder.isLoadingAll)
    return (
      <div className={common.note} role="status">
        <Loader size={14} aria-hidden />
        <span>{t('objects.sort.loading', { loaded: formatCount(folder.model?.loadedCount ?? 0) })}</span>
        <Button variant="default" size="compact-xs" onClick={folder.stopLoadingAll}>
          {t('common.stop')}
        </Button>
      </div>
    );
  return (
    <div className={common.note} role="status">
      <span>{t('objects.sort.offer', { column: t(`objects.sort.columnsLower.${pendingSort}`) })}</span>
      <Button size="compact-xs" onClick={folder.loadAll}>
        {t('objects.sort.load')}
      </Button>
      <Button variant="subtle" color="gray" size="compact-xs" onClick={onDismiss}>
        {t('objects.sort.notNow')}
      </Button>
    </div>
  );
}

interface FilterNoteProps {
  readonly folder: Pick<OpenFolder, 'hasMore' | 'loadAll'>;
  readonly model: FolderModel;
}

/** Says that the filter applies only to the loaded rows, and offers to load the rest. */
function FilterNote({
  folder: { hasMore, loadAll },
  model: { count: shown, loadedCount: loaded },
}: FilterNoteProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className={common.note} role="status">
      <span id={id}>
        {t('objects.find.counts', { count: loaded, shown: formatCount(shown), loaded: formatCount(loaded) })}{' '}
        {hasMore ? t('objects.find.notAll') : null}
      </span>
      {hasMore ? (
        <Button variant="subtle" size="compact-xs" aria-describedby={id} onClick={loadAll}>
          {t('objects.find.loadRest')}
        </Button>
      ) : null}
    </div>
  );
}
