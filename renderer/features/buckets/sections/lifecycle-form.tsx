import { Button, Checkbox, Group, NumberInput, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LifecycleRule } from '../../../../shared/models/bucket-forms.ts';
import { newLifecycleRule, type FormProps } from './bucket-form-model.ts';
import { RuleList } from './rule-list.tsx';
import { Notice } from '../../../ui/dialog/dialog.tsx';
import { plainField } from './simple-forms.tsx';
import common from '../../../ui/common.module.css';

/** The name of the rule that one click adds. */
const abortRuleId = 'abort-incomplete-uploads';

export function LifecycleForm({ form, onChange }: FormProps<'lifecycle'>) {
  const { rules } = form;
  const set = (next: LifecycleRule[]) => onChange({ ...form, rules: next });
  const hasAbort = rules.some((rule) => rule.enabled && rule.prefix === '' && rule.abortDays !== null);
  return (
    <>
      {hasAbort ? null : (
        <ReadyRules
          onAdd={(abortDays) => set([...rules, newLifecycleRule(rules, { id: abortRuleId, abortDays })])}
        />
      )}
      <RuleList
        section="lifecycle"
        rules={rules}
        renderFields={(rule, change) => <RuleFields rule={rule} onChange={change} />}
        onAdd={() => newLifecycleRule(rules)}
        onChange={set}
      />
    </>
  );
}

function ReadyRules({ onAdd }: { readonly onAdd: (days: number) => void }) {
  const { t } = useTranslation();
  const [days, setDays] = useState(7);
  const id = useId();
  return (
    <Group className={common.callout} data-tone="ok" gap="xs">
      <label htmlFor={id}>{t('buckets.lifecycle.oneClick')}</label>
      <NumberInput
        id={id}
        size="xs"
        w={76}
        min={1}
        max={3650}
        allowDecimal={false}
        value={days}
        onChange={(value) => {
          if (typeof value === 'number' && value >= 1) setDays(value);
        }}
      />
      <span>{t('buckets.lifecycle.days')}</span>
      <Button size="xs" onClick={() => onAdd(days)}>
        {t('buckets.lifecycle.oneClickAdd')}
      </Button>
      <Text size="sm" c="dimmed" flex="1 0 100%">
        {t('buckets.lifecycle.oneClickHint')}
      </Text>
    </Group>
  );
}

interface RuleProps {
  readonly rule: LifecycleRule;
  readonly onChange: (rule: LifecycleRule) => void;
}

function RuleFields({ rule, onChange }: RuleProps) {
  const { t } = useTranslation();
  const days = (name: 'expireDays' | 'noncurrentDays' | 'abortDays', label: string) => (
    <NumberInput
      size="xs"
      label={label}
      suffix={` ${t('buckets.lifecycle.days')}`}
      placeholder={t('buckets.lifecycle.never')}
      min={1}
      max={999_999}
      allowDecimal={false}
      allowNegative={false}
      value={rule[name] ?? ''}
      onChange={(value) =>
        onChange({ ...rule, [name]: typeof value === 'number' && value > 0 ? value : null })
      }
    />
  );
  const [transition] = rule.transitions;
  const move = (change: Partial<{ days: number; storageClass: string }>, isGone = false): void => {
    const first = { days: 30, storageClass: '', ...transition, ...change };
    onChange({
      ...rule,
      transitions: isGone ? rule.transitions.slice(1) : [first, ...rule.transitions.slice(1)],
    });
  };
  return (
    <>
      <div className={common.columns}>
        <TextInput
          {...plainField(t('buckets.lifecycle.id'), rule.id, (id) => onChange({ ...rule, id }))}
          maxLength={255}
        />
        <TextInput
          {...plainField(t('buckets.lifecycle.prefix'), rule.prefix, (prefix) =>
            onChange({ ...rule, prefix }),
          )}
          placeholder={t('buckets.lifecycle.prefixHint')}
        />
        {days('abortDays', t('buckets.lifecycle.abort'))}
        {days('noncurrentDays', t('buckets.lifecycle.noncurrent'))}
        {days('expireDays', t('buckets.lifecycle.expire'))}
        <NumberInput
          size="xs"
          label={t('buckets.lifecycle.transition')}
          suffix={` ${t('buckets.lifecycle.days')}`}
          placeholder={t('buckets.lifecycle.never')}
          min={0}
          max={999_999}
          allowDecimal={false}
          allowNegative={false}
          value={transition?.days ?? ''}
          onChange={(value) => move({ days: Number(value) }, typeof value !== 'number')}
        />
        {transition === undefined ? null : (
          <TextInput
            {...plainField(t('buckets.lifecycle.storageClass'), transition.storageClass, (typed) =>
              move({ storageClass: typed.trim() }),
            )}
            placeholder="STANDARD_IA"
          />
        )}
      </div>
      {rule.expireDays === null ? (
        <Checkbox
          label={t('buckets.lifecycle.markers')}
          checked={rule.expireDeleteMarkers}
          onChange={(event) => onChange({ ...rule, expireDeleteMarkers: event.currentTarget.checked })}
        />
      ) : (
        <Notice tone="warning">{t('buckets.lifecycle.warning')}</Notice>
      )}
    </>
  );
}
