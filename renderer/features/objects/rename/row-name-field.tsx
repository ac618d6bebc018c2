import { Tooltip } from '@mantine/core';
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type SyntheticEvent,
} from 'react';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../../shared/keys/display.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { hasKeyboardLeft } from '../../../ui/keyboard/keyboard-place.ts';
import { showNotice, type NoticeMessage } from '../../../ui/notices/notices.tsx';
import { errorWords } from '../../../ui/words/error-words.ts';
import { lineBreakConversionOf, nameNotes } from '../../operations/index.ts';
import type { RowRename } from './use-row-rename.ts';
import classes from '../list.module.css';

/**
 * A field that edits a row's name in place. Enter renames, Escape restores the name. Leaving the field also renames, unless the
 * name is unchanged or invalid. Problems are shown below the field.
 */
export function RowNameField({ rename }: { readonly rename: RowRename }) {
  const { t } = useTranslation();
  const { row, name: before, draft, problemOf, submit, end, onHidden } = rename;
  const field = useRef<HTMLInputElement>(null);
  const hasEnded = useRef(false);
  const [text, setText] = useState(draft.text);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [conversion] = useState(() => lineBreakConversionOf(before));
  // Reads the draft, since within an event handler the React state is not updated yet.
  const problemNow = (): NoticeMessage | null => (draft.text === before ? null : problemOf(row, draft.text));
  const problem = problemNow()?.(t) ?? failure;
  const hint = problem ?? nameNotes(text, conversion !== null, t);

  useLayoutEffect(() => {
    const input = field.current;
    if (input === null) return;
    // Before focusing, since keys typed meanwhile are then sent to the field and replace the selection.
    input.setSelectionRange(...draft.selected);
    input.focus({ preventScroll: true });
  }, [draft]);
  const hide = useRef(onHidden);
  useEffect(() => {
    hide.current = onHidden;
  }, [onHidden]);
  useLayoutEffect(() => {
    const input = field.current;
    return () => {
      if (!hasEnded.current && !hasKeyboardLeft(input)) hide.current();
    };
  }, []);

  const storeDraft = (name: string, { selectionStart, selectionEnd }: HTMLInputElement): void =>
    draft.edit(name, [selectionStart ?? 0, selectionEnd ?? 0]);
  const close = (isLeft: boolean): void => {
    hasEnded.current = true;
    end(isLeft);
  };
  const send = async (): Promise<void> => {
    setSending(true);
    try {
      await submit(row, draft.text);
      // The user may have moved on to another field while the service answered.
      close(hasKeyboardLeft(field.current));
    } catch (thrown) {
      setFailure(t(`${errorWords(appErrorOf(thrown))}.title`));
      setSending(false);
    }
  };
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' || (event.key === 'Enter' && draft.text === before)) close(false);
    else if (event.key !== 'Enter') return;
    else if (problemNow() === null && !isSending) void send();
    event.preventDefault();
    event.stopPropagation();
  };
  const leave = (event: FocusEvent<HTMLInputElement>): void => {
    // Keeps the field open if the whole window lost focus, since the field then remains the active element.
    if (document.activeElement === event.currentTarget || hasEnded.current || isSending) return;
    close(true);
    const { text: name } = draft;
    if (name === before || name === '') return;
    const reason = problemNow();
    if (reason === null) sayingFailure(() => submit(row, name));
    else
      showNotice({
        tone: 'warning',
        title: (say) =>
          say('operations.rename.kept', { name: nameText(before, say('common.keyText.empty')) }),
        message: (say) => reason(say),
      });
  };
  return (
    <Tooltip
      opened={hint !== null}
      label={hint}
      position="bottom-start"
      multiline
      w={320}
      {...(problem === null ? {} : { classNames: { tooltip: classes.nameProblem ?? '' } })}
    >
      <input
        ref={field}
        className={classes.newName}
        aria-label={t('operations.rename.field', { name: nameText(before, t('common.keyText.empty')) })}
        aria-invalid={problem !== null}
        value={conversion === null ? text : conversion.display(text)}
        readOnly={isSending}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          const typed = event.currentTarget.value;
          const next = conversion === null ? typed : conversion.parse(typed);
          storeDraft(next, event.currentTarget);
          setText(next);
          setFailure(null);
        }}
        onSelect={(event) => storeDraft(draft.text, event.currentTarget)}
        onKeyDown={press}
        onBlur={leave}
        {...mouseEventStoppers}
      />
    </Tooltip>
  );
}

/** Hides mouse events from the row, which would otherwise be selected, opened or dragged. */
const stop = (event: SyntheticEvent): void => event.stopPropagation();
const mouseEventStoppers = {
  onClick: stop,
  onDoubleClick: stop,
  onAuxClick: stop,
  onMouseDown: stop,
  onContextMenu: stop,
  onDragStart: stop,
};
