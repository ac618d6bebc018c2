import { Button, Checkbox, Group, NumberInput, Switch, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FormOf, LifecycleRule } from '../../../../shared/models/bucket-forms.ts';
import { newLifecycleRule } from './bucket-form-model.ts';
import { RuleList } from './rule-list.tsx';
import { Notice } from '../parts/notice.tsx';
import common from '../../../ui/common.module.css';

interface Props {
  readonly form: FormOf<'lifecycle'>;
  readonly onChange: (form: FormOf<'lifecycle'>) => void;
}

/** The name of the rule that one click adds. */
const abortRuleId = 'abort-incomplete-uploads';

export function LifecycleForm({ form, onChange }: Props) {
  const { t } = useTranslation();
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
        rules={rules}
        words={{
          none: t('buckets.lifecycle.none'),
          rule: (number) => t('buckets.lifecycle.rule', { number }),
          remove: (number) => t('buckets.lifecycle.remove', { number }),
          add: t('buckets.lifecycle.add'),
        }}
        renderHead={(rule, number, change) => {
          const name = rule.id === '' ? t('buckets.lifecycle.rule', { number }) : rule.id;
          return rule.foreign ? (
            <strong>{name}</strong>
          ) : (
            <Switch
              label={name}
              checked={rule.enabled}
              onChange={(event) => change({ ...rule, enabled: event.currentTarget.checked })}
            />
          );
        }}
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
          label={t('buckets.lifecycle.id')}
          value={rule.id}
          maxLength={255}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange({ ...rule, id: event.currentTarget.value })}
        />
        <TextInput
          label={t('buckets.lifecycle.prefix')}
          placeholder={t('buckets.lifecycle.prefixHint')}
          value={rule.prefix}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange({ ...rule, prefix: event.currentTarget.value })}
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
            label={t('buckets.lifecycle.storageClass')}
            placeholder="STANDARD_IA"
            value={transition.storageClass}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => move({ storageClass: event.currentTarget.value.trim() })}
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
