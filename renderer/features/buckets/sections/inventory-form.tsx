import { ActionIcon, Button, Checkbox, Select, Switch, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  inventoryFields,
  type FormOf,
  type InventoryConfiguration,
} from '../../../../shared/models/bucket-settings.ts';
import { newInventoryConfiguration, replaced, withoutIndex } from './bucket-form-model.ts';
import { ForeignRule } from './foreign-rule.tsx';
import { Notice } from '../parts/notice.tsx';
import classes from '../parts/buckets.module.css';

interface Props {
  readonly form: FormOf<'inventory'>;
  readonly onChange: (form: FormOf<'inventory'>) => void;
}

/** The inventory reports of a bucket: their content, target and frequency. */
export function InventoryForm({ form, onChange }: Props) {
  const { t } = useTranslation();
  const { configurations } = form;
  const set = (next: InventoryConfiguration[]) => onChange({ ...form, configurations: next });
  return (
    <>
      {configurations.length === 0 ? <p className={classes.quiet}>{t('buckets.inventory.none')}</p> : null}
      {configurations.map((one, index) => {
        const name = one.id === '' ? t('buckets.inventory.report', { number: index + 1 }) : one.id;
        return (
          <section
            // oxlint-disable-next-line react/no-array-index-key -- names are being typed
            key={index}
            className={classes.rule}
            aria-label={t('buckets.inventory.report', { number: index + 1 })}
          >
            <div className={classes.ruleHead}>
              {one.foreign ? (
                <strong>{name}</strong>
              ) : (
                <Switch
                  label={name}
                  checked={one.enabled}
                  onChange={(event) =>
                    set(replaced(configurations, index, { ...one, enabled: event.currentTarget.checked }))
                  }
                />
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('buckets.inventory.remove', { number: index + 1 })}
                onClick={() => set(withoutIndex(configurations, index))}
              >
                <Trash2 size={16} aria-hidden />
              </ActionIcon>
            </div>
            {one.foreign ? (
              <ForeignRule source={one.source ?? ''} />
            ) : (
              <Fields one={one} onChange={(next) => set(replaced(configurations, index, next))} />
            )}
          </section>
        );
      })}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => set([...configurations, newInventoryConfiguration(configurations)])}
      >
        {t('buckets.inventory.add')}
      </Button>
    </>
  );
}

interface FieldsProps {
  readonly one: InventoryConfiguration;
  readonly onChange: (one: InventoryConfiguration) => void;
}

function Fields({ one, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const text = (
    name: 'id' | 'prefix' | 'destinationBucket' | 'destinationPrefix' | 'accountId',
    more: { readonly placeholder?: string; readonly description?: string; readonly maxLength?: number } = {},
  ) => (
    <TextInput
      label={t(`buckets.inventory.${name}`)}
      value={one[name]}
      spellCheck={false}
      autoComplete="off"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...more}
      onChange={(event) => onChange({ ...one, [name]: event.currentTarget.value })}
    />
  );
  const isFixed = one.source !== null;
  return (
    <>
      <div className={classes.pair}>
        {isFixed ? null : text('id', { maxLength: 64 })}
        {text('prefix', { placeholder: t('buckets.inventory.prefixHint') })}
        {text('destinationBucket', { description: t('buckets.inventory.destinationHint') })}
        {text('destinationPrefix', { placeholder: t('buckets.inventory.destinationPrefixHint') })}
        {text('accountId', { placeholder: t('buckets.inventory.accountHint'), maxLength: 12 })}
        <Select
          label={t('buckets.inventory.format')}
          data={['CSV', 'Parquet', 'ORC']}
          value={one.format}
          allowDeselect={false}
          onChange={(value) => {
            if (value === 'CSV' || value === 'Parquet' || value === 'ORC')
              onChange({ ...one, format: value });
          }}
        />
        <Select
          label={t('buckets.inventory.frequency')}
          data={(['Daily', 'Weekly'] as const).map((value) => ({
            value,
            label: t(`buckets.inventory.frequencies.${value}`),
          }))}
          value={one.frequency}
          allowDeselect={false}
          onChange={(value) => {
            if (value === 'Daily' || value === 'Weekly') onChange({ ...one, frequency: value });
          }}
        />
      </div>
      {one.format === 'ORC' ? <Notice tone="warning">{t('buckets.inventory.orc')}</Notice> : null}
      <Checkbox
        label={t('buckets.inventory.allVersions')}
        checked={one.allVersions}
        onChange={(event) => onChange({ ...one, allVersions: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('buckets.inventory.encrypted')}
        checked={one.encrypted}
        onChange={(event) => onChange({ ...one, encrypted: event.currentTarget.checked })}
      />
      <details className={classes.details}>
        <summary>{t('buckets.inventory.fields', { count: one.fields.length })}</summary>
        <div className={classes.pair}>
          {[...new Set([...inventoryFields, ...one.fields])].map((field) => (
            <Checkbox
              key={field}
              label={field}
              checked={one.fields.includes(field)}
              onChange={(event) =>
                onChange({
                  ...one,
                  fields: event.currentTarget.checked
                    ? [...one.fields, field]
                    : one.fields.filter((other) => other !== field),
                })
              }
            />
          ))}
        </div>
      </details>
      {one.fields.includes('Size') ? null : <Notice tone="warning">{t('buckets.inventory.noSize')}</Notice>}
    </>
  );
}
