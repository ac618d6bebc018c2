import { NumberInput, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FieldsProps } from './batch-props.ts';
import type { BatchField } from './batch-form.ts';
import classes from './batches.module.css';

const plain = { spellCheck: false, autoComplete: 'off', autoCapitalize: 'off' } as const;

/** Fields for the job's account and role, and for the location of its manifest and report. */
export function PlaceFields({ form, onChange, problemOf }: FieldsProps) {
  const { t } = useTranslation();
  const text = (field: Extract<BatchField, keyof typeof form>) => ({
    ...plain,
    value: form[field],
    error: problemOf(field),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ [field]: event.currentTarget.value }),
  });
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          {...text('accountId')}
          label={t('batches.accountId')}
          description={t('batches.accountIdHint')}
          placeholder="123456789012"
          inputMode="numeric"
        />
        <NumberInput
          size="xs"
          label={t('batches.priority')}
          description={t('batches.priorityHint')}
          min={0}
          allowDecimal={false}
          value={form.priority}
          error={problemOf('priority')}
          onChange={(value) => onChange({ priority: String(value) })}
        />
      </div>
      <TextInput
        {...text('roleArn')}
        label={t('batches.roleArn')}
        description={t('batches.roleArnHint')}
        placeholder={t('batches.roleExample')}
      />
      <div className={classes.pair}>
        <TextInput {...text('manifestBucket')} label={t('batches.manifestBucket')} />
        <TextInput {...text('manifestKey')} label={t('batches.manifestKey')} />
        <TextInput {...text('reportBucket')} label={t('batches.reportBucket')} />
        <TextInput
          {...text('reportPrefix')}
          label={t('batches.reportPrefix')}
          placeholder={t('batches.noPrefix')}
        />
      </div>
      <Select
        size="xs"
        label={t('batches.reportScope')}
        allowDeselect={false}
        value={form.isReportOfAll ? 'all' : 'failed'}
        data={[
          { value: 'all', label: t('batches.scopes.all') },
          { value: 'failed', label: t('batches.scopes.failed') },
        ]}
        onChange={(value) => onChange({ isReportOfAll: value !== 'failed' })}
      />
    </>
  );
}
