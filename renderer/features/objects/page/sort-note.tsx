import { Button, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../ui/words/format.ts';
import type { SortColumn } from '../rows/folder-columns.ts';
import classes from '../../../ui/note.module.css';

interface SortNoteProps {
  /** The column chosen while the folder was incomplete. */
  readonly wanted: SortColumn;
  readonly loaded: number;
  readonly isLoading: boolean;
  readonly onLoad: () => void;
  readonly onStop: () => void;
  readonly onDismiss: () => void;
}

/** Sorting needs the whole folder: offers to load the rest, shows the progress, and can be stopped. */
export function SortNote({ wanted, loaded, isLoading, onLoad, onStop, onDismiss }: SortNoteProps) {
  const { t } = useTranslation();
  if (isLoading)
    return (
      <div className={classes.note} role="status">
        <Loader size={14} aria-hidden />
        <span>{t('objects.sort.loading', { loaded: formatCount(loaded) })}</span>
        <Button variant="default" size="compact-xs" onClick={onStop}>
          {t('common.stop')}
        </Button>
      </div>
    );
  return (
    <div className={classes.note} role="status">
      <span>{t('objects.sort.offer', { column: t(`objects.sort.columnsLower.${wanted}`) })}</span>
      <Button size="compact-xs" onClick={onLoad}>
        {t('objects.sort.load')}
      </Button>
      <Button variant="subtle" color="gray" size="compact-xs" onClick={onDismiss}>
        {t('objects.sort.notNow')}
      </Button>
    </div>
  );
}
