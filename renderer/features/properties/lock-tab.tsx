import { Button, Checkbox, Radio, Stack, Switch, Text, TextInput } from '@mantine/core';
import { showNotice } from '../../ui/notices/notices.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ObjectRef } from '../../../shared/models/objects.ts';
import { retentionModes, type Lock, type Retention } from '../../../shared/models/properties.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { Reading, Unsupported } from './tab-parts.tsx';
import common from '../../ui/common.module.css';
import { useLatestMutation } from '../../ui/use-stable.ts';

/** Shows legal hold and retention of one object, if the bucket has object lock. */
export function LockTab({ object }: { readonly object: ObjectRef }) {
  const { t } = useTranslation();
  const lock = useQuery({
    queryKey: ['properties.lock', object],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => await rpc.properties.lock(object, { signal }),
  });
  const { data, error } = lock;
  if (error !== null && !lock.isFetching) {
    const failed = appErrorOf(error);
    if (failed.code === 'unsupported') return <Unsupported text={t('properties.notSupported.lock')} />;
    return (
      <ErrorNotice error={failed} permission="s3:GetObjectRetention" onRetry={() => void lock.refetch()} />
    );
  }
  if (data === undefined) return <Reading />;
  if (!data.bucketHasLock) return <Unsupported text={t('properties.lock.none')} />;
  return (
    <Stack gap="md">
      <LegalHold object={object} isOn={data.legalHold} onDone={lock.refetch} />
      <RetentionForm key={JSON.stringify(data.retention)} object={object} lock={data} onDone={lock.refetch} />
    </Stack>
  );
}

interface LegalHoldProps {
  readonly object: ObjectRef;
  readonly isOn: boolean;
  readonly onDone: () => Promise<unknown>;
}

function LegalHold({ object, isOn, onDone }: LegalHoldProps) {
  const { t } = useTranslation();
  const change = useLatestMutation({
    mutationFn: async (on: boolean) => await rpc.properties.setLegalHold({ ...object, on }),
    onSuccess: async (_, on) => {
      showNotice({
        message: (say) => say(on ? 'properties.lock.holdOn' : 'properties.lock.holdOff'),
        staysMs: 2500,
      });
      await onDone();
    },
  });
  return (
    <>
      <Switch
        label={t('properties.lock.legalHold')}
        description={t('properties.lock.legalHoldHelp')}
        checked={change.isPending ? change.variables : isOn}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      <FailureNotice error={change.error} permission="s3:PutObjectLegalHold" />
    </>
  );
}

interface RetentionFormProps {
  readonly object: ObjectRef;
  readonly lock: Lock;
  readonly onDone: () => Promise<unknown>;
}

function RetentionForm({ object, lock: { retention: before }, onDone }: RetentionFormProps) {
  const { t } = useTranslation();
  const [mode, setMode] = useState<Retention['mode'] | 'none'>(before?.mode ?? 'none');
  const [day, setDay] = useState(before === null ? '' : dayOf(before.until));
  const [isUnderstood, setUnderstood] = useState(false);
  const [isBypassed, setBypassed] = useState(false);
  const [nowMs] = useState(() => Date.now());
  const until = untilOf(day, nowMs);
  const isSameDay = before !== null && day === dayOf(before.until);
  const after: Retention | null =
    mode === 'none' ? null : { mode, until: isSameDay ? before.until : (until ?? '') };
  const isFit = mode === 'none' || isSameDay || until !== null;
  const isChanged = after?.mode !== before?.mode || after?.until !== before?.until;
  const wantsBypass = isFit && isChanged && needsBypass(before, after);
  const needsConfirmation = mode === 'COMPLIANCE' && isChanged;
  const change = useLatestMutation({
    mutationFn: async (retention: Retention | null) =>
      await rpc.properties.setRetention({ ...object, retention, bypassGovernance: isBypassed }),
    onSuccess: async () => {
      showNotice({ message: (say) => say('properties.lock.done'), staysMs: 2500 });
      await onDone();
    },
  });
  return (
    <Stack gap="sm">
      <Radio.Group label={t('properties.lock.retention')} value={mode} onChange={(value) => setMode(value)}>
        <Stack gap={6} mt={6}>
          <Radio
            value="none"
            label={t('properties.lock.noRetention')}
            disabled={before?.mode === 'COMPLIANCE'}
          />
          {retentionModes.map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`properties.lock.modes.${value}`)}
              disabled={before?.mode === 'COMPLIANCE' && value !== 'COMPLIANCE'}
            />
          ))}
        </Stack>
      </Radio.Group>
      {mode === 'none' ? null : (
        <TextInput
          type="date"
          label={t('properties.lock.until')}
          value={day}
          error={day !== '' && !isFit ? t('properties.lock.untilInvalid') : undefined}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
      )}
      {needsConfirmation ? (
        <>
          <Text size="sm" c="red" role="alert">
            {t('properties.lock.complianceWarning')}
          </Text>
          <Checkbox
            label={t('properties.lock.complianceConfirm')}
            checked={isUnderstood}
            onChange={(event) => setUnderstood(event.currentTarget.checked)}
          />
        </>
      ) : null}
      {wantsBypass ? (
        <Checkbox
          label={t('properties.lock.bypass')}
          checked={isBypassed}
          onChange={(event) => setBypassed(event.currentTarget.checked)}
        />
      ) : null}
      <FailureNotice error={change.error} permission="s3:PutObjectRetention" />
      <div className={common.footer}>
        <Button
          disabled={
            !isFit || !isChanged || (needsConfirmation && !isUnderstood) || (wantsBypass && !isBypassed)
          }
          loading={change.isPending}
          onClick={() => change.mutate(after)}
        >
          {t('properties.lock.apply')}
        </Button>
      </div>
    </Stack>
  );
}

/** Returns the end of a day such as `2027-01-31` in this computer's time zone. Null if the day is invalid or over. */
function untilOf(day: string, nowMs: number): string | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const atMs = new Date(`${day}T23:59:59`).getTime();
  return Number.isNaN(atMs) || atMs <= nowMs ? null : new Date(atMs).toISOString();
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Returns the local day of a time in the format of a date field. */
function dayOf(iso: string): string {
  const at = new Date(iso);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Returns true if a governance retention becomes shorter or ends, which needs an extra permission. */
function needsBypass(before: Retention | null, after: Retention | null): boolean {
  if (before?.mode !== 'GOVERNANCE') return false;
  return after === null || Date.parse(after.until) < Date.parse(before.until);
}
