import { ActionIcon, Button, Chip, Group, Input, NumberInput, Text } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { corsMethods, type CorsRule, type FormOf } from '../../../../shared/models/bucket-settings.ts';
import { newCorsRule, replaced, without } from './bucket-form-model.ts';
import { ForeignRule } from './foreign-rule.tsx';
import { LinesField } from './lines-field.tsx';
import classes from '../parts/buckets.module.css';

interface Props {
  readonly form: FormOf<'cors'>;
  readonly onChange: (form: FormOf<'cors'>) => void;
}

export function CorsForm({ form, onChange }: Props) {
  const { t } = useTranslation();
  const { rules } = form;
  const set = (next: CorsRule[]) => onChange({ ...form, rules: next });
  return (
    <>
      {rules.length === 0 ? <p className={classes.quiet}>{t('buckets.cors.none')}</p> : null}
      {rules.map((rule, index) => (
        <section
          // oxlint-disable-next-line react/no-array-index-key -- rules need no name
          key={index}
          className={classes.rule}
          aria-label={t('buckets.cors.rule', { number: index + 1 })}
        >
          <div className={classes.ruleHead}>
            <Text fw={600} size="sm">
              {t('buckets.cors.rule', { number: index + 1 })} {rule.id === '' ? null : `“${rule.id}”`}
            </Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('buckets.cors.remove', { number: index + 1 })}
              onClick={() => set(without(rules, index))}
            >
              <Trash2 size={16} aria-hidden />
            </ActionIcon>
          </div>
          {rule.foreign ? (
            <ForeignRule source={rule.source ?? ''} />
          ) : (
            <RuleFields rule={rule} onChange={(next) => set(replaced(rules, index, next))} />
          )}
        </section>
      ))}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => set([...rules, newCorsRule()])}
      >
        {t('buckets.cors.add')}
      </Button>
    </>
  );
}

interface RuleProps {
  readonly rule: CorsRule;
  readonly onChange: (rule: CorsRule) => void;
}

function RuleFields({ rule, onChange }: RuleProps) {
  const { t } = useTranslation();
  const methodsId = useId();
  // A method that the form has no chip for stays where it is.
  const others = rule.methods.filter((method) => !corsMethods.some((known) => known === method));
  return (
    <>
      <LinesField
        label={t('buckets.cors.origins')}
        description={t('buckets.cors.originsHint')}
        lines={rule.origins}
        onChange={(origins) => onChange({ ...rule, origins: [...origins] })}
      />
      <div>
        <Input.Label id={methodsId}>{t('buckets.cors.methods')}</Input.Label>
        <Chip.Group
          multiple
          value={rule.methods.filter((method) => !others.includes(method))}
          onChange={(methods) => onChange({ ...rule, methods: [...methods, ...others] })}
        >
          <Group gap={6} role="group" aria-labelledby={methodsId}>
            {corsMethods.map((method) => (
              <Chip key={method} value={method} size="xs">
                {method}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </div>
      <div className={classes.pair}>
        <LinesField
          label={t('buckets.cors.headers')}
          description={t('buckets.cors.headersHint')}
          lines={rule.headers}
          onChange={(headers) => onChange({ ...rule, headers: [...headers] })}
        />
        <LinesField
          label={t('buckets.cors.expose')}
          description={t('buckets.cors.headersHint')}
          lines={rule.expose}
          onChange={(expose) => onChange({ ...rule, expose: [...expose] })}
        />
      </div>
      <NumberInput
        size="xs"
        label={t('buckets.cors.maxAge')}
        min={0}
        max={999_999_999}
        allowDecimal={false}
        allowNegative={false}
        value={rule.maxAgeSeconds ?? ''}
        onChange={(value) => onChange({ ...rule, maxAgeSeconds: typeof value === 'number' ? value : null })}
      />
    </>
  );
}
