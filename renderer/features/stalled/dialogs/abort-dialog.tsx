import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { Dialog, DialogFooter, Warning } from '../../../ui/dialog/dialog.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import { formatBytes } from '../../../ui/words/format.ts';
import { RefusedList, UploadLine } from './upload-dialog-parts.tsx';
import { closeUpload, closeUploadDialog, type UploadDialogProps } from '../model/uploads-store.ts';
import { runForUploads } from '../model/many-uploads.ts';
import { refId } from '../model/list-query.ts';
import type { Loss, Selected } from '../model/upload-selection.ts';
import common from '../../../ui/common.module.css';
import { useLatestMutation } from '../../../ui/use-stable.ts';
import classes from '../stalled-dialogs.module.css';
import { openTransfers } from '../../transfers/index.ts';

/** Number of uploads from which the user has to type the number to abort them. */
const manyUploads = 5;
const maxLines = 100;

/** Asks for confirmation before uploads are aborted, and says how much is lost. */
export function AbortDialog({ request }: UploadDialogProps<'abort'>) {
  const { uploads, loss } = request;
  const { t } = useTranslation();
  const [word, setWord] = useState('');
  const [ticked, setTicked] = useState(false);
  const abort = useAbort();
  const count = uploads.length;
  const confirmed = count < manyUploads ? ticked : word.trim() === String(count);
  const refused = abort.data?.refused ?? [];

  if (refused.length > 0)
    return (
      <Dialog onClose={closeUploadDialog} title={t('stalled.abort.refusedTitle')} size={560}>
        <Stack gap="sm">
          <RefusedList refused={refused} />
          <div className={common.footer}>
            <Button onClick={closeUploadDialog}>{t('common.close')}</Button>
          </div>
        </Stack>
      </Dialog>
    );
  return (
    <Dialog onClose={closeUploadDialog} title={t('stalled.abort.title', { count })} size={560}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (confirmed) abort.mutate(uploads);
        }}
      >
        <Stack gap="sm">
          <p>
            {t('stalled.abort.body')} <strong>{lossText(loss, count, t)}</strong>
          </p>
          <UploadList uploads={uploads} />
          {loss.stillWriting === 0 ? null : (
            <Warning>{t('stalled.abort.stillWriting', { count: loss.stillWriting })}</Warning>
          )}
          <p>
            {t('stalled.abort.keepsFile')} {t('stalled.abort.stopsJobs')}
          </p>
          {count < manyUploads ? (
            <Checkbox
              label={t('stalled.abort.confirmBox')}
              checked={ticked}
              onChange={(event) => setTicked(event.currentTarget.checked)}
            />
          ) : (
            <TextInput
              label={t('stalled.abort.type', { count })}
              aria-label={t('stalled.abort.typeLabel')}
              inputMode="numeric"
              autoComplete="off"
              value={word}
              onChange={(event) => setWord(event.currentTarget.value)}
            />
          )}
          <FailureNotice error={abort.error} />
          <DialogFooter onCancel={closeUploadDialog} cancel={t('stalled.abort.cancel')} startsOnCancel>
            <Button type="submit" color="red" disabled={!confirmed} loading={abort.isPending}>
              {t('stalled.abort.confirm', { count })}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Returns how many bytes are lost, as far as known. */
function lossText(loss: Loss, count: number, t: TFunction): string {
  const bytes = formatBytes(loss.storedBytes);
  if (loss.unread === 0) return t('stalled.abort.loses', { bytes });
  if (loss.unread >= count) return t('stalled.abort.losesUnknown');
  return t('stalled.abort.losesAtLeast', { bytes, count: loss.unread });
}

export function UploadList({ uploads }: { readonly uploads: readonly Selected[] }) {
  const { t } = useTranslation();
  const rest = uploads.length - maxLines;
  return (
    <ul
      className={joinClasses(common.framed, common.scroll, classes.list)}
      aria-label={t('stalled.abort.listLabel')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
      tabIndex={0}
    >
      {uploads.slice(0, maxLines).map(({ ref, storedBytes }) => (
        <UploadLine
          key={refId(ref)}
          upload={ref}
          size={storedBytes === null ? null : formatBytes(storedBytes)}
          state={null}
        />
      ))}
      {rest > 0 ? <li>{t('common.andMore', { count: rest })}</li> : null}
    </ul>
  );
}

function useAbort() {
  return useLatestMutation({
    mutationFn: (uploads: readonly Selected[]) =>
      runForUploads(
        'abort',
        uploads.map(({ ref }) => ref),
      ),
    onSuccess({ jobIds, refused }) {
      if (jobIds.length > 0) openTransfers();
      closeUpload();
      if (refused.length === 0) closeUploadDialog();
    },
  });
}
