import { Button, Group } from '@mantine/core';
import { FileUp, FolderOpen, FolderPlus, SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { hasNoFocusedElement } from '../../../ui/keyboard/keyboard-place.ts';
import { holdMainPane } from '../../../ui/keyboard/panes.ts';
import type { FolderActions } from '../actions/folder-actions.ts';
import type { OpenFolder } from '../folder/use-folder.ts';
import type { FolderPlace } from '../rows/place.ts';
import type { FolderSlots } from './folder-handle.ts';
import classes from '../list.module.css';

const skeletonWidths = [38, 52, 30, 61, 44, 35, 57, 41, 48, 33, 54, 39];

/** Placeholder for rows that are loading. */
export function LoadingRows() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('objects.loadingFolder')} className={classes.table}>
      <div className={classes.skeletonHead} aria-hidden />
      {skeletonWidths.map((width) => (
        <div key={width} className={classes.skeletonRow} aria-hidden>
          <span className={classes.skeletonIcon} />
          <span className={classes.skeletonName} style={{ width: `${String(width)}%` }} />
        </div>
      ))}
    </div>
  );
}

interface FolderStatesProps {
  readonly place: FolderPlace;
  readonly folder: OpenFolder;
  /** The text in the filter field, or '' without a filter. */
  readonly filter: string;
  /** True while the rows of the previous folder are still shown. */
  readonly isHeld: boolean;
  readonly actions: EmptyFolderProps['actions'];
  readonly renderWaysOut: FolderSlots['renderWaysOut'];
  readonly onShowAll: () => void;
  readonly onSearch: (text: string) => void;
}

/** Shows why a folder has no rows: an error, rows that are loading, an empty folder, or a filter without matches. */
export function FolderStates({ place, folder, filter, isHeld, actions, ...rest }: FolderStatesProps) {
  const { model, error, hasMore } = folder;
  if (error !== null)
    return (
      <ErrorNotice
        variant="page"
        error={error}
        onRetry={folder.retry}
        isReading
        permission="s3:ListBucket"
        actions={rest.renderWaysOut(error)}
      />
    );
  if (model === null || (model.loadedCount === 0 && hasMore))
    return isHeld || (model !== null && folder.nextError !== null) ? null : <LoadingRows />;
  if (model.loadedCount === 0)
    return model.unreadable.length > 0 ? null : (
      <EmptyFolder
        place={place}
        hasPlaceholder={folder.hasPlaceholder}
        actions={actions}
        onShowAll={rest.onShowAll}
      />
    );
  if (filter === '' || model.count > 0 || model.busy !== null) return null;
  return (
    <NothingFiltered
      filter={filter}
      onLoadRest={hasMore && !folder.isLoadingAll ? folder.loadAll : null}
      onSearch={() => rest.onSearch(filter)}
    />
  );
}

interface EmptyFolderProps {
  readonly place: FolderPlace;
  readonly hasPlaceholder: boolean;
  readonly actions: Pick<FolderActions, 'uploadFiles' | 'newFolder'>;
  readonly onShowAll: () => void;
}

function EmptyFolder({ place, hasPlaceholder, actions, onShowAll }: EmptyFolderProps) {
  const { t } = useTranslation();
  useEffect(() => {
    // The list lost its last row, and with it the focused element.
    if (hasNoFocusedElement()) holdMainPane();
  }, []);
  if (place.startsWith !== '')
    return (
      <EmptyState
        icon={<SearchX size={28} />}
        title={t('objects.empty.startsWithTitle', { text: place.startsWith })}
        body={t('objects.empty.startsWithBody')}
        actions={
          <Button variant="default" onClick={onShowAll}>
            {t('objects.empty.showAll')}
          </Button>
        }
      />
    );
  const isTop = place.folder === '';
  return (
    <EmptyState
      icon={<FolderOpen size={28} />}
      title={t(isTop ? 'objects.empty.bucketTitle' : 'objects.empty.title')}
      body={t(
        hasPlaceholder
          ? 'objects.empty.placeholder'
          : isTop
            ? 'objects.empty.bucketBody'
            : 'objects.empty.body',
      )}
      actions={
        <Group gap="xs" justify="center">
          <Button leftSection={<FileUp size={15} aria-hidden />} onClick={actions.uploadFiles}>
            {t('transfers.uploadFiles')}
          </Button>
          <Button
            variant="default"
            leftSection={<FolderPlus size={15} aria-hidden />}
            onClick={actions.newFolder}
          >
            {t('operations.menu.newFolder')}
          </Button>
        </Group>
      }
    />
  );
}

interface NothingFilteredProps {
  readonly filter: string;
  /** Loads the rest of the folder. Null if the whole folder is loaded or loading. */
  readonly onLoadRest: (() => void) | null;
  readonly onSearch: () => void;
}

/** Shown if the filter hides every row. Offers to load the rest of the folder, or to search below it. */
function NothingFiltered({ filter, onLoadRest, onSearch }: NothingFilteredProps) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<SearchX size={28} />}
      title={t('objects.filterEmpty.title', { text: filter })}
      body={t(onLoadRest === null ? 'objects.filterEmpty.bodyAll' : 'objects.filterEmpty.body')}
      actions={
        <Group gap="xs" justify="center">
          {onLoadRest === null ? null : (
            <Button variant="default" onClick={onLoadRest}>
              {t('objects.find.loadRest')}
            </Button>
          )}
          <Button variant="default" onClick={onSearch}>
            {t('objects.find.below')}
          </Button>
        </Group>
      }
    />
  );
}
