import { Alert, Button, Stack, Text } from '@mantine/core';
import { Check, CircleHelp, Minus, Send, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { UploadPlan } from '../../../../shared/models/resume-plan.ts';
import { Sentence, LiveWarning } from '../../../ui/dialog/dialog-words.tsx';
import { formatBytes } from '../../../ui/words/format.ts';
import { overwriteSentence } from '../dialogs/completion-words.ts';
import { PartsStrip } from '../detail/parts-strip.tsx';
import {
  beyondWords,
  planLines,
  refusalWords,
  sendingSentence,
  type PlanLineKind,
} from './resume-plan-words.ts';
import classes from '../stalled-dialogs.module.css';

const icons: Readonly<Record<PlanLineKind, typeof Check>> = {
  verified: Check,
  missing: Send,
  differs: TriangleAlert,
  'too-small': TriangleAlert,
  unverifiable: CircleHelp,
  surplus: Minus,
};

interface Props {
  readonly plan: UploadPlan;
  readonly acceptUnverified: boolean;
  readonly etagsAreNotMd5: boolean;
}

/** Shows which parts are sent, kept or left out when the upload resumes from this file. */
export function PlanView({ plan, acceptUnverified, etagsAreNotMd5 }: Props) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <BeyondNotice plan={plan} />
      <PartsStrip runs={plan.runs} />
      <ul className={classes.lines}>
        {planLines(plan, acceptUnverified, t).map(({ kind, text }) => {
          const Icon = icons[kind];
          return (
            <li key={kind}>
              <Icon size={14} aria-hidden />
              {text}
            </li>
          );
        })}
      </ul>
      <Sentence>
        <strong>{sendingSentence(plan, acceptUnverified, t)}</strong>
      </Sentence>
      <Sentence>
        {t('stalled.resume.plan.becomes', { bytes: formatBytes(plan.fileSizeBytes) })}{' '}
        {overwriteSentence(plan.standing, t)}
      </Sentence>
      <Text size="xs" c="dimmed">
        {t('stalled.resume.plan.partSize', { bytes: formatBytes(plan.partSizeBytes) })} (
        {t(`stalled.resume.plan.source.${plan.layoutSource}`)}).
        {plan.checksumAlgorithm === null
          ? null
          : ` ${t('stalled.resume.plan.checksum', { algorithm: plan.checksumAlgorithm })}`}
        {etagsAreNotMd5 ? ` ${t('stalled.resume.notMd5On')}` : null}
      </Text>
    </Stack>
  );
}

/** Warns that parts beyond the end of the file are stored, and explains the two options. */
function BeyondNotice({ plan }: { readonly plan: UploadPlan }) {
  const { t } = useTranslation();
  const words = beyondWords(plan, t);
  if (words === null) return null;
  return (
    <LiveWarning title={words.title}>
      {words.sentences.map((sentence) => (
        <Sentence key={sentence}>{sentence}</Sentence>
      ))}
    </LiveWarning>
  );
}

interface RefusalProps {
  readonly plan: UploadPlan;
  /** Repeats the comparison, with ETags treated as something other than MD5. */
  readonly onNotMd5: () => void;
}

/** Explains why this file does not belong to the upload. */
export function RefusalView({ plan, onNotMd5 }: RefusalProps) {
  const { t } = useTranslation();
  const words = refusalWords(plan, t);
  if (words === null) return null;
  return (
    <Stack gap="sm">
      <Alert color="red" title={words.title} icon={<TriangleAlert aria-hidden />} role="alert">
        <Text size="sm">{words.body}</Text>
        {words.choice === null ? null : (
          <Text size="sm" mt="xs">
            {words.choice}
          </Text>
        )}
      </Alert>
      {plan.runs.length === 0 || plan.refusal === 'too-many-parts' ? null : <PartsStrip runs={plan.runs} />}
      {words.choice === null ? null : (
        <div>
          <Button variant="default" onClick={onNotMd5}>
            {t('stalled.resume.refusals.all-differ.notMd5')}
          </Button>
          <Text size="xs" c="dimmed" mt={4}>
            {t('stalled.resume.refusals.all-differ.notMd5Hint')}
          </Text>
        </div>
      )}
    </Stack>
  );
}
