import { Checkbox, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { inventoryFields, type InventoryConfiguration } from '../../../../shared/models/bucket-forms.ts';
import common from '../../../ui/common.module.css';
import { newInventoryConfiguration, type FormProps } from './bucket-form-model.ts';
import { RuleList } from './rule-list.tsx';
import { Notice } from '../../../ui/dialog/dialog.tsx';
import { plainField } from './simple-forms.tsx';

/** The form for the inventory reports of a bucket: their content, target and frequency. */
export function InventoryForm({ form, onChange }: FormProps<'inventory'>) {
  const { configurations } = form;
  return (
    <RuleList
      section="inventory"
      rules={configurations}
      renderFields={(configuration, change) => <Fields configuration={configuration} onChange={change} />}
      onAdd={() => newInventoryConfiguration(configurations)}
      onChange={(next) => onChange({ ...form, configurations: next })}
    />
  );
}

interface FieldsProps {
  readonly configuration: InventoryConfiguration;
  readonly onChange: (configuration: InventoryConfiguration) => void;
}

function Fields({ configuration, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const text = (
    name: 'id' | 'prefix' | 'destinationBucket' | 'destinationPrefix' | 'accountId',
    more: { readonly placeholder?: string; readonly description?: string; readonly maxLength?: number } = {},
  ) => (
    <TextInput
      {...plainField(t(`buckets.inventory.${name}`), configuration[name], (value) =>
        onChange({ ...configuration, [name]: value }),
      )}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...more}
    />
  );
  const isFixed = configuration.source !== null;
  return (
    <>
      <div className={common.columns}>
        {isFixed ? null : text('id', { maxLength: 64 })}
        {text('prefix', { placeholder: t('buckets.inventory.prefixHint') })}
        {text('destinationBucket', { description: t('buckets.inventory.destinationHint') })}
        {text('destinationPrefix', { placeholder: t('buckets.inventory.destinationPrefixHint') })}
        {text('accountId', { placeholder: t('buckets.inventory.accountHint'), maxLength: 12 })}
        <Select
          label={t('buckets.inventory.format')}
          data={['CSV', 'Parquet', 'ORC'] as const}
          value={configuration.format}
          allowDeselect={false}
          onChange={(format) => {
            if (format !== null) onChange({ ...configuration, format });
          }}
        />
        <Select
          label={t('buckets.inventory.frequency')}
          data={(['Daily', 'Weekly'] as const).map((value) => ({
            value,
            label: t(`buckets.inventory.frequencies.${value}`),
          }))}
          value={configuration.frequency}
          allowDeselect={false}
          onChange={(frequency) => {
            if (frequency !== null) onChange({ ...configuration, frequency });
          }}
        />
      </div>
      {configuration.format === 'ORC' ? <Notice tone="warning">{t('buckets.inventory.orc')}</Notice> : null}
      <Checkbox
        label={t('buckets.inventory.allVersions')}
        checked={configuration.allVersions}
        onChange={(event) => onChange({ ...configuration, allVersions: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('buckets.inventory.encrypted')}
        checked={configuration.encrypted}
        onChange={(event) => onChange({ ...configuration, encrypted: event.currentTarget.checked })}
      />
      <details>
        <summary className={common.quiet}>
          {t('buckets.inventory.fields', { count: configuration.fields.length })}
        </summary>
        <div className={common.columns}>
          {[...new Set([...inventoryFields, ...configuration.fields])].map((field) => (
            <Checkbox
              key={field}
              label={field}
              checked={configuration.fields.includes(field)}
              onChange={(event) =>
                onChange({
                  ...configuration,
                  fields: event.currentTarget.checked
                    ? [...configuration.fields, field]
                    : configuration.fields.filter((other) => other !== field),
                })
              }
            />
          ))}
        </div>
      </details>
      {configuration.fields.includes('Size') ? null : (
        <Notice tone="warning">{t('buckets.inventory.noSize')}</Notice>
      )}
    </>
  );
}
