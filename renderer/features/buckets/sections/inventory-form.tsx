import { ActionIcon, Button, Checkbox, Select, Switch, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  inventoryFields,
  type FormOf,
  type InventoryConfiguration,
} from '../../../../shared/models/bucket-forms.ts';
import { newInventoryConfiguration, replaced, withoutIndex } from './bucket-form-model.ts';
import { ForeignRule } from './rule-list.tsx';
import { Notice } from '../parts/notice.tsx';
import common from '../../../ui/common.module.css';
import classes from '../parts/buckets.module.css';

interface Props {
  readonly form: FormOf<'inventory'>;
  readonly onChange: (form: FormOf<'inventory'>) => void;
}

/** The form for the inventory reports of a bucket: their content, target and frequency. */
export function InventoryForm({ form, onChange }: Props) {
  const { t } = useTranslation();
  const { configurations } = form;
  const set = (next: InventoryConfiguration[]) => onChange({ ...form, configurations: next });
  return (
    <>
      {configurations.length === 0 ? (
        <p className={common.explanation}>{t('buckets.inventory.none')}</p>
      ) : null}
      {configurations.map((configuration, index) => {
        const name =
          configuration.id === '' ? t('buckets.inventory.report', { number: index + 1 }) : configuration.id;
        return (
          <section
            // oxlint-disable-next-line react/no-array-index-key -- names change while they are typed
            key={index}
            className={classes.rule}
            aria-label={t('buckets.inventory.report', { number: index + 1 })}
          >
            <div className={classes.ruleHead}>
              {configuration.foreign ? (
                <strong>{name}</strong>
              ) : (
                <Switch
                  label={name}
                  checked={configuration.enabled}
                  onChange={(event) =>
                    set(
                      replaced(configurations, index, {
                        ...configuration,
                        enabled: event.currentTarget.checked,
                      }),
                    )
                  }
                />
              )}
              <ActionIcon
                aria-label={t('buckets.inventory.remove', { number: index + 1 })}
                onClick={() => set(withoutIndex(configurations, index))}
              >
                <Trash2 size={16} aria-hidden />
              </ActionIcon>
            </div>
            {configuration.foreign ? (
              <ForeignRule source={configuration.source ?? ''} />
            ) : (
              <Fields
                configuration={configuration}
                onChange={(next) => set(replaced(configurations, index, next))}
              />
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
      label={t(`buckets.inventory.${name}`)}
      value={configuration[name]}
      spellCheck={false}
      autoComplete="off"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...more}
      onChange={(event) => onChange({ ...configuration, [name]: event.currentTarget.value })}
    />
  );
  const isFixed = configuration.source !== null;
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
          value={configuration.format}
          allowDeselect={false}
          onChange={(value) => {
            if (value === 'CSV' || value === 'Parquet' || value === 'ORC')
              onChange({ ...configuration, format: value });
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
          onChange={(value) => {
            if (value === 'Daily' || value === 'Weekly') onChange({ ...configuration, frequency: value });
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
      <details className={classes.details}>
        <summary>{t('buckets.inventory.fields', { count: configuration.fields.length })}</summary>
        <div className={classes.pair}>
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
