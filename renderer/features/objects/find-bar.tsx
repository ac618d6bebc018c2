import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Filter, TextCursorInput, X } from 'lucide-react';
import { useId, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../ui/format.ts';
import note from '../../ui/note.module.css';
import classes from './folder-page.module.css';

interface FindBarProps {
  readonly filter: string;
  readonly startsWith: string;
  readonly filterRef: Ref<HTMLInputElement>;
  readonly startsWithRef: Ref<HTMLInputElement>;
  readonly onFilter: (text: string) => void;
  readonly onStartsWith: (text: string) => void;
  /** Enter or Escape: back to the list. */
  readonly onDone: () => void;
}

const settleMs = 350;

/** Two ways to find: a filter over what is loaded, and the service's own search by the start of the name. */
export function FindBar(props: FindBarProps) {
  const { t } = useTranslation();
  return (
    <div role="search" aria-label={t('objects.find.label')} className={classes.findBar}>
      <StartsWithField {...props} key={props.startsWith} />
      <Field
        inputRef={props.filterRef}
        value={props.filter}
        label={t('objects.find.filter')}
        placeholder={t('objects.find.filterPlaceholder')}
        icon={<Filter size={14} aria-hidden />}
        onChange={props.onFilter}
        onDone={props.onDone}
      />
    </div>
  );
}

function StartsWithField({ startsWith, startsWithRef, onStartsWith, onDone }: FindBarProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(startsWith);
  const ask = useDebouncedCallback(onStartsWith, settleMs);
  return (
    <Field
      inputRef={startsWithRef}
      value={text}
      label={t('objects.find.startsWith')}
      placeholder={t('objects.find.startsWithPlaceholder')}
      icon={<TextCursorInput size={14} aria-hidden />}
      onChange={(next) => {
        setText(next);
        ask(next);
      }}
      onDone={onDone}
    />
  );
}

interface FieldProps {
  readonly inputRef: Ref<HTMLInputElement>;
  readonly value: string;
  readonly label: string;
  readonly placeholder: string;
  readonly icon: React.ReactNode;
  readonly onChange: (text: string) => void;
  readonly onDone: () => void;
}

function Field({ inputRef, value, label, placeholder, icon, onChange, onDone }: FieldProps) {
  const { t } = useTranslation();
  const clear = (
    <ActionIcon
      size="xs"
      aria-label={t('objects.find.clear')}
      onClick={() => {
        onChange('');
      }}
    >
      <X size={12} aria-hidden />
    </ActionIcon>
  );
  return (
    <TextInput
      ref={inputRef}
      value={value}
      aria-label={label}
      title={label}
      placeholder={placeholder}
      leftSection={icon}
      rightSection={value === '' ? null : clear}
      spellCheck={false}
      autoComplete="off"
      className={classes.findField ?? ''}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onChange('');
        if (event.key !== 'Escape' && event.key !== 'Enter' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        onDone();
      }}
    />
  );
}

interface FilterNoteProps {
  readonly shown: number;
  readonly loaded: number;
  readonly hasMore: boolean;
  readonly onLoadRest: () => void;
}

/** What the filter sees, and what it does not. */
export function FilterNote({ shown, loaded, hasMore, onLoadRest }: FilterNoteProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className={note.note} role="status">
      <span id={id}>
        {t('objects.find.counts', { count: loaded, shown: formatCount(shown), loaded: formatCount(loaded) })}{' '}
        {hasMore ? t('objects.find.notAll') : null}
      </span>
      {hasMore ? (
        <Button variant="subtle" size="compact-xs" aria-describedby={id} onClick={onLoadRest}>
          {t('objects.find.loadRest')}
        </Button>
      ) : null}
    </div>
  );
}
