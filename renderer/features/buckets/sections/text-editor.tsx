import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import {
  sectionFacts,
  type BucketSection,
  type SettingsProblem,
} from '../../../../shared/models/bucket-settings.ts';
import common from '../../../ui/common.module.css';
import { Notice } from '../../../ui/dialog/dialog.tsx';
import classes from '../parts/buckets.module.css';

interface Props {
  readonly section: BucketSection;
  readonly text: string;
  /** Grows to request focus for the editor. */
  readonly focusSerial: number;
  /** The problems in the text, or null if it has not been validated since the last change. */
  readonly problems: readonly SettingsProblem[] | null;
  readonly onChange: (text: string) => void;
  /** Inserts an example into an empty text. */
  readonly onStart: () => void;
}

/** Edits a configuration as text and lists its problems. A click on a problem moves to the affected line. */
export function TextEditor({ section, text, focusSerial, problems, onChange, onStart }: Props) {
  const { t } = useTranslation();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focusSerial === 0) return;
    field.current?.focus();
    field.current?.setSelectionRange(0, 0);
  }, [focusSerial]);

  const goTo = ({ line, column }: SettingsProblem): void => {
    const lines = text.split('\n');
    const start = lines.slice(0, line - 1).reduce((sum, before) => sum + before.length + 1, 0);
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(start + column - 1, start + (lines[line - 1]?.length ?? 0));
    if (area !== null) area.scrollTop = (area.scrollHeight / lines.length) * Math.max(0, line - 4);
  };
  const format = sectionFacts[section].format.toUpperCase();
  return (
    <>
      {text === '' ? (
        <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={onStart}>
          {t('buckets.settings.add')}
        </Button>
      ) : null}
      <Textarea
        ref={field}
        className={classes.editor ?? ''}
        aria-label={t('buckets.settings.editorLabel', {
          section: t(`buckets.settings.names.${section}`),
          format,
        })}
        rows={16}
        spellCheck={false}
        autoComplete="off"
        wrap="off"
        value={text}
        onKeyDown={(event) => indent(event, onChange)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div role="status">
        {problems === null ? null : problems.length === 0 ? (
          <Notice tone="ok">{t('buckets.settings.fine')}</Notice>
        ) : (
          <ul className={classes.problems} aria-label={t('buckets.settings.problems')}>
            {problems.map((problem) => (
              <li key={`${problem.line} ${problem.column} ${problem.code} ${problem.detail}`}>
                <button type="button" className={common.item} onClick={() => goTo(problem)}>
                  <span className={problem.severity === 'error' ? common.bad : common.warn}>
                    {t('buckets.settings.line', { line: problem.line })}
                  </span>
                  <span>{t(`buckets.settings.problem.${problem.code}`, { detail: problem.detail })}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

/** On Enter, indents the new line like the line above. Does not handle Tab, so that keyboard users can leave the editor. */
function indent(event: KeyboardEvent<HTMLTextAreaElement>, onChange: (text: string) => void): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  const area = event.currentTarget;
  const before = area.value.slice(0, area.selectionStart);
  const depth = /[^\n]*$/.exec(before)?.[0].match(/^[ \t]*/)?.[0] ?? '';
  if (depth === '') return;
  event.preventDefault();
  area.setRangeText(`\n${depth}`, area.selectionStart, area.selectionEnd, 'end');
  onChange(area.value);
}
