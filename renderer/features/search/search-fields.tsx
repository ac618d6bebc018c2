import { Button, Flex, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { CaseSensitive, ListFilter, Search } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { popupsId } from '../../ui/theme/theme.ts';
import {
  emptySearchForm,
  modifiedPresets,
  searchFormSchema,
  sizeUnits,
  type FormField,
  type SearchForm,
} from './search-form.ts';
import classes from './search.module.css';
import { IconButton } from '../../ui/icon-button.tsx';

export interface FieldProblem {
  readonly field: FormField;
  readonly text: string;
}

interface Props {
  readonly form: SearchForm;
  readonly problem: FieldProblem | null;
  readonly isRunning: boolean;
  readonly onChange: (form: SearchForm) => void;
  readonly onSubmit: () => void;
}

const { kind: kinds, in: ins } = searchFormSchema.shape;
/** Suggested storage classes. The user can also type others. */
const knownClasses = [
  'STANDARD',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'REDUCED_REDUNDANCY',
  'COLD',
  'GLACIER_IR',
  'GLACIER',
  'DEEP_ARCHIVE',
];

function conditionsSet(form: SearchForm): number {
  const hasSize = form.minSize !== '' || form.maxSize !== '';
  return Number(hasSize) + Number(form.modified !== 'any') + Number(form.storageClasses.length > 0);
}

/** The search form. Enter in any field starts the search. */
export function SearchFields({ form, problem, isRunning, onChange, onSubmit }: Props) {
  const { t } = useTranslation();
  const name = useRef<HTMLInputElement>(null);
  const conditionsId = useId();
  const count = conditionsSet(form);
  const [isOpen, setOpen] = useState(count > 0);
  useEffect(() => {
    name.current?.focus();
  }, []);
  const change = (part: Partial<SearchForm>): void => onChange({ ...form, ...part });
  const looksLikePattern = form.kind === 'contains' && /[*?]/u.test(form.text);
  const hasConditionProblem = problem !== null && problem.field !== 'text';
  return (
    <form
      className={classes.form}
      role="search"
      aria-label={t('search.label')}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div className={classes.fields}>
        <NativeSelect
          size="xs"
          aria-label={t('search.kind')}
          value={form.kind}
          data={kinds.options.map((value) => ({ value, label: t(`search.kinds.${value}`) }))}
          onChange={(event) => {
            const next = kinds.safeParse(event.currentTarget.value);
            if (next.success) change({ kind: next.data });
          }}
        />
        <TextInput
          ref={name}
          flex="1 1 140px"
          miw={140}
          aria-label={t('search.text')}
          placeholder={t(`search.placeholders.${form.kind}`)}
          leftSection={<Search size={14} aria-hidden />}
          rightSection={
            <MatchCase isOn={form.caseSensitive} onChange={(caseSensitive) => change({ caseSensitive })} />
          }
          spellCheck={false}
          autoComplete="off"
          maxLength={1000}
          value={form.text}
          error={problem?.field === 'text' ? problem.text : null}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          aria-label={t('search.in')}
          value={form.in}
          data={ins.options.map((value) => ({ value, label: t(`search.ins.${value}`) }))}
          onChange={(event) => {
            const next = ins.safeParse(event.currentTarget.value);
            if (next.success) change({ in: next.data });
          }}
        />
        <Button
          variant={count === 0 ? 'default' : 'light'}
          leftSection={<ListFilter size={14} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={conditionsId}
          onClick={() => setOpen(!isOpen)}
        >
          {count === 0 ? t('search.conditions') : t('search.conditionsSet', { count })}
        </Button>
        <Button type="submit" disabled={isRunning}>
          {t('search.submit')}
        </Button>
      </div>
      {looksLikePattern ? (
        <p className={classes.hint} role="status">
          {t('search.literal')}{' '}
          <Button variant="subtle" size="compact-xs" onClick={() => change({ kind: 'glob' })}>
            {t('search.useAsPattern')}
          </Button>
        </p>
      ) : null}
      <div id={conditionsId} className={classes.conditions} hidden={!isOpen && !hasConditionProblem}>
        <SizeFields form={form} problem={problem} change={change} />
        <ModifiedFields form={form} problem={problem} change={change} />
        <TagsInput
          size="xs"
          className={classes.classes ?? ''}
          label={t('search.storageClass')}
          placeholder={form.storageClasses.length === 0 ? t('search.anyClass') : ''}
          data={knownClasses}
          value={[...form.storageClasses]}
          maxTags={50}
          comboboxProps={{ portalProps: { target: `#${popupsId}` } }}
          onChange={(storageClasses) => change({ storageClasses })}
        />
        <Button
          variant="subtle"
          ms="auto"
          disabled={count === 0}
          onClick={() => {
            const { kind, text, caseSensitive } = form;
            onChange({ ...emptySearchForm, kind, text, caseSensitive, in: form.in });
          }}
        >
          {t('search.clear')}
        </Button>
      </div>
    </form>
  );
}

interface MatchCaseProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function MatchCase({ isOn, onChange }: MatchCaseProps) {
  const { t } = useTranslation();
  return (
    <IconButton
      size="sm"
      variant={isOn ? 'light' : 'subtle'}
      color={isOn ? 'accent' : 'gray'}
      label={t('search.caseSensitive')}
      icon={CaseSensitive}
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
    />
  );
}

interface PartProps {
  readonly form: SearchForm;
  readonly problem: FieldProblem | null;
  readonly change: (part: Partial<SearchForm>) => void;
}

function SizeFields({ form, problem, change }: PartProps) {
  const { t } = useTranslation();
  const ends = [
    { field: 'minSize', unit: 'minUnit' },
    { field: 'maxSize', unit: 'maxUnit' },
  ] as const;
  return ends.map(({ field, unit }) => (
    <Flex key={field} align="flex-end" gap={4}>
      <TextInput
        w={112}
        label={t(`search.${field}`)}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        value={form[field]}
        error={problem?.field === field ? problem.text : null}
        onChange={(event) => change({ [field]: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        aria-label={t(`search.${unit}`)}
        value={form[unit]}
        data={sizeUnits.map((value) => ({
          value,
          label: value === 'B' ? t('search.bytes') : t(`common.units.${value}`),
        }))}
        onChange={(event) => {
          const next = sizeUnits.find((sizeUnit) => sizeUnit === event.currentTarget.value);
          if (next !== undefined) change({ [unit]: next });
        }}
      />
    </Flex>
  ));
}

function ModifiedFields({ form, problem, change }: PartProps) {
  const { t } = useTranslation();
  return (
    <>
      <NativeSelect
        size="xs"
        label={t('search.modified')}
        value={form.modified}
        data={modifiedPresets.map((value) => ({ value, label: t(`search.presets.${value}`) }))}
        onChange={(event) => {
          const next = modifiedPresets.find((preset) => preset === event.currentTarget.value);
          if (next !== undefined) change({ modified: next });
        }}
      />
      {form.modified === 'between'
        ? (['fromDay', 'toDay'] as const).map((field) => (
            <TextInput
              key={field}
              type="date"
              label={t(`search.${field}`)}
              value={form[field]}
              error={problem?.field === field ? problem.text : null}
              onChange={(event) => change({ [field]: event.currentTarget.value })}
            />
          ))
        : null}
    </>
  );
}
