import { TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { nameNotes, nameProblemText } from './name-words.ts';
import { lineBreakConversionOf, type NameProblem } from './names.ts';
import classes from './operations.module.css';

interface NameFieldProps {
  readonly label: string;
  readonly value: string;
  readonly problem: NameProblem | null;
  /** True once the user has edited the field. Before that, an empty field shows no problem. */
  readonly isTouched: boolean;
  /** The number of characters selected when the field appears. */
  readonly selected: number;
  readonly note?: string | null;
  readonly onChange: (name: string) => void;
  readonly t: TFunction;
}

/** A name field that validates as the user types. */
export function NameField(props: NameFieldProps) {
  const { label, value, problem, isTouched, selected, note = null, onChange, t } = props;
  const field = useRef<HTMLInputElement>(null);
  const first = useRef(selected);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(0, first.current);
  }, []);
  const [breaks] = useState(() => lineBreakConversionOf(value));
  const description = [note, nameNotes(value, breaks !== null, t)].filter((text) => text !== null).join(' ');
  return (
    <TextInput
      ref={field}
      data-autofocus
      label={label}
      value={breaks === null ? value : breaks.shown(value)}
      error={problem !== null && isTouched ? nameProblemText(problem, t) : null}
      description={description === '' ? null : description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      classNames={{ description: classes.quiet ?? '' }}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => {
        const typed = event.currentTarget.value;
        onChange(breaks === null ? typed : breaks.meant(typed));
      }}
    />
  );
}
