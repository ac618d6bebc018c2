import { Select, Stack, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { logKeyFormats, type FormOf } from '../../../../shared/models/bucket-settings.ts';
import { plainField } from './plain-field.ts';

interface LoggingFormProps {
  readonly form: FormOf<'logging'>;
  readonly onChange: (form: FormOf<'logging'>) => void;
}

/** The form for access logging: the bucket for the logs, and the prefix for their keys. */
export function LoggingForm({ form, onChange }: LoggingFormProps) {
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
            onChange={(value) => {
              const keyFormat = logKeyFormats.find((format) => format === value);
              if (keyFormat !== undefined) onChange({ ...form, keyFormat });
            }}
          />
        </>
      ) : null}
    </Stack>
  );
}
