import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorWords } from '../../../ui/words/error-words.ts';
import { formatMoment } from '../../../ui/words/format.ts';
import { LeftOut } from '../../../ui/cells/left-out.tsx';
import { FilterNote } from '../find/find-bar.tsx';
import type { FolderModel } from '../folder/folder-model.ts';
import type { SortColumn } from '../rows/folder-columns.ts';
import { SortNote } from './sort-note.tsx';
import type { OpenFolder } from '../folder/use-folder.ts';
import classes from '../../../ui/note.module.css';

interface FolderNotesProps {
  readonly folder: OpenFolder;
  readonly model: FolderModel | null;
  readonly filter: string;
  /** The column to sort the folder by once it is complete. */
  readonly wanted: SortColumn | null;
  readonly onUnwanted: () => void;
  readonly onReload: () => void;
}

/** Notes above the list. */
export function FolderNotes({ folder, model, filter, wanted, onUnwanted, onReload }: FolderNotesProps) {
  const { t } = useTranslation();
  const time = folder.oldSinceMs === null ? '' : formatMoment(folder.oldSinceMs);
  return (
    <>
      {folder.refreshError === null ? null : (
        <div className={classes.note} role="status">
          <span>{t('objects.notUpdated', { time })}</span>
          <span>{t(`${errorWords(folder.refreshError)}.title`)}</span>
          <Button variant="subtle" size="compact-xs" onClick={folder.retry}>
            {t('common.retry')}
          </Button>
        </div>
      )}
      {folder.outdated !== null ? (
        <div className={classes.note} role="status">
          <span>
            {folder.outdated === 'changed' ? t('operations.outdated') : t('objects.fromBefore', { time })}
          </span>
          <Button variant="subtle" size="compact-xs" onClick={onReload}>
            {t('objects.menu.reload')}
          </Button>
        </div>
      ) : null}
      {folder.emptyPages > 1 && folder.hasMore ? (
        <div className={classes.note} role="status">
          {t('objects.emptyPages', { count: folder.emptyPages })}
        </div>
      ) : null}
      {model === null ? null : <LeftOut unreadable={model.unreadable} foreign={model.foreign} />}
      {wanted === null ? null : (
        <SortNote
          wanted={wanted}
          loaded={model?.loadedCount ?? 0}
          isLoading={folder.isLoadingAll}
          onLoad={folder.loadAll}
          onStop={folder.stopLoadingAll}
          onDismiss={onUnwanted}
        />
      )}
      {filter === '' || model === null ? null : (
        <FilterNote
          shown={model.count}
          loaded={model.loadedCount}
          hasMore={folder.hasMore}
          onLoadRest={folder.loadAll}
        />
      )}
    </>
  );
}
