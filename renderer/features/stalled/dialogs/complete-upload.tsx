import { Button, Checkbox, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CompletionCheck } from '../../../../shared/models/stalled.ts';
import { Warning } from '../../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { formatBytes } from '../../../ui/words/format.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import {
  gapsSentence,
  keepsVersions,
  overwriteSentence,
  problemSentence,
  readinessOf,
} from './completion-words.ts';
import { closeUploadDialog, openUploadDialog } from '../model/uploads-store.ts';
import common from '../../../ui/common.module.css';

interface Props {
  readonly check: CompletionCheck;
  readonly busy: boolean;
  readonly onConfirm: (acceptGaps: boolean) => void;
}

/** Shows the result of completing one upload, or why it is impossible. Gaps need a second confirmation. */
export function CompleteUpload({ check, busy, onConfirm }: Props) {
  const { t } = useTranslation();
  const [accepted, setAccepted] = useState(false);
  const readiness = readinessOf(check);
  const gaps = gapsSentence(check, t);
  const problem = problemSentence(check, t);
  const resumable = check.problem !== 'upload-gone' && check.problem !== 'job-exists';
  return (
    <Stack gap="sm">
      <p>
        <strong>
          <KeyText name={check.ref.key} />
        </strong>
      </p>
      {problem === null ? null : <p>{problem}</p>}
      {check.error === null ? null : (
        <ErrorNotice error={check.error} permission="s3:ListMultipartUploadParts" />
      )}
      {readiness === 'cannot' ? null : (
        <>
          <p>
            {t('stalled.complete.becomes', {
              parts: t('stalled.complete.parts', { count: check.partCount }),
              bytes: formatBytes(check.sizeBytes),
            })}{' '}
            {overwriteSentence(check.standing, t)}{' '}
            {keepsVersions(check.standing) ? t('stalled.complete.overwritesVersioned') : null}
          </p>
          {gaps === null ? null : (
            <Warning>
              <strong>{gaps}</strong> {t('stalled.complete.gapsMeaning')}
            </Warning>
          )}
          {check.stillBeingWritten ? <Warning>{t('stalled.complete.stillWriting')}</Warning> : null}
          {check.lastPartIsFull ? <Warning>{t('stalled.complete.fullLast')}</Warning> : null}
          <p>{t('stalled.complete.unknownLength')}</p>
          {readiness === 'incomplete' ? (
            <Checkbox
              label={t('stalled.complete.acceptGaps')}
              checked={accepted}
              onChange={(event) => setAccepted(event.currentTarget.checked)}
            />
          ) : null}
        </>
      )}
      <div className={common.footer}>
        {resumable ? (
          <Button
            variant="default"
            data-start
            onClick={() => openUploadDialog({ kind: 'resume', ref: check.ref })}
          >
            {t('stalled.complete.resumeInstead')}
          </Button>
        ) : null}
        <Button variant="default" onClick={closeUploadDialog} data-autofocus>
          {t(readiness === 'cannot' ? 'stalled.complete.close' : 'stalled.complete.cancel')}
        </Button>
        {readiness === 'cannot' ? null : (
          <Button
            loading={busy}
            disabled={readiness === 'incomplete' && !accepted}
            {...(readiness === 'incomplete' ? { color: 'red' } : {})}
            onClick={() => onConfirm(readiness === 'incomplete')}
          >
            {t(readiness === 'incomplete' ? 'stalled.complete.confirmGaps' : 'stalled.complete.confirm')}
          </Button>
        )}
      </div>
    </Stack>
  );
}
