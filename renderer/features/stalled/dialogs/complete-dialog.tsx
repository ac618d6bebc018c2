import { Button, Loader, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CompletionCheck, CompletionRequest, UploadRef } from '../../../../shared/models/stalled.ts';
import { rpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { formatCount } from '../../../ui/words/format.ts';
import { CompleteMany } from './complete-many.tsx';
import { CompleteUpload } from './complete-upload.tsx';
import { closeUpload, closeUploadDialog, type UploadDialogProps } from '../model/uploads-store.ts';
import { readinessOf } from './completion-words.ts';
import { useChecks, RefusedList } from './upload-dialog-parts.tsx';
import { Dialog, DialogFooter } from '../../../ui/dialog/dialog.tsx';
import { useLatestMutation } from '../../../ui/use-stable.ts';
import { runForUploads } from '../model/many-uploads.ts';
import { openTransfers } from '../../transfers/index.ts';

/**
 * Maximum number of uploads whose checks are listed. If there are more, the list would be too long, and only the job checks each
 * upload.
 */
const maxChecked = 200;

/** Asks for confirmation before uploads are completed with the parts they have. */
export function CompleteDialog({ request }: UploadDialogProps<'complete'>) {
  const { refs } = request;
  return refs.length > maxChecked ? <CompleteUnchecked refs={refs} /> : <CompleteChecked refs={refs} />;
}

/** Lists the parts of the uploads again, shows the result of completing them, and asks for confirmation. */
function CompleteChecked({ refs }: { readonly refs: readonly UploadRef[] }) {
  const { t } = useTranslation();
  const { checks, error, retry } = useChecks(refs);
  const start = useStart();
  const [only] = checks;
  const total = refs.length;
  const done = checks.length === total;

  const title = (): string => {
    if (refs.length > 1) return t('stalled.complete.titleMany', { count: refs.length });
    if (only === undefined || readinessOf(only) === 'ready') return t('stalled.complete.title');
    return t(readinessOf(only) === 'cannot' ? 'stalled.complete.titleCannot' : 'stalled.complete.titleGaps');
  };
  const content = () => {
    if (error !== null)
      return <ErrorNotice error={error} onRetry={retry} permission="s3:ListMultipartUploadParts" />;
    if (start.data !== undefined && start.data.refused.length > 0)
      return <RefusedList refused={start.data.refused} />;
    if (!done)
      return (
        <Text size="sm" role="status">
          <Loader size={14} mr="xs" aria-hidden />
          {refs.length === 1
            ? t('stalled.complete.checking')
            : t('stalled.complete.checked', { done: formatCount(checks.length), total: formatCount(total) })}
        </Text>
      );
    if (refs.length === 1 && only !== undefined)
      return (
        <CompleteUpload
          check={only}
          busy={start.isPending}
          onConfirm={(acceptGaps) => start.mutate(requestsOf([only], acceptGaps))}
        />
      );
    return (
      <CompleteMany
        checks={checks}
        busy={start.isPending}
        onConfirm={(chosen, acceptGaps) => start.mutate(requestsOf(chosen, acceptGaps))}
      />
    );
  };
  const closable = error !== null || !done || (start.data?.refused.length ?? 0) > 0;
  return (
    <Dialog onClose={closeUploadDialog} title={title()} size={560}>
      <Stack gap="sm">
        {content()}
        <FailureNotice error={start.error} />
        {closable ? <DialogFooter onCancel={closeUploadDialog} cancel={t('stalled.complete.close')} /> : null}
      </Stack>
    </Dialog>
  );
}

function requestsOf(checks: readonly CompletionCheck[], acceptGaps: boolean): CompletionRequest[] {
  return checks.map(({ ref, fingerprint, standing, gaps }) => ({
    ref,
    fingerprint,
    standing,
    acceptGaps: acceptGaps && gaps.length > 0,
  }));
}

function useStart() {
  return useLatestMutation({
    mutationFn: (requests: CompletionRequest[]) => rpc.stalled.complete({ requests }),
    onSuccess({ jobIds, refused }) {
      if (jobIds.length > 0) openTransfers();
      if (refused.length > 0) return;
      closeUploadDialog();
      closeUpload();
    },
  });
}

/** Asks for confirmation before one job completes very many uploads. The job skips uploads that need a decision. */
function CompleteUnchecked({ refs }: { readonly refs: readonly UploadRef[] }) {
  const { t } = useTranslation();
  const start = useLatestMutation({
    mutationFn: () => runForUploads('completeWhole', refs),
    onSuccess() {
      openTransfers();
      closeUploadDialog();
      closeUpload();
    },
  });
  const count = refs.length;
  return (
    <Dialog onClose={closeUploadDialog} title={t('stalled.complete.titleMany', { count })} size={560}>
      <Stack gap="sm">
        <p>{t('stalled.complete.uncheckedBody', { count })}</p>
        <p>{t('stalled.complete.uncheckedRest')}</p>
        <p>{t('stalled.complete.unknownLength')}</p>
        <FailureNotice error={start.error} />
        <DialogFooter onCancel={closeUploadDialog} cancel={t('stalled.complete.cancel')} startsOnCancel>
          <Button loading={start.isPending} onClick={() => start.mutate()}>
            {t('stalled.complete.confirmMany', { count })}
          </Button>
        </DialogFooter>
      </Stack>
    </Dialog>
  );
}
