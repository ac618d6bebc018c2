import { Button, Stack, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { FileUp } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { nameOfKey } from '../../../../shared/keys/paths.ts';
import type { FileEntry } from '../../../../shared/models/files.ts';
import type { UploadRef } from '../../../../shared/models/stalled.ts';
import type { ResumeOptions, UploadPlan } from '../../../../shared/models/resume-plan.ts';
import { rpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { Warning, Dialog } from '../../../ui/dialog/dialog.tsx';
import { DropZone } from '../../../ui/drop/drop-zone.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { useFileDrop, type DropOutcome } from '../../../ui/drop/file-drop.ts';
import { formatBytes } from '../../../ui/words/format.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { useDropped } from '../../../rpc/use-dropped.ts';
import { closeUpload, closeUploadDialog, type UploadDialogProps } from '../model/uploads-store.ts';
import { useFailureToast } from '../../../rpc/say-failure.ts';
import {
  firstOptions,
  resumeOptionsOf,
  PlanOptions,
  Comparing,
  PlanView,
  RefusalView,
} from './plan-view.tsx';
import { bytesToSend, canRun, leavesOut } from './resume-plan-words.ts';
import { useChecks } from '../dialogs/upload-dialog-parts.tsx';
import { usePlan, type Planning } from './use-resume-plan.ts';
import common from '../../../ui/common.module.css';
import { useLatestMutation } from '../../../ui/use-stable.ts';
import { pickLocal } from '../../files/index.ts';
import { openTransfers } from '../../transfers/index.ts';

/** Resumes an upload. The user chooses or drops the file, reviews the plan, and starts. */
export function ResumeDialog({ request }: UploadDialogProps<'resume'>) {
  const { ref: upload, dropped: initialDrop = null } = request;
  const { t } = useTranslation();
  const onError = useFailureToast();
  const [file, setFile] = useState<FileEntry | null>(null);
  const [isPicking, setPicking] = useState(false);
  const [draft, setDraft] = useState(firstOptions);
  const { planning, start, stop } = usePlan(upload);
  const send = useSend();
  const isBeingWritten = useIsBeingWritten(upload, planning);
  const planFile = (chosenFile: FileEntry): void => {
    setFile(chosenFile);
    setDraft(firstOptions);
    start(chosenFile, false);
  };
  const dropped = useDropped(planFile);
  const isTaking = dropped.taking.kind === 'running';
  const takeDrop = (outcome: DropOutcome): void => {
    stop();
    setFile(null);
    send.reset();
    dropped.take(outcome);
  };
  const drop = useFileDrop(takeDrop, !isPicking && !send.isPending);
  const takeInitialDrop = useRef(initialDrop === null ? null : () => takeDrop(initialDrop));
  useEffect(() => {
    takeInitialDrop.current?.();
    takeInitialDrop.current = null;
  }, []);

  const choose = async (): Promise<void> => {
    setPicking(true);
    try {
      const picked = await pickLocal('file', t('stalled.resume.pickTitle', { name: nameOfKey(upload.key) }));
      if (picked === null) return;
      dropped.forget();
      planFile(picked);
    } catch (thrown) {
      onError(thrown);
    } finally {
      setPicking(false);
    }
  };
  const plan = file !== null && planning.kind === 'planned' && canRun(planning.plan) ? planning.plan : null;
  const options = resumeOptionsOf(draft);
  const startButton = useRef<HTMLButtonElement>(null);
  // Focuses the start button when the plan is ready, unless the user first has to read a warning and decide.
  useEffect(() => {
    if (plan !== null && !leavesOut(plan)) startButton.current?.focus();
  }, [plan]);

  return (
    <Dialog
      onClose={closeUploadDialog}
      title={t('stalled.resume.title')}
      size={620}
      closeOnClickOutside={false}
      trapFocus={!isPicking}
      inert={isPicking}
      {...drop.handlers}
    >
      <Stack gap="sm">
        <p>
          <strong>
            <KeyText name={upload.key} />
          </strong>
        </p>
        {isBeingWritten ? <Warning>{t('stalled.resume.wantsWriting')}</Warning> : null}
        {file === null ? (
          <p>{t('stalled.resume.intro')}</p>
        ) : (
          <Text size="sm">
            {t('stalled.resume.file')}: <strong>{file.name}</strong>
            {file.sizeBytes === null ? null : `, ${formatBytes(file.sizeBytes)}`}
          </Text>
        )}
        <DropZone
          label={t(file === null ? 'stalled.resume.drop' : 'stalled.resume.dropOther')}
          drop={drop}
          dropped={dropped}
        />
        <PlanningView
          planning={file === null ? { kind: 'idle' } : planning}
          onStop={stop}
          acceptUnverified={draft.acceptUnverified}
          onNotMd5={() => (file === null ? undefined : start(file, true))}
        />
        {plan === null ? null : <PlanOptions plan={plan} draft={draft} onChange={setDraft} />}
        <FailureNotice error={send.error} />
        <div className={common.footer}>
          {file === null ? null : (
            <Button
              variant="default"
              data-start
              data-autofocus
              onClick={() => void choose()}
              disabled={planning.kind === 'running'}
            >
              {t('stalled.resume.chooseOther')}
            </Button>
          )}
          <Button variant="default" onClick={closeUploadDialog}>
            {t('stalled.resume.cancel')}
          </Button>
          {file === null ? (
            <Button
              leftSection={<FileUp size={14} aria-hidden />}
              onClick={() => void choose()}
              disabled={isTaking}
              data-autofocus
            >
              {t('stalled.resume.choose')}
            </Button>
          ) : (
            <StartButtons
              plan={plan}
              isReady={options !== null}
              isSending={send.isPending}
              acceptUnverified={draft.acceptUnverified}
              mainButton={startButton}
              onStart={() => {
                if (plan !== null && options !== null)
                  send.mutate({ plan, options: { ...options, leaveOut: plan.partsBeyond.length > 0 } });
              }}
              onUploadAgain={() => {
                if (plan !== null) send.mutate({ plan, options: null });
              }}
            />
          )}
        </div>
      </Stack>
    </Dialog>
  );
}

interface StartProps {
  /** The plan to start, or null while there is none. */
  readonly plan: UploadPlan | null;
  readonly isReady: boolean;
  readonly isSending: boolean;
  readonly acceptUnverified: boolean;
  readonly mainButton: RefObject<HTMLButtonElement | null>;
  readonly onStart: () => void;
  readonly onUploadAgain: () => void;
}

/** The start buttons. If resuming would leave out stored parts, the primary button starts a new upload instead. */
function StartButtons(props: StartProps) {
  const { plan, isReady, isSending, acceptUnverified, mainButton, onStart, onUploadAgain } = props;
  const { t } = useTranslation();
  if (plan === null || !leavesOut(plan))
    return (
      <Button ref={mainButton} loading={isSending} disabled={plan === null || !isReady} onClick={onStart}>
        {startLabel(plan, acceptUnverified, t)}
      </Button>
    );
  return (
    <>
      {plan.mayLeaveOut ? (
        <Button variant="light" color="red" disabled={!isReady || isSending} onClick={onStart}>
          {t('stalled.resume.beyond.leave')}
        </Button>
      ) : null}
      <Button ref={mainButton} loading={isSending} onClick={onUploadAgain}>
        {t('stalled.resume.beyond.again')}
      </Button>
    </>
  );
}

/** Returns true if another program may still be uploading, because a part arrived recently, at the first check or in the plan. */
function useIsBeingWritten(upload: UploadRef, planning: Planning): boolean {
  const refs = useMemo(() => [upload], [upload]);
  const { checks } = useChecks(refs);
  if (planning.kind === 'planned') return planning.plan.stillBeingWritten;
  return checks.some((check) => check.stillBeingWritten);
}

function startLabel(plan: UploadPlan | null, acceptUnverified: boolean, t: TFunction): string {
  if (plan === null) return t('stalled.resume.start');
  if (bytesToSend(plan, acceptUnverified) === 0) return t('stalled.resume.startComplete');
  return t(plan.standing.kind === 'present' ? 'stalled.resume.startReplace' : 'stalled.resume.start');
}

interface PlanningViewProps {
  readonly planning: Planning;
  readonly onStop: () => void;
  readonly acceptUnverified: boolean;
  readonly onNotMd5: () => void;
}

function PlanningView({ planning, onStop, acceptUnverified, onNotMd5 }: PlanningViewProps) {
  const { t } = useTranslation();
  switch (planning.kind) {
    case 'idle':
      return null;
    case 'running':
      return <Comparing planning={planning} onStop={onStop} />;
    case 'stopped':
      return <Text size="sm">{t('stalled.resume.stopped')}</Text>;
    case 'failed':
      return <ErrorNotice error={planning.error} permission="s3:ListMultipartUploadParts" />;
    default:
      return canRun(planning.plan) ? (
        <PlanView
          plan={planning.plan}
          acceptUnverified={acceptUnverified}
          etagsAreNotMd5={planning.etagsAreNotMd5}
        />
      ) : (
        <RefusalView plan={planning.plan} onNotMd5={onNotMd5} />
      );
  }
}

function useSend() {
  return useLatestMutation({
    /** Without options, sends the whole file as a new upload. */
    mutationFn: ({
      plan: { planId },
      options,
    }: {
      readonly plan: UploadPlan;
      readonly options: ResumeOptions | null;
    }) =>
      options === null
        ? rpc.stalled.uploadAgain({ kind: 'plan', planId })
        : rpc.stalled.resume({ planId, options }),
    onSuccess() {
      closeUploadDialog();
      closeUpload();
      openTransfers();
    },
  });
}
