import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterNote } from './find-bar.tsx';
import type { FolderModel } from './folder-model.ts';
import type { SortColumn } from './sort.ts';
import { SortNote } from './sort-note.tsx';
import type { Folder } from './use-folder.ts';
import classes from './folder-page.module.css';

/** More of them say nothing new. */
const mostShown = 50;

interface FolderNotesProps {
  readonly folder: Folder;
  readonly model: FolderModel | null;
  readonly filter: string;
  /** The column that the folder is to be sorted by once it is complete. */
  readonly wanted: SortColumn | null;
  readonly onUnwanted: () => void;
  readonly onReload: () => void;
}

/** What is to be known of the list, above it. */
export function FolderNotes({ folder, model, filter, wanted, onUnwanted, onReload }: FolderNotesProps) {
  const { t } = useTranslation();
  return (
    <>
      {folder.isOutdated ? (
        <div className={classes.note} role="status">
          <span>{t('operations.outdated')}</span>
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
      {model === null ? null : <LeftOut model={model} />}
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

/** What the service listed and the table does not show. */
function LeftOut({ model }: { readonly model: FolderModel }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const { unreadable, foreign } = model;
  if (unreadable.length === 0 && foreign.count === 0) return null;
  return (
    <div className={classes.note} role="status">
      {unreadable.length === 0 ? null : (
        <>
          <span>{t('objects.unreadable', { count: unreadable.length })}</span>
          <Button
            variant="subtle"
            size="compact-xs"
            aria-expanded={isOpen}
            onClick={() => {
              setIsOpen(!isOpen);
            }}
          >
            {t('common.details')}
          </Button>
        </>
      )}
      {foreign.count === 0 ? null : (
        <span>{t('objects.foreign', { count: foreign.count, example: foreign.example ?? '' })}</span>
      )}
      {isOpen ? (
        <ul className={classes.leftOut}>
          {unreadable.slice(0, mostShown).map(({ text, why }, index) => (
            // They have no name of their own, and never move.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <strong>{why}</strong>
              <pre>{text}</pre>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
