import { useRef } from 'react';

/**
 * Returns the index of the next name that starts with the typed text, after the focused one and wrapping around, or -1. A longer
 * text keeps the focused name if it matches; a single letter moves on.
 */
export function nextByName(names: readonly string[], at: number, typed: string): number {
  const from = typed.length > 1 ? Math.max(at, 0) : at + 1;
  const typedLower = typed.toLocaleLowerCase();
  const fits = (_: unknown, step: number): boolean =>
    names[(from + step) % names.length]?.toLocaleLowerCase().startsWith(typedLower) ?? false;
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
 * Returns true if a key continues the typed text. Compares the times of the key events, since a busy window handles them late and
 * a timer could fire between them.
 */
export function continuesTyping(typed: TypedText, atMs: number): boolean {
  return typed.text !== '' && atMs - typed.atMs < pauseMs;
}

export function withTypedLetter(typed: TypedText, letter: string, atMs: number): TypedText {
  return { text: continuesTyping(typed, atMs) ? typed.text + letter : letter, atMs };
}

/** Returns a function that collects typed letters. It returns the text so far, or null for a key that is not a letter. */
export function useTypedText(): (event: Pick<KeyboardEvent, 'key' | 'timeStamp'>) => string | null {
  const typed = useRef(nothingTyped);
  return ({ key, timeStamp }) => {
    // These keys open or leave a list, and the next letter is of another name.
    if (key === 'Enter' || key === 'Backspace') typed.current = nothingTyped;
    if (key.length !== 1 || key === ' ') return null;
    typed.current = withTypedLetter(typed.current, key, timeStamp);
    return typed.current.text;
  };
}
