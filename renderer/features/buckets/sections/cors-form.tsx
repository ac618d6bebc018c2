import { Chip, Group, Input, NumberInput, Textarea } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { corsMethods, type CorsRule } from '../../../../shared/models/bucket-forms.ts';
import common from '../../../ui/common.module.css';
import { newCorsRule, splitLines, type FormProps } from './bucket-form-model.ts';
import { RuleList } from './rule-list.tsx';

export function CorsForm({ form, onChange }: FormProps<'cors'>) {
  return (
    <RuleList
      section="cors"
      rules={form.rules}
      renderFields={(rule, change) => <RuleFields rule={rule} onChange={change} />}
      onAdd={newCorsRule}
      onChange={(rules) => onChange({ ...form, rules })}
    />
  );
}

interface RuleProps {
  readonly rule: CorsRule;
  readonly onChange: (rule: CorsRule) => void;
}

function RuleFields({ rule, onChange }: RuleProps) {
  const { t } = useTranslation();
  const methodsId = useId();
  // Keeps methods for which the form has no chip.
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
      <div className={common.columns}>
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

interface LinesFieldProps {
  readonly label: string;
  readonly description: string;
  readonly lines: readonly string[];
  readonly onChange: (lines: readonly string[]) => void;
}

/** A field with one value per line. Empty lines are shown while the user types, but are not part of the value. */
function LinesField({ label, description, lines, onChange }: LinesFieldProps) {
  const [text, setText] = useState(lines.join('\n'));
  const isTextCurrent = splitLines(text).join('\n') === lines.join('\n');
  return (
    <Textarea
      size="xs"
      label={label}
      description={description}
      autosize
      minRows={2}
      maxRows={6}
      spellCheck={false}
      autoComplete="off"
      value={isTextCurrent ? text : lines.join('\n')}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange(splitLines(event.currentTarget.value));
      }}
    />
  );
}
