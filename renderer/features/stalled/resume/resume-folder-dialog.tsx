import { Button, Loader, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../../shared/errors.ts';
import type { FileEntry } from '../../../../shared/models/files.ts';
import type { FileMatch } from '../../../../shared/models/resume-plan.ts';
import { rpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { Dialog, DialogFooter } from '../../../ui/dialog/dialog.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { formatBytes, formatCount } from '../../../ui/words/format.ts';
import { UploadLine } from '../dialogs/upload-dialog-parts.tsx';
import { closeUploadDialog, type UploadDialogProps } from '../model/uploads-store.ts';
import { useFailureToast } from '../../../rpc/say-failure.ts';
import { matchLine, summaryOf } from './folder-words.ts';
import { refId } from '../model/list-query.ts';
import { useFolderPlans, type FolderPlans } from './use-folder-plans.ts';
import common from '../../../ui/common.module.css';
import { useLatestMutation } from '../../../ui/use-stable.ts';
import classes from '../stalled-dialogs.module.css';
import { pickLocal } from '../../files/index.ts';
import { openTransfers } from '../../transfers/index.ts';

/** Maximum number of uploads per call. */
const maxUploads = 1000;

/** Resumes several uploads from one folder. Matches files to uploads, compares each pair, then starts. */
export function ResumeFolderDialog({ request }: UploadDialogProps<'resume-folder'>) {
  const { refs } = request;
  const { t } = useTranslation();
  const onError = useFailureToast();
  const [picking, setPicking] = useState(false);
  const folderPlans = useFolderPlans();
  const match = useLatestMutation({
    mutationFn: async (folder: FileEntry) => ({
      folder,
      matches: await rpc.stalled.match({ folderHandle: folder.handle, refs: [...refs] }),
    }),
  });
  const tooMany = refs.length > maxUploads;
  const choose = async (): Promise<void> => {
    setPicking(true);
    try {
      const folder = await pickLocal('folder', t('stalled.folder.pickTitle'));
      if (folder === null) return;
      folderPlans.clear();
      match.mutate(folder);
    } catch (thrown) {
      onError(thrown);
    } finally {
      setPicking(false);
    }
  };
  return (
    <Dialog
      onClose={closeUploadDialog}
      title={t('stalled.folder.title')}
      size={640}
      closeOnClickOutside={false}
      trapFocus={!picking}
      inert={picking}
    >
      <Stack gap="sm">
        {match.data === undefined ? (
          <p>{tooMany ? t('stalled.folder.limit') : t('stalled.folder.intro', { count: refs.length })}</p>
        ) : (
          <Text size="sm">{t('stalled.folder.chosen', { name: match.data.folder.name })}</Text>
        )}
        {match.isPending ? (
          <Text size="sm" role="status">
            <Loader size={14} mr="xs" aria-hidden />
            {t('stalled.folder.matching')}
          </Text>
        ) : null}
        <FailureNotice error={match.error} />
        {match.data === undefined ? (
          <DialogFooter onCancel={closeUploadDialog} cancel={t('stalled.folder.close')}>
            <Button onClick={() => void choose()} disabled={tooMany || match.isPending} data-autofocus>
              {t('stalled.folder.choose')}
            </Button>
          </DialogFooter>
        ) : (
          <Matches matches={match.data.matches} plans={folderPlans} onChoose={() => void choose()} />
        )}
      </Stack>
    </Dialog>
  );
}

interface MatchesProps {
  readonly matches: readonly FileMatch[];
  readonly plans: FolderPlans;
  readonly onChoose: () => void;
}

function Matches({ matches, plans, onChoose }: MatchesProps) {
  const { t } = useTranslation();
  const [error, setError] = useState<AppError | null>(null);
  const summary = summaryOf(matches, plans.plans);
  const { fitting, readyCount } = summary;
  const start = async (): Promise<void> => {
    const failed = await plans.start();
    setError(failed);
    if (failed !== null) return;
    openTransfers();
    closeUploadDialog();
  };
  return (
    <>
      <ul
        className={joinClasses(common.framed, common.scroll, classes.list)}
        aria-label={t('stalled.folder.listLabel')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
        tabIndex={0}
      >
        {matches.map((match) => {
          const { text, tone } = matchLine(match, plans.plans.get(refId(match.ref)), t);
          return (
            <UploadLine
              key={refId(match.ref)}
              upload={match.ref}
              size={match.sizeBytes === null ? null : formatBytes(match.sizeBytes)}
              state={text}
              tone={tone}
            />
          );
        })}
      </ul>
      <p>
        {t('stalled.folder.summary', {
          fit: formatCount(fitting.length),
          total: formatCount(matches.length),
        })}
        {readyCount === 0
          ? null
          : ` ${t('stalled.folder.planned', { count: readyCount, bytes: formatBytes(summary.readyBytes) })}`}
      </p>
      {error === null ? null : <ErrorNotice error={error} />}
      <div className={common.footer}>
        <Button variant="default" data-start disabled={plans.busy !== null} onClick={onChoose}>
          {t('stalled.folder.choose')}
        </Button>
        {plans.busy === 'comparing' ? (
          <Button variant="default" onClick={plans.stop}>
            {t('stalled.folder.stop')}
          </Button>
        ) : (
          <Button variant="default" onClick={closeUploadDialog}>
            {t('stalled.folder.close')}
          </Button>
        )}
        {readyCount > 0 && plans.busy !== 'comparing' ? (
          <Button loading={plans.busy === 'starting'} onClick={() => void start()}>
            {t('stalled.folder.start', { count: readyCount })}
          </Button>
        ) : (
          <Button
            loading={plans.busy === 'comparing'}
            disabled={fitting.length === 0 || summary.startedCount > 0}
            onClick={() => plans.compare(fitting)}
          >
            {t('stalled.folder.compare', { count: fitting.length })}
          </Button>
        )}
      </div>
    </>
  );
}
