import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { UploadRef } from '../../../../shared/models/stalled.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Sentence } from '../../../ui/dialog/dialog-words.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { beginMany } from '../model/begin-many.ts';
import { closeUpload, closeUploadDialog } from '../model/upload-dialog-store.ts';
import { useUploadServices } from '../model/upload-services.ts';
import classes from './complete-dialog.module.css';

/** Completes very many uploads in one job, which leaves those that need a decision unchanged. */
export function CompleteUnchecked({ refs }: { readonly refs: readonly UploadRef[] }) {
  const { t } = useTranslation();
  const { showJobs } = useUploadServices();
  const start = useMutation({
    mutationFn: () => beginMany('completeWhole', refs),
    onSuccess() {
      showJobs();
      closeUploadDialog();
      closeUpload();
    },
  });
  const count = refs.length;
  return (
    <Dialog onClose={closeUploadDialog} title={t('stalled.complete.titleMany', { count })} size={560}>
      <Stack gap="sm">
        <Sentence>{t('stalled.complete.uncheckedBody', { count })}</Sentence>
        <Sentence>{t('stalled.complete.uncheckedRest')}</Sentence>
        <Sentence>{t('stalled.complete.unknownLength')}</Sentence>
        {start.error === null ? null : <ErrorNotice error={appErrorOf(start.error)} />}
        <div className={classes.footer}>
          <Button variant="default" onClick={closeUploadDialog} data-autofocus>
            {t('stalled.complete.cancel')}
          </Button>
          <Button loading={start.isPending} onClick={() => start.mutate()}>
            {t('stalled.complete.confirmMany', { count })}
          </Button>
        </div>
      </Stack>
    </Dialog>
  );
}
