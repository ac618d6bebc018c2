import { Alert, Button, Checkbox, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { Check, CircleHelp, Minus, Send, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ResumeOptions, UploadPlan } from '../../../../shared/models/resume-plan.ts';
import { LiveWarning } from '../../../ui/dialog/dialog.tsx';
import { formatBytes } from '../../../ui/words/format.ts';
import { speedFrom } from '../../../ui/words/typed-numbers.ts';
import { overwriteSentence } from '../dialogs/completion-words.ts';
import { PartsStrip } from '../detail/parts-strip.tsx';
import classes from '../stalled-dialogs.module.css';
import {
  beyondWords,
  parseParallel,
  type PlanLineKind,
  planLines,
  refusalWords,
  sendingSentence,
} from './resume-plan-words.ts';
import type { Planning } from './use-resume-plan.ts';

const icons: Readonly<Record<PlanLineKind, typeof Check>> = {
  verified: Check,
  missing: Send,
  differs: TriangleAlert,
  'too-small': TriangleAlert,
  unverifiable: CircleHelp,
  surplus: Minus,
};

interface PlanViewProps {
  readonly plan: UploadPlan;
  readonly acceptUnverified: boolean;
  readonly etagsAreNotMd5: boolean;
}

/** Shows which parts are sent, kept or left out when the upload resumes from this file. */
export function PlanView({ plan, acceptUnverified, etagsAreNotMd5 }: PlanViewProps) {
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
      <p>
        <strong>{sendingSentence(plan, acceptUnverified, t)}</strong>
      </p>
      <p>
        {t('stalled.resume.plan.becomes', { bytes: formatBytes(plan.fileSizeBytes) })}{' '}
        {overwriteSentence(plan.standing, t)}
      </p>
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
        <p key={sentence}>{sentence}</p>
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

interface ComparingProps {
  readonly planning: Extract<Planning, { kind: 'running' }>;
  readonly onStop: () => void;
}

export function Comparing({ planning: { progress, bytesPerSecond }, onStop }: ComparingProps) {
  const { t } = useTranslation();
  const hashing = progress !== null && progress.step === 'hashing';
  const share = hashing && progress.bytesToHash > 0 ? progress.bytesHashed / progress.bytesToHash : 0;
  const text = hashing
    ? t('stalled.resume.hashing', {
        done: formatBytes(progress.bytesHashed),
        total: formatBytes(progress.bytesToHash),
      })
    : t('stalled.resume.listing');
  return (
    <Stack gap={6}>
      <Text size="sm">
        {text}
        {bytesPerSecond === null
          ? null
          : ` (${t('stalled.resume.hashingSpeed', { speed: formatBytes(bytesPerSecond) })})`}
      </Text>
      <Progress value={share * 100} animated={!hashing} aria-label={t('stalled.resume.listing')} />
      <div>
        <Button variant="default" onClick={onStop}>
          {t('stalled.resume.stop')}
        </Button>
      </div>
    </Stack>
  );
}

export const firstOptions = { parallel: '', bandwidth: '', acceptUnverified: false };

type OptionsDraft = Readonly<typeof firstOptions>;

/** Returns the options in the form, or null while a field is invalid. */
export function resumeOptionsOf(draft: OptionsDraft): ResumeOptions | null {
  const parallelParts = parseParallel(draft.parallel);
  const bandwidthBytesPerSecond = speedFrom(draft.bandwidth);
  if (parallelParts === 'invalid' || bandwidthBytesPerSecond === 'invalid') return null;
  return { parallelParts, bandwidthBytesPerSecond, acceptUnverified: draft.acceptUnverified };
}

interface PlanOptionsProps {
  readonly plan: UploadPlan;
  readonly draft: OptionsDraft;
  readonly onChange: (draft: OptionsDraft) => void;
}

export function PlanOptions({ plan, draft, onChange }: PlanOptionsProps) {
  const { t } = useTranslation();
  const words = 'stalled.resume.options';
  return (
    <>
      {plan.partsUnverifiable === 0 ? null : (
        <Checkbox
          label={t(`${words}.accept`, { count: plan.partsUnverifiable })}
          description={t(`${words}.acceptHint`, {
            count: plan.partsUnverifiable,
            bytes: formatBytes(plan.bytesToSendWithUnverifiable - plan.bytesToSend),
          })}
          checked={draft.acceptUnverified}
          onChange={(event) => onChange({ ...draft, acceptUnverified: event.currentTarget.checked })}
        />
      )}
      {plan.bytesToSendWithUnverifiable === 0 ? null : (
        <Group grow align="flex-start">
          <TextInput
            label={t(`${words}.parallel`)}
            description={t(`${words}.parallelHint`)}
            inputMode="numeric"
            value={draft.parallel}
            error={parseParallel(draft.parallel) === 'invalid' ? t(`${words}.parallelInvalid`) : null}
            onChange={(event) => onChange({ ...draft, parallel: event.currentTarget.value })}
          />
          <TextInput
            label={t(`${words}.bandwidth`)}
            description={t(`${words}.bandwidthHint`)}
            inputMode="decimal"
            value={draft.bandwidth}
            error={speedFrom(draft.bandwidth) === 'invalid' ? t(`${words}.bandwidthInvalid`) : null}
            onChange={(event) => onChange({ ...draft, bandwidth: event.currentTarget.value })}
          />
        </Group>
      )}
    </>
  );
}
