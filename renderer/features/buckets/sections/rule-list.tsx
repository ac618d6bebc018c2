import { ActionIcon, Button } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import classes from '../parts/buckets.module.css';
import { Notice } from '../parts/notice.tsx';
import { replaced, withoutIndex } from './bucket-form-model.ts';

interface Rule {
  /** True for a rule that the form cannot show and keeps unchanged. */
  readonly foreign: boolean;
  readonly source: string | null;
}

interface Props<R extends Rule> {
  readonly rules: readonly R[];
  readonly words: {
    readonly none: string;
    readonly rule: (number: number) => string;
    readonly remove: (number: number) => string;
    readonly add: string;
  };
  readonly renderHead: (rule: R, number: number, onChange: (rule: R) => void) => ReactNode;
  readonly renderFields: (rule: R, onChange: (rule: R) => void) => ReactNode;
  readonly onAdd: () => R;
  readonly onChange: (rules: R[]) => void;
}

/** An editable list of rules. New rules are added at the end. */
export function RuleList<R extends Rule>({
  rules,
  words,
  renderHead,
  renderFields,
  onAdd,
  onChange,
}: Props<R>) {
  return (
    <>
      {rules.length === 0 ? <p className={common.quiet}>{words.none}</p> : null}
      {rules.map((rule, index) => {
        const change = (next: R): void => onChange(replaced(rules, index, next));
        return (
          <section
            // oxlint-disable-next-line react/no-array-index-key -- names are optional and change while they are typed
            key={index}
            className={joinClasses(common.column, common.framed, classes.rule)}
            aria-label={words.rule(index + 1)}
          >
            <div className={joinClasses(common.row, classes.ruleHead)}>
              {renderHead(rule, index + 1, change)}
              <ActionIcon
                aria-label={words.remove(index + 1)}
                onClick={() => onChange(withoutIndex(rules, index))}
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
        {words.add}
      </Button>
    </>
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
