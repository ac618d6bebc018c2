import { Checkbox, Radio, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { logKeyFormats, ownershipRules } from '../../../../shared/models/bucket-forms.ts';
import { Notice } from '../../../ui/dialog/dialog.tsx';
import type { FormProps } from './bucket-form-model.ts';

export function VersioningForm({ form, onChange }: FormProps<'versioning'>) {
  const { t } = useTranslation();
  // The bucket's status when the form opened. Once a bucket has had versions, it cannot become unversioned again.
  const [first] = useState(form.status);
  return (
    <>
      <Radio.Group
        aria-label={t('buckets.settings.names.versioning')}
        value={form.status}
        onChange={(status) => onChange({ ...form, status })}
      >
        <Stack gap="sm">
          {(['off', 'enabled', 'suspended'] as const).map((status) => (
            <Radio
              key={status}
              value={status}
              label={t(`buckets.versioning.${status}`)}
              description={t(`buckets.versioning.${status}Hint`)}
              disabled={status === 'off' ? first !== 'off' : status === 'suspended' && first === 'off'}
            />
          ))}
        </Stack>
      </Radio.Group>
      {form.mfaDelete ? <Notice tone="quiet">{t('buckets.versioning.mfa')}</Notice> : null}
    </>
  );
}

const switches = [
  'blockPublicAcls',
  'ignorePublicAcls',
  'blockPublicPolicy',
  'restrictPublicBuckets',
] as const;

export function PublicAccessForm({ form, onChange }: FormProps<'public-access'>) {
  const { t } = useTranslation();
  const isAll = switches.every((name) => form[name]);
  return (
    <>
      <Notice tone={isAll ? 'ok' : 'warning'}>
        {t(isAll ? 'buckets.publicAccess.all' : 'buckets.publicAccess.some')}
      </Notice>
      {switches.map((name) => (
        <Checkbox
          key={name}
          label={t(`buckets.publicAccess.${name}`)}
          checked={form[name]}
          onChange={(event) => onChange({ ...form, [name]: event.currentTarget.checked })}
        />
      ))}
    </>
  );
}

const algorithms = [
  ['AES256', 'sse'],
  ['aws:kms', 'kms'],
  ['aws:kms:dsse', 'dsse'],
] as const;

export function EncryptionForm({ form, onChange }: FormProps<'encryption'>) {
  const { t } = useTranslation();
  return (
    <>
      <Select
        label={t('buckets.encryption.algorithm')}
        data={algorithms.map(([value, name]) => ({ value, label: t(`buckets.encryption.${name}`) }))}
        value={form.algorithm}
        allowDeselect={false}
        onChange={(algorithm) => {
          if (algorithm !== null) onChange({ ...form, algorithm });
        }}
      />
      {form.algorithm === 'AES256' ? null : (
        <>
          <TextInput
            {...plainField(t('buckets.encryption.keyId'), form.kmsKeyId ?? '', (typed) =>
              onChange({ ...form, kmsKeyId: typed.trim() || null }),
            )}
            description={t('buckets.encryption.keyHint')}
          />
          <Checkbox
            label={t('buckets.encryption.bucketKey')}
            checked={form.bucketKey}
            onChange={(event) => onChange({ ...form, bucketKey: event.currentTarget.checked })}
          />
        </>
      )}
    </>
  );
}

export function PaymentForm({ form, onChange }: FormProps<'payment'>) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      aria-label={t('buckets.settings.names.payment')}
      value={form.payer}
      onChange={(payer) => onChange({ ...form, payer })}
    >
      <Stack gap="sm">
        <Radio value="BucketOwner" label={t('buckets.payment.owner')} />
        <Radio
          value="Requester"
          label={t('buckets.payment.requester')}
          description={t('buckets.payment.requesterHint')}
        />
      </Stack>
    </Radio.Group>
  );
}

export function OwnershipForm({ form, onChange }: FormProps<'ownership'>) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      aria-label={t('buckets.settings.names.ownership')}
      value={form.rule}
      onChange={(rule) => onChange({ ...form, rule })}
    >
      <Stack gap="sm">
        {ownershipRules.map((rule) => (
          <Radio key={rule} value={rule} label={t(`buckets.ownership.${rule}`)} description={rule} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** The form for access logging: the bucket for the logs, and the prefix for their keys. */
export function LoggingForm({ form, onChange }: FormProps<'logging'>) {
  const { t } = useTranslation();
  const field = (name: 'targetBucket' | 'targetPrefix') =>
    plainField(t(`buckets.logging.${name}`), form[name], (value) => onChange({ ...form, [name]: value }));
  return (
    <Stack gap="sm">
      <Switch
        label={t('buckets.logging.on')}
        checked={form.isOn}
        onChange={(event) => onChange({ ...form, isOn: event.currentTarget.checked })}
      />
      {form.isOn ? (
        <>
          <TextInput {...field('targetBucket')} description={t('buckets.logging.bucketHint')} />
          <TextInput {...field('targetPrefix')} description={t('buckets.logging.prefixHint')} />
          <Select
            label={t('buckets.logging.keyFormat')}
            data={logKeyFormats.map((value) => ({
              value,
              label: t(`buckets.logging.formats.${value === '' ? 'usual' : value}`),
            }))}
            value={form.keyFormat}
            allowDeselect={false}
            onChange={(keyFormat) => {
              if (keyFormat !== null) onChange({ ...form, keyFormat });
            }}
          />
        </>
      ) : null}
    </Stack>
  );
}

/** Returns the props of a text field for a name or an address, which the browser must neither correct nor complete. */
export function plainField(label: string, value: string, onValue: (value: string) => void) {
  return {
    label,
    value,
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onValue(event.currentTarget.value),
  };
}
