import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { assertNever } from '../../../../shared/assert-never.ts';
import { parentFolder } from '../../../../shared/keys/paths.ts';
import { isOfUploads } from '../../../../shared/models/job-kinds.ts';
import type { BatchFacts } from '../../../../shared/models/batches.ts';
import type { Job } from '../../../../shared/models/jobs.ts';
import type { StoredParts } from '../../../../shared/models/transfers.ts';
import { askToConfirm } from '../../../ui/dialog/ask-to-confirm.tsx';
import { rpc } from '../../../rpc/client.ts';
import { desktopBridge } from '../../../rpc/message-port.ts';
import { showNotice } from '../../../ui/notices/notices.tsx';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { formatCount } from '../../../ui/words/format.ts';
import { openCancelUpload } from './cancel-upload.tsx';
import { batchOperationText, reportFolderOf, nameOfJob, replaceSentence } from './job-words.ts';
import type { JobAction, Remedy } from './job-actions.ts';
import { statesOf } from './job-progress.ts';
import { openConnectionDialog } from '../../connections/index.ts';
import { pickLocal } from '../../files/index.ts';
import { useGo, type Go } from '../../go/index.ts';
import { openConflicts } from '../start/start-dialogs.ts';

export interface JobCommands {
  readonly run: (action: JobAction, job: Job) => void;
  readonly remedy: (remedy: Remedy, job: Job) => void;
  /** Drags the files of a finished download out of the window. Null in a browser, which cannot do this. */
  readonly dragOut: ((job: Job) => void) | null;
  readonly pauseAll: () => void;
  readonly resumeAll: () => void;
  readonly clearFinished: () => void;
}

/** Returns the actions on jobs for menus, buttons and keys. Shows failures as notices. */
export function useJobCommands(): JobCommands {
  const { t } = useTranslation();
  const go = useGo();
  return useMemo(() => commandsOf(t, go), [t, go]);
}

/** Maximum number of jobs per call. */
const maxIds = 10_000;
const pageSize = 500;

function commandsOf(t: TFunction, go: Go): JobCommands {
  return {
    run: (action, job) => sayingFailure(() => runAction(action, job, t)),
    remedy: (remedy, job) => sayingFailure(() => runRemedy(remedy, job, t, go)),
    dragOut:
      desktopBridge() === null
        ? null
        : (job) => sayingFailure(() => rpc.transfers.dragOut({ jobId: job.id })),
    pauseAll: () => sayingFailure(() => rpc.jobs.pause({ jobIds: null })),
    resumeAll: () => sayingFailure(() => rpc.jobs.resume({ jobIds: null })),
    clearFinished: () =>
      sayingFailure(async () => {
        const removed = await clearFinished();
        showNotice({ message: (say) => say('jobs.cleared', { count: removed }) });
      }),
  };
}

/** Runs an action on a job, some after a confirmation. Throws if the core refuses it. */
async function runAction(action: JobAction, job: Job, t: TFunction): Promise<unknown> {
  const jobIds = [job.id];
  switch (action) {
    case 'pause':
      return await rpc.jobs.pause({ jobIds });
    case 'resume':
      return await rpc.jobs.resume({ jobIds });
    case 'retryNow':
    case 'lookNow':
      return await rpc.jobs.retryNow({ jobIds });
    case 'runFirst':
      return await rpc.jobs.reorder({ jobId: job.id, to: 'first' });
    case 'runLast':
      return await rpc.jobs.reorder({ jobId: job.id, to: 'last' });
    case 'cancel':
      return await askToCancel(job, t);
    case 'clear':
      return job.state === 'needs-attention' ? askToClear(jobIds, t) : await rpc.jobs.clear({ jobIds });
    default:
      return assertNever(action);
  }
}

/** Runs a remedy for a stopped job, some after a confirmation. Throws if the core refuses it. */
async function runRemedy(remedy: Remedy, job: Job, t: TFunction, go: Go): Promise<unknown> {
  const { id: jobId, connectionId, bucket, key, uploadId, batch } = job;
  switch (remedy) {
    case 'edit-connection':
      return openConnectionDialog({ mode: 'edit', connectionId });
    case 'answer-conflicts':
      return openConflicts(jobId);
    case 'open-upload':
      return go.openUpload({ connectionId, bucket, key, uploadId });
    case 'replace':
      return askToReplace(job, t);
    case 'show-object':
      return go.openFolder({ connectionId, bucket, folder: parentFolder(key) ?? '' });
    case 'show-in-folder':
      return await rpc.transfers.reveal({ jobId });
    case 'upload-again':
      return await rpc.stalled.uploadAgain({ kind: 'job', jobId });
    case 'run-batch':
      return batch === undefined ? undefined : askToRun(jobId, batch, t);
    case 'show-report':
      return batch === undefined
        ? undefined
        : go.openFolder({ connectionId, bucket: batch.report.bucket, folder: reportFolderOf(batch) });
    case 'give-file':
      return await giveFile(job, t);
    default:
      return assertNever(remedy);
  }
}

async function giveFile(job: Job, t: TFunction): Promise<void> {
  const title =
    job.fileName === null
      ? t('jobs.pickAnyFile', { name: nameOfJob(job) })
      : t('jobs.pickFile', { name: job.fileName });
  const picked = await pickLocal('file', title);
  if (picked !== null) await rpc.jobs.giveFile({ jobId: job.id, fileHandle: picked.handle });
}

/** Clears done and cancelled jobs, and returns their number. Keeps jobs that need attention. */
async function clearFinished(): Promise<number> {
  const filter = { states: statesOf('finished'), connectionId: null };
  let removed = 0;
  for (;;) {
    const jobIds: string[] = [];
    while (jobIds.length < maxIds) {
      const { jobs, total } = await rpc.jobs.list({ offset: jobIds.length, limit: pageSize, filter });
      jobIds.push(...jobs.map(({ id }) => id));
      if (jobs.length === 0 || jobIds.length >= total) break;
    }
    if (jobIds.length === 0) return removed;
    const response = await rpc.jobs.clear({ jobIds: jobIds.slice(0, maxIds) });
    if (response.removed === 0) return removed;
    removed += response.removed;
  }
}

/** Asks before a job is cancelled. For an upload with stored parts, also asks whether to keep them. */
async function askToCancel(job: Job, t: TFunction): Promise<void> {
  const stored = await storedPartsOf(job);
  if (stored === null || stored.uploads === 0) {
    askToStop(job, t);
    return;
  }
  openCancelUpload(stored, t, (parts) =>
    sayingFailure(async () => {
      if (parts === 'keep') await rpc.jobs.cancel({ jobIds: [job.id] });
      else await deleteParts(job);
    }),
  );
}

/** Returns the parts that would stay stored after cancelling, or null if this job stores no parts. */
async function storedPartsOf(job: Job): Promise<StoredParts | null> {
  switch (job.kind) {
    case 'upload':
      return await rpc.transfers.storedParts({ jobId: job.id });
    case 'resume':
    case 'complete':
      // While the service assembles the object, Cooper does not know whether the parts still exist.
      return job.state === 'completing' || job.state === 'verifying-outcome'
        ? null
        : { uploads: 1, sizeBytes: job.bytesDone };
    case 'abort':
    case 'download':
    case 'copy':
    case 'move':
    case 'delete':
    case 'change':
    case 'abort-many':
    case 'complete-many':
    case 'resume-many':
    case 'batch':
      return null;
    default:
      return assertNever(job.kind);
  }
}

async function deleteParts(job: Job): Promise<void> {
  const { connectionId, bucket, key, uploadId } = job;
  const undeletedCount =
    job.kind === 'upload'
      ? (await rpc.transfers.cancelAndDeleteParts({ jobId: job.id })).kept
      : (await rpc.stalled.abort({ refs: [{ connectionId, bucket, key, uploadId }] })).refused.length;
  if (undeletedCount > 0)
    showNotice({ tone: 'bad', message: (say) => say('jobs.cancelUpload.kept', { count: undeletedCount }) });
}

/** Asks for confirmation before the core changes a job, and shows the failure of the change as a notice. */
function ask(
  dialog: 'cancelDialog' | 'clearDialog' | 'replaceDialog',
  body: string,
  {
    weight,
    onConfirm,
  }: { readonly weight: 'heavy' | 'destructive'; readonly onConfirm: () => Promise<unknown> },
  t: TFunction,
): void {
  const words = `jobs.${dialog}` as const;
  askToConfirm(
    {
      title: t(`${words}.title`, { count: 1 }),
      body: <Text size="sm">{body}</Text>,
      labels: { confirm: t(`${words}.confirm`), cancel: t(`${words}.keep`) },
      weight,
      onConfirm: () => sayingFailure(onConfirm),
    },
    t,
  );
}

function askToStop(job: Job, t: TFunction): void {
  const key =
    job.items !== undefined
      ? job.kind === 'move' || job.kind === 'copy' || isOfUploads(job.kind)
        ? (`body-${job.kind}` as const)
        : 'bodyTransfer'
      : job.kind === 'batch'
        ? 'body-batch'
        : job.kind === 'abort'
          ? 'bodyAbort'
          : job.state === 'completing'
            ? 'bodyCompleting'
            : 'body';
  const onConfirm = () => rpc.jobs.cancel({ jobIds: [job.id] });
  ask('cancelDialog', t(`jobs.cancelDialog.${key}`), { weight: 'heavy', onConfirm }, t);
}

/** Asks for confirmation to run a batch job. Names its operation and the number of objects. */
function askToRun(jobId: string, { seen, objects, operation }: BatchFacts, t: TFunction): void {
  const count = seen?.total ?? objects;
  askToConfirm(
    {
      title: t('jobs.batch.runTitle'),
      body: (
        <Text size="sm">
          {t('jobs.batch.runBody', { count, total: formatCount(count) })} {batchOperationText(operation, t)}.
        </Text>
      ),
      labels: { confirm: t('jobs.batch.runConfirm'), cancel: t('jobs.batch.runKeep') },
      weight: operation.kind === 'expire' ? 'destructive' : 'heavy',
      onConfirm: () => sayingFailure(() => rpc.batches.confirm({ jobId })),
    },
    t,
  );
}

/** Asks for confirmation to replace an object. Describes the object, so that the user agrees to replace exactly this one. */
function askToReplace(job: Job, t: TFunction): void {
  const onConfirm = () => rpc.jobs.retryNow({ jobIds: [job.id] });
  ask('replaceDialog', replaceSentence(job, t), { weight: 'destructive', onConfirm }, t);
}

function askToClear(jobIds: string[], t: TFunction): void {
  const body = `${t('jobs.clearDialog.body')} ${t('jobs.clearDialog.attention')}`;
  ask('clearDialog', body, { weight: 'heavy', onConfirm: () => rpc.jobs.clear({ jobIds }) }, t);
}
