import { useRef } from 'react';

/**
 * The next name that starts with what was typed, beginning behind the one that has the keyboard and going round; -1: none.
 * A longer text keeps the name that fits already; a single letter goes on to the next.
 */
export function nextByName(names: readonly string[], at: number, typed: string): number {
  const from = typed.length > 1 ? Math.max(at, 0) : at + 1;
  const wanted = typed.toLocaleLowerCase();
  const fits = (_: unknown, step: number): boolean =>
    names[(from + step) % names.length]?.toLocaleLowerCase().startsWith(wanted) ?? false;
  const step = names.findIndex(fits);
  return step === -1 ? -1 : (from + step) % names.length;
}

const pauseMs = 800;

/** The letters typed so far, and the time of the last one. */
export interface TypedText {
  readonly text: string;
  readonly atMs: number;
}

export const nothingTyped: TypedText = { text: '', atMs: -Infinity };

/**
 * Whether a key goes on with what was typed. Told by the times of the keys themselves: a busy window hears them late, and a
 * timer of its own would run out between two of them.
 */
export function goesOn(typed: TypedText, atMs: number): boolean {
  return typed.text !== '' && atMs - typed.atMs < pauseMs;
}

export function typedNext(typed: TypedText, letter: string, atMs: number): TypedText {
  return { text: goesOn(typed, atMs) ? typed.text + letter : letter, atMs };
}

/** Adds up the letters that are typed one after the other: returns the text so far, or null for a key that is no letter. */
export function useTypedText(): (event: Pick<KeyboardEvent, 'key' | 'timeStamp'>) => string | null {
  const typed = useRef(nothingTyped);
  return ({ key, timeStamp }) => {
    if (key.length !== 1 || key === ' ') return null;
    typed.current = typedNext(typed.current, key, timeStamp);
    return typed.current.text;
  };
}
