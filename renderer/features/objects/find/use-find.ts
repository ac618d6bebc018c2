import { useDebouncedCallback } from '@mantine/hooks';
import { useLayoutEffect, useMemo, useState, type RefObject } from 'react';
import { passKeysToNextField } from '../../../ui/keyboard/early-keys.ts';
import { findArrived, findAt, nextChoice, type Find, type FindChoice } from './find-state.ts';

export interface FindField {
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
): FindField {
  const [kept, setState] = useState(() => findAt(home, startsWith));
  // Derived on each render, since setting a state while rendering would render the folder twice.
  const state = useMemo(() => findArrived(kept, home, startsWith), [kept, home, startsWith]);
  const { find } = state;
  const [wish, setWish] = useState(0);
  useLayoutEffect(() => {
    if (wish > 0) field.current?.select();
  }, [wish, field]);

  const ask = (text: string): void => {
    setState((now) => ({ ...findArrived(now, home, startsWith), asked: text }));
    onStartsWith(text);
  };
  const askLater = useDebouncedCallback((asked: Find, of: string) => {
    // Skips the request if the folder was left, or the field closed or changed, in the meantime.
    if (of === home && find === asked) ask(asked.text);
  }, settleMs);
  const put = (next: Find | null): void => {
    setState((now) => ({ ...findArrived(now, home, startsWith), find: next }));
  };
  const choose = (choice: FindChoice): void => {
    const text = find?.text ?? '';
    put({ choice, text });
    const wanted = choice === 'startsWith' ? text : '';
    if (wanted !== startsWith) ask(wanted);
  };
  return {
    find,
    filter: find?.choice === 'filter' ? find.text : '',
    open: (choice) => {
      const isHere = document.activeElement !== null && document.activeElement === field.current;
      if (!isHere) passKeysToNextField('page');
      choose(isHere && find?.choice === choice ? nextChoice(choice) : choice);
      setWish(wish + 1);
    },
    setText: (text) => {
      const next = { choice: find?.choice ?? 'filter', text };
      put(next);
      if (next.choice === 'startsWith') askLater(next, home);
    },
    choose,
    close: () => {
      put(null);
      if (startsWith !== '') ask('');
    },
  };
}
