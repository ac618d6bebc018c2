import { ActionIcon, Button, Switch, Text } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import classes from '../parts/buckets.module.css';
import { Notice } from '../../../ui/dialog/dialog.tsx';

interface Rule {
  readonly id: string;
  /** Missing in rules that cannot be turned off. */
  readonly enabled?: boolean;
  /** True for a rule that the form cannot show and keeps unchanged. */
  readonly foreign: boolean;
  readonly source: string | null;
}

interface Props<R extends Rule> {
  readonly section: 'lifecycle' | 'cors' | 'inventory';
  readonly rules: readonly R[];
  readonly renderFields: (rule: R, onChange: (rule: R) => void) => ReactNode;
  readonly onAdd: () => R;
  readonly onChange: (rules: R[]) => void;
}

/** An editable list of rules. New rules are added at the end. */
export function RuleList<R extends Rule>({ section, rules, renderFields, onAdd, onChange }: Props<R>) {
  const { t } = useTranslation();
  return (
    <>
      {rules.length === 0 ? <p className={common.quiet}>{t(`buckets.${section}.none`)}</p> : null}
      {rules.map((rule, index) => {
        const number = index + 1;
        const title = t(section === 'inventory' ? 'buckets.inventory.report' : `buckets.${section}.rule`, {
          number,
        });
        const change = (next: R): void => onChange(rules.with(index, next));
        return (
          <section
            // oxlint-disable-next-line react/no-array-index-key -- names are optional and change while they are typed
            key={index}
            className={joinClasses(common.column, common.framed, classes.rule)}
            aria-label={title}
          >
            <div className={joinClasses(common.row, classes.ruleHead)}>
              <RuleHead rule={rule} title={title} onChange={change} />
              <ActionIcon
                aria-label={t(`buckets.${section}.remove`, { number })}
                onClick={() => onChange(rules.toSpliced(index, 1))}
              >
                <Trash2 size={16} aria-hidden />
              </ActionIcon>
            </div>
            {rule.foreign ? <ForeignRule source={rule.source ?? ''} /> : renderFields(rule, change)}
          </section>
        );
      })}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => onChange([...rules, onAdd()])}
      >
        {t(`buckets.${section}.add`)}
      </Button>
    </>
  );
}

interface RuleHeadProps<R extends Rule> {
  readonly rule: R;
  readonly title: string;
  readonly onChange: (rule: R) => void;
}

/** The name of a rule, with a switch if the rule can be turned off here. */
function RuleHead<R extends Rule>({ rule, title, onChange }: RuleHeadProps<R>) {
  const { id, enabled, foreign } = rule;
  if (enabled === undefined)
    return (
      <Text fw={600} size="sm">
        {title} {id === '' ? null : `“${id}”`}
      </Text>
    );
  const name = id === '' ? title : id;
  return foreign ? (
    <strong>{name}</strong>
  ) : (
    <Switch
      label={name}
      checked={enabled}
      onChange={(event) => onChange({ ...rule, enabled: event.currentTarget.checked })}
    />
  );
}

/** Shows a rule that the form cannot show in full. The rule is kept unchanged and can only be edited as text. */
function ForeignRule({ source }: { readonly source: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice tone="quiet">{t('buckets.settings.foreignRule')}</Notice>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it */}
      <pre className={joinClasses(common.mono, common.scroll, classes.code)} tabIndex={0}>
        {source}
      </pre>
    </>
  );
}
