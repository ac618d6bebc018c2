import { Button, Checkbox, Stack } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CompletionCheck } from '../../../../shared/models/stalled.ts';
import common from '../../../ui/common.module.css';
import { DialogFooter, Warning } from '../../../ui/dialog/dialog.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import { formatBytes } from '../../../ui/words/format.ts';
import { closeUploadDialog } from '../model/uploads-store.ts';
import { refId } from '../model/list-query.ts';
import { countInRanges, rangesText } from '../model/ranges.ts';
import classes from '../stalled-dialogs.module.css';
import { problemSentence, readinessOf, sortChecks } from './completion-words.ts';
import { type Tone, UploadLine } from './upload-dialog-parts.tsx';

interface Props {
  readonly checks: readonly CompletionCheck[];
  readonly busy: boolean;
  readonly onConfirm: (checks: readonly CompletionCheck[], acceptGaps: boolean) => void;
}

/** Maximum number of uploads listed. The totals below the list count all. */
const maxLines = 300;

/** Shows what completing several uploads would result in, and asks for confirmation. */
export function CompleteMany({ checks, busy, onConfirm }: Props) {
  const { t } = useTranslation();
  const [accepted, setAccepted] = useState(false);
  const sorted = sortChecks(checks, accepted);
  const rest = checks.length - maxLines;
  const going = accepted ? [...sorted.ready, ...sorted.incomplete] : sorted.ready;
  return (
    <Stack gap="sm">
      <ul
        className={joinClasses(common.framed, common.scroll, classes.list)}
        aria-label={t('stalled.complete.listLabel')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
        tabIndex={0}
      >
        {checks.slice(0, maxLines).map((check) => {
          const { text, tone } = lineOf(check, t);
          return (
            <UploadLine
              key={refId(check.ref)}
              upload={check.ref}
              size={check.partCount === 0 ? null : formatBytes(check.sizeBytes)}
              state={text}
              tone={tone}
            />
          );
        })}
        {rest > 0 ? <li>{t('common.andMore', { count: rest })}</li> : null}
      </ul>
      <p>
        {t('stalled.complete.summary', { count: going.length, bytes: formatBytes(sorted.readyBytes) })}
        {sorted.cannot.length === 0
          ? null
          : ` ${t('stalled.complete.cannotSummary', { count: sorted.cannot.length })}`}
        {sorted.replaces === 0
          ? null
          : ` ${t('stalled.complete.replacesSummary', { count: sorted.replaces })}`}
      </p>
      {going.some((check) => check.stillBeingWritten) ? (
        <Warning>{t('stalled.complete.stillWriting')}</Warning>
      ) : null}
      <p>{t('stalled.complete.unknownLength')}</p>
      {sorted.incomplete.length === 0 ? null : (
        <Checkbox
          label={t('stalled.complete.withGaps', { count: sorted.incomplete.length })}
          checked={accepted}
          onChange={(event) => setAccepted(event.currentTarget.checked)}
        />
      )}
      <DialogFooter onCancel={closeUploadDialog} cancel={t('stalled.complete.cancel')} startsOnCancel>
        <Button
          loading={busy}
          disabled={going.length === 0}
          {...(accepted ? { color: 'red' } : {})}
          onClick={() => onConfirm(going, accepted)}
        >
          {t('stalled.complete.confirmMany', { count: going.length })}
        </Button>
      </DialogFooter>
    </Stack>
  );
}

function lineOf(check: CompletionCheck, t: TFunction): { readonly text: string; readonly tone: Tone } {
  const problem = problemSentence(check, t);
  if (problem !== null) return { text: problem, tone: 'danger' };
  const replaces =
    check.standing.kind === 'present'
      ? `; ${t('stalled.complete.rowReplaces', { bytes: formatBytes(check.standing.sizeBytes) })}`
      : '';
  if (readinessOf(check) === 'incomplete') {
    const text = t('stalled.complete.readyGaps', {
      count: countInRanges(check.gaps),
      ranges: rangesText(check.gaps, t, 4),
    });
    return { text: text + replaces, tone: 'warning' };
  }
  return { text: t('stalled.complete.ready') + replaces, tone: 'ok' };
}
