import { Button, Flex, Group, TextInput } from '@mantine/core';
import { Search, X } from 'lucide-react';
import { type RefObject, useId, useLayoutEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useNameInPane } from '../../../ui/keyboard/panes.ts';
import common from '../../../ui/common.module.css';
import { passKeysToNextField } from '../../../ui/keyboard/early-keys.ts';
import classes from '../page.module.css';
import { type Find, findArrived, findAt, type FindChoice, findChoices, nextChoice } from './find-state.ts';

interface FindBarProps {
  readonly field: Pick<FindField, 'setText' | 'choose' | 'close'>;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly find: Find;
  /** The ways to find that are available here. */
  readonly choices: readonly FindChoice[];
  /** Enter or the down arrow moves focus to the list. */
  readonly onDone: () => void;
  /** Searches for this text here and in all folders below; '' opens an empty search form. */
  readonly onSearch: (text: string) => void;
}

/**
 * Shows the find field above the list, and the choice where it searches: loaded rows, the service, or everything below the
 * folder.
 */
export function FindBar({ field, inputRef, find, choices, onDone, onSearch }: FindBarProps) {
  const { t } = useTranslation();
  const name = useId();
  const landmark = useNameInPane(t('objects.find.label'));
  const { choice, text } = find;
  const close = (): void => {
    field.close();
    onDone();
  };
  const label = t(`objects.find.${choice}`);
  return (
    <Group
      role="search"
      aria-label={landmark}
      className={common.lineBelow}
      flex="none"
      gap="6px 8px"
      py={7}
      px="sm"
    >
      <TextInput
        ref={inputRef}
        value={text}
        aria-label={label}
        placeholder={t(`objects.find.placeholders.${choice}`)}
        leftSection={<Search size={14} aria-hidden />}
        spellCheck={false}
        autoComplete="off"
        flex="1 1 140px"
        maw={360}
        onChange={(event) => field.setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') close();
          else if (event.key === 'Enter' && choice === 'below') {
            if (text !== '') onSearch(text);
          } else if (event.key === 'Enter' || event.key === 'ArrowDown') onDone();
          else return;
          event.preventDefault();
        }}
      />
      {/* Moves to the next line as a whole if it does not fit beside the field. */}
      <Group wrap="nowrap" flex="1 0 auto" gap="xs" maw="100%">
        {choices.length < 2 ? null : (
          <Flex role="radiogroup" aria-label={t('objects.find.choice')} wrap="wrap" flex="0 1 auto" gap={2}>
            {choices.map((each) => (
              <label key={each} className={classes.findChoice} title={t(`objects.find.${each}`)}>
                <input
                  type="radio"
                  name={name}
                  checked={each === choice}
                  className="visually-hidden"
                  onChange={() => field.choose(each)}
                  onKeyDown={(event) => {
                    if (event.key === 'Escape') close();
                    else if (event.key === 'Enter') inputRef.current?.select();
                    else return;
                    event.preventDefault();
                  }}
                />
                <span>{t(`objects.find.choices.${each}`)}</span>
              </label>
            ))}
          </Flex>
        )}
        {choice === 'below' ? (
          <Button variant="subtle" size="compact-xs" onClick={() => onSearch(text)}>
            {t(text === '' ? 'objects.find.criteria' : 'objects.find.search')}
          </Button>
        ) : null}
        <IconButton
          size="sm"
          label={t('objects.find.close')}
          icon={X}
          iconPx={14}
          ms="auto"
          onClick={close}
        />
      </Group>
    </Group>
  );
}

interface FindField {
  /** Null while closed. */
  readonly find: Find | null;
  /** The filter of the loaded rows. */
  readonly filter: string;
  /** Opens the field and focuses it. If the field has focus with this choice already, selects the next choice. */
  readonly open: (choice: FindChoice) => void;
  readonly setText: (text: string) => void;
  readonly choose: (choice: FindChoice) => void;
  readonly close: () => void;
}

const settleMs = 350;

/** Manages the find field above a folder's list. `startsWith` is the prefix in the visible location. */
export function useFind(
  home: string,
  startsWith: string,
  onStartsWith: (text: string) => void,
  field: RefObject<HTMLInputElement | null>,
  choices: readonly FindChoice[] = findChoices,
): FindField {
  const [lastState, setState] = useState(() => findAt(home, startsWith));
  // Derived on each render, since setting a state while rendering would render the folder twice.
  const state = useMemo(() => findArrived(lastState, home, startsWith), [lastState, home, startsWith]);
  const { find } = state;
  const [openings, setOpenings] = useState(0);
  useLayoutEffect(() => {
    if (openings > 0) field.current?.select();
  }, [openings, field]);

  const requestPrefix = (text: string): void => {
    setState((now) => ({ ...findArrived(now, home, startsWith), requestedPrefix: text }));
    onStartsWith(text);
  };
  const requestPrefixLater = useDebouncedCallback((typedFind: Find, of: string) => {
    // Skips the request if the folder was left, or the field closed or changed, in the meantime.
    if (of === home && find === typedFind) requestPrefix(typedFind.text);
  }, settleMs);
  const setFind = (next: Find | null): void =>
    setState((now) => ({ ...findArrived(now, home, startsWith), find: next }));
  const choose = (choice: FindChoice): void => {
    const text = find?.text ?? '';
    setFind({ choice, text });
    const newPrefix = choice === 'startsWith' ? text : '';
    if (newPrefix !== startsWith) requestPrefix(newPrefix);
  };
  return {
    find,
    filter: find?.choice === 'filter' ? find.text : '',
    open: (choice) => {
      const hasFocus = document.activeElement !== null && document.activeElement === field.current;
      if (!hasFocus) passKeysToNextField('page');
      choose(hasFocus && find?.choice === choice ? nextChoice(choice, choices) : choice);
      setOpenings(openings + 1);
    },
    setText: (text) => {
      const next = { choice: find?.choice ?? 'filter', text };
      setFind(next);
      if (next.choice === 'startsWith') requestPrefixLater(next, home);
    },
    choose,
    close: () => {
      setFind(null);
      if (startsWith !== '') requestPrefix('');
    },
  };
}
