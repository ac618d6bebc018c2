import { Checkbox, Group, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ResumeOptions, UploadPlan } from '../../../../shared/models/resume-plan.ts';
import { formatBytes } from '../../../ui/words/format.ts';
import { speedFrom } from '../../../ui/words/typed-speed.ts';
import { parseParallel } from './resume-plan-words.ts';

export interface OptionsDraft {
  readonly parallel: string;
  readonly bandwidth: string;
  readonly acceptUnverified: boolean;
}

export const firstOptions: OptionsDraft = { parallel: '', bandwidth: '', acceptUnverified: false };

/** Returns the options in the form, or null while a field is invalid. */
export function resumeOptionsOf(draft: OptionsDraft): ResumeOptions | null {
  const parallelParts = parseParallel(draft.parallel);
  const bandwidthBytesPerSecond = speedFrom(draft.bandwidth);
  if (parallelParts === 'invalid' || bandwidthBytesPerSecond === 'invalid') return null;
  return { parallelParts, bandwidthBytesPerSecond, acceptUnverified: draft.acceptUnverified };
}

interface Props {
  readonly plan: UploadPlan;
  readonly draft: OptionsDraft;
  readonly onChange: (draft: OptionsDraft) => void;
}

export function PlanOptions({ plan, draft, onChange }: Props) {
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
