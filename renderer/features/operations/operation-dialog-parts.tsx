import { Button, Loader, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { joinClasses } from '../../ui/class-names.ts';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { formatBytes, formatCount } from '../../ui/words/format.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { TypeIcon } from '../../ui/cells/type-icon.tsx';
import common from '../../ui/common.module.css';
import { type Chosen, nameOf } from './chosen.ts';
import type { Count } from './use-count.ts';
import classes from './operations.module.css';
import { lineBreakConversionOf, nameNotes, type NameProblem, nameProblemText } from './names.ts';

interface CountLineProps {
  readonly count: Count;
  readonly onStop: () => void;
}

/** Shows the number and size of the selected objects, as far as known. */
export function CountLine({ count, onStop }: CountLineProps) {
  const { t } = useTranslation();
  const { keys, sizeBytes, requests, state, error } = count;
  const isRunning = state === 'running';
  const objectsText = t('operations.things.objects', { count: keys, number: formatCount(keys) });
  const words = state === 'done' ? 'total' : state;
  const text =
    isRunning && requests === 0 && keys === 0
      ? t('operations.count.counting')
      : t(`operations.count.${words}`, { things: objectsText, size: formatBytes(sizeBytes) });
  return (
    <>
      <div className={joinClasses(common.wrap, common.numbers, classes.count)}>
        {isRunning ? <Loader size={14} aria-hidden /> : null}
        <strong role="status">{text}</strong>
        {requests === 0 ? null : (
          <span className={joinClasses(common.quiet, common.numbers)}>
            {t('operations.count.requests', { count: requests, number: formatCount(requests) })}
          </span>
        )}
        {isRunning ? (
          <Button variant="default" size="compact-sm" onClick={onStop}>
            {t('operations.count.stop')}
          </Button>
        ) : null}
      </div>
      {error === null ? null : <ErrorNotice error={error} permission="s3:ListBucket" />}
    </>
  );
}

const maxLines = 50;

/** Lists the first of the selected rows by name. */
export function ChosenList({ rows, label }: { readonly rows: readonly Chosen[]; readonly label: string }) {
  const { t } = useTranslation();
  const rest = rows.length - maxLines;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
    <ul className={joinClasses(common.framed, common.scroll, classes.list)} aria-label={label} tabIndex={0}>
      {rows.slice(0, maxLines).map((row) => (
        <li key={row.key}>
          <TypeIcon name={nameOf(row)} isFolder={row.kind === 'folder'} />
          <span className={common.cut}>
            <KeyText name={nameOf(row)} />
          </span>
          <span className={joinClasses(common.quiet, common.numbers)}>
            {row.kind === 'folder' ? null : formatBytes(row.sizeBytes)}
          </span>
        </li>
      ))}
      {rest > 0 ? <li data-rest>{t('common.andMore', { count: rest })}</li> : null}
    </ul>
  );
}

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
  const [conversion] = useState(() => lineBreakConversionOf(value));
  const description = [note, nameNotes(value, conversion !== null, t)]
    .filter((text) => text !== null)
    .join(' ');
  return (
    <TextInput
      ref={field}
      data-autofocus
      label={label}
      value={conversion === null ? value : conversion.display(value)}
      error={problem !== null && isTouched ? nameProblemText(problem, t) : null}
      description={description === '' ? null : description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      classNames={{ description: joinClasses(common.hint, common.breaks, classes.quiet) }}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => {
        const typed = event.currentTarget.value;
        onChange(conversion === null ? typed : conversion.parse(typed));
      }}
    />
  );
}
