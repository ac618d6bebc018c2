import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../../shared/errors.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import type { OpenFolder } from '../folder/use-folder.ts';
import { LoadingRows } from '../page/folder-states.tsx';

interface LocalStatesProps {
  readonly folder: Pick<OpenFolder, 'model' | 'retry'>;
  readonly error: AppError | null;
  readonly filter: string;
  /** True for the list of this computer's top-level folders. */
  readonly isRoot: boolean;
  readonly areHiddenShown: boolean;
  readonly onNewFolder: () => void;
  readonly onShowHidden: () => void;
}

/** Shows why a local folder has no rows: an error, rows that are loading, an empty folder, or a filter without matches. */
export function LocalStates({ folder: { model, retry }, error, filter, isRoot, ...rest }: LocalStatesProps) {
  const { t } = useTranslation();
  if (error !== null) return <ErrorNotice variant="page" error={error} onRetry={retry} isReading />;
  if (model === null) return <LoadingRows />;
  if (model.loadedCount > 0)
    return model.count === 0 && model.busy === null ? (
      <EmptyState
        title={t('objects.filterEmpty.title', { text: filter })}
        body={t('objects.filterEmpty.bodyAll')}
      />
    ) : null;
  if (isRoot) return <EmptyState title={t('files.noRoots')} body={t('files.onlyThese')} />;
  return (
    <EmptyState
      title={t('files.empty')}
      body={t('files.emptyBody')}
      actions={
        <>
          <Button variant="default" onClick={rest.onNewFolder}>
            {t('operations.menu.newFolder')}
          </Button>
          {rest.areHiddenShown ? null : (
            <Button variant="default" onClick={rest.onShowHidden}>
              {t('files.showHidden')}
            </Button>
          )}
        </>
      }
    />
  );
}
