import { Button, Loader, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { TFunction } from 'i18next';
import { Check, CircleAlert, CircleDashed, type LucideIcon, Minus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type TestStep, type TestStepId, testStepIds } from '../../../../shared/models/connection.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import { clockDifferenceOf, explainStep, type Fix, notable, testVerdict } from '../model/explain-test.ts';
import { profileEndpoint } from '../model/connection-form-model.ts';
import { useProfile } from '../model/connection-queries.ts';
import type { ConnectionTest, TestRun } from './use-connection-test.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { errorFacts } from '../../../ui/words/error-words.ts';
import common from '../../../ui/common.module.css';
import classes from '../forms.module.css';

interface Props {
  readonly test: ConnectionTest;
  readonly onFix: (fix: Fix) => void;
}

/** Shows the steps of the test as they run, and a remedy for the first failed step. */
export function TestPanel({ test, onFix }: Props) {
  const { t } = useTranslation();
  const { run } = test;
  if (run.state === 'idle') return null;
  if (run.state === 'broken') {
    return <ErrorNotice error={run.error} />;
  }
  return (
    <Stack gap="sm" miw={0}>
      <TestVerdictText run={run} />
      <ol className={common.column} aria-label={t('connectionForm.form.test')}>
        {testStepIds.map((id) => (
          <StepLine
            key={id}
            id={id}
            step={run.steps.find((step) => step.id === id) ?? null}
            isOver={run.state !== 'running'}
          />
        ))}
      </ol>
      {notable(run.steps).map((step) => (
        <StepNotice key={step.id} step={step} run={run} onFix={onFix} />
      ))}
    </Stack>
  );
}

type Running = Exclude<TestRun, { state: 'idle' | 'broken' }>;

function TestVerdictText({ run }: { readonly run: Running }) {
  const { t } = useTranslation();
  const text = () => {
    if (run.state === 'running') return t('connectionForm.test.running');
    if (run.state === 'stopped') return t('connectionForm.test.stopped');
    const verdict = testVerdict(run.steps);
    if (verdict === 'passed') return t('connectionForm.test.passed');
    return t(verdict === 'failed' ? 'connectionForm.test.failed' : 'connectionForm.test.passedWithWarnings');
  };
  return (
    <Text role="status" fw={600} size="sm">
      {text()}
    </Text>
  );
}

type StepState = TestStep['state'] | 'waiting';

const stepIcons: Readonly<
  Record<Exclude<StepState, 'running'>, readonly [LucideIcon, className: string | undefined]>
> = {
  ok: [Check, common.good],
  warning: [CircleAlert, common.warn],
  failed: [X, common.bad],
  skipped: [Minus, common.quiet],
  waiting: [CircleDashed, common.quiet],
};

function StepIcon({ state }: { readonly state: StepState }) {
  if (state === 'running') return <Loader size={16} aria-hidden />;
  const [Icon, className] = stepIcons[state];
  return <Icon size={16} aria-hidden className={className} />;
}

interface StepLineProps {
  readonly id: TestStepId;
  readonly step: TestStep | null;
  readonly isOver: boolean;
}

function StepLine({ id, step, isOver }: StepLineProps) {
  const { t } = useTranslation();
  const state: StepState = step?.state ?? (isOver ? 'skipped' : 'waiting');
  const isQuiet = state === 'waiting' || state === 'skipped';
  return (
    <li className={classes.step} data-state={state}>
      <StepIcon state={state} />
      <span className={isQuiet ? common.quiet : undefined}>
        {id === 'tls-holds' && (step?.state === 'skipped' || step?.state === 'warning')
          ? t('connectionForm.test.notEncrypted')
          : t(`connectionForm.test.steps.${id}`)}
        <VisuallyHidden>: {t(`connectionForm.test.states.${state}`)}</VisuallyHidden>
      </span>
      {step === null ? null : <StepFacts step={step} />}
      <Duration ms={step?.durationMs ?? null} />
    </li>
  );
}

function Duration({ ms }: { readonly ms: number | null }) {
  const { t } = useTranslation();
  // Shows no time for a step that needed no request, since an earlier step covered it.
  if (ms === null || ms < 0.5) return null;
  const text =
    ms < 1000
      ? t('connectionForm.test.ms', { ms: Math.round(ms) })
      : t('connectionForm.test.seconds', { seconds: (ms / 1000).toFixed(1) });
  return <span className={joinClasses(common.hint, common.numbers, classes.duration)}>{text}</span>;
}

interface NoticeProps {
  readonly step: TestStep;
  readonly run: Running;
  readonly onFix: (fix: Fix) => void;
}

function StepNotice({ step: failed, run, onFix }: NoticeProps) {
  const { t, i18n } = useTranslation();
  const profile = useProfile(run.input.auth.kind === 'aws-profile' ? run.input.auth.profile : null);
  const { cause, fix, values } = explainStep(
    failed,
    run.input,
    profile === null ? '' : profileEndpoint(profile, run.input.region),
  );
  const seconds = clockDifferenceOf(failed) ?? 0;
  const sentence = t(`connectionForm.causes.${cause}`, {
    ...values,
    difference: formatClockSkew(seconds, i18n.language),
    direction: t(seconds > 0 ? 'connectionForm.clock.ahead' : 'connectionForm.clock.behind'),
  });
  return (
    <div
      role="alert"
      className={common.callout}
      data-tone={failed.state === 'warning' ? 'warning' : 'danger'}
    >
      <CircleAlert size={18} aria-hidden />
      <Stack gap="xs" align="flex-start">
        <Text size="sm" fw={600}>
          {t(`connectionForm.test.stepsFailed.${failed.id}`)}
        </Text>
        <Text size="sm">{sentence}</Text>
        {fix === null ? null : (
          <Button variant="default" onClick={() => onFix(fix)}>
            {fixLabel(fix, t)}
          </Button>
        )}
        {failed.error === null ? null : <ErrorFacts error={failed.error} />}
      </Stack>
    </div>
  );
}

const fixWords = {
  'add-ca': 'addCa',
  'set-start': 'setStart',
  'retype-keys': 'checkSecret',
  'check-endpoint': 'checkEndpoint',
  'check-proxy': 'setProxy',
} as const;

function fixLabel(fix: Fix, t: TFunction): string {
  return fix.kind === 'use-region'
    ? t('connectionForm.test.useRegion', { region: fix.region })
    : t(`connectionForm.test.${fixWords[fix.kind]}`);
}

/** Shows the service's error code, message and request id, after a click. */
function ErrorFacts({ error }: { readonly error: AppError }) {
  const { t } = useTranslation();
  return (
    <Text component="details" size="xs">
      <summary className={common.quiet}>{t('errors.details')}</summary>
      <dl className={common.facts}>
        {errorFacts(error).map(({ name, value }) => (
          <div key={name}>
            <dt>{t(`errors.fields.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Text>
  );
}

/** A short result of a step, shown after its name. */
function StepFacts({ step }: { readonly step: TestStep }) {
  const { t } = useTranslation();
  const { facts } = step;
  const word = (name: string) => {
    const value = facts[name];
    return value === undefined || value === '' ? null : value;
  };
  const parts = [
    word('address'),
    word('protocol'),
    word('issuer'),
    word('region'),
    typeof facts['buckets'] === 'number'
      ? t('connectionForm.facts.buckets', { count: facts['buckets'] })
      : null,
    word('bucket'),
    typeof facts['entries'] === 'number'
      ? t('connectionForm.facts.entries', { count: facts['entries'] })
      : null,
  ].filter((part) => part !== null);
  if (parts.length === 0) return null;
  const text = parts.join(' · ');
  return (
    <span className={joinClasses(common.cut, common.hint)} title={text}>
      {text}
    </span>
  );
}

/** Formats a duration in a suitable unit, in the window's language. */
function formatClockSkew(seconds: number, locale: string): string {
  const span = Math.abs(seconds);
  const [value, unit] =
    span < 90
      ? ([span, 'second'] as const)
      : span < 90 * 60
        ? ([span / 60, 'minute'] as const)
        : span < 36 * 3600
          ? ([span / 3600, 'hour'] as const)
          : ([span / 86_400, 'day'] as const);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.round(value),
  );
}
