/**
 * A piece of a name, for display. Keys may contain any character. Invisible characters, and those that change how the rest is
 * shown, are displayed as a symbol. Cooper always copies and sends the key itself.
 */
export type NamePart =
  | { readonly kind: 'text'; readonly text: string }
  /** The name has no characters at all, as between the slashes of `a//b`. */
  | { readonly kind: 'empty' }
  /** White space at the name's edge. */
  | { readonly kind: 'space'; readonly text: string; readonly symbol: string }
  /** A character that is invisible or changes the direction of the text. `code` is its code point, such as `U+202E`. */
  | { readonly kind: 'hidden'; readonly text: string; readonly code: string; readonly symbol: string }
  /**
   * Letters and combining marks are separate characters (NFD, as macOS writes them): a different key from its identical-looking
   * NFC form.
   */
  | { readonly kind: 'decomposed'; readonly text: ''; readonly symbol: 'NFD' };

const invisible =
  /[\p{Cc}\u00AD\u061C\u115F\u1160\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E007F}]|\u034F|\u17B4|\u17B5|\p{Cs}/u;
const space = /\s/u;
/** Zero-width joiners and non-joiners. Between `joinable` characters they belong to Persian, Indic and emoji spelling. */
const joiner = /[\u200C\u200D]/u;
const joinable = /[\p{L}\p{M}\p{Extended_Pictographic}\uFE0F]/u;

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

function symbolOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : codeOf(character);
}

function isJoinerInWord(characters: readonly string[], at: number): boolean {
  return (
    joiner.test(characters[at] ?? '') &&
    joinable.test(characters[at - 1] ?? '') &&
    joinable.test(characters[at + 1] ?? '')
  );
}

/** Matches almost every name. Such names are returned as one part. */
const plain = /^[!-~](?:[ -~]*[!-~])?$/;

/** Splits a name into pieces for display. Their texts, joined, give the name. */
export function nameParts(name: string): readonly NamePart[] {
  if (name === '') return [{ kind: 'empty' }];
  if (plain.test(name)) return [{ kind: 'text', text: name }];
  const characters = Array.from(name);
  const firstInner = characters.findIndex((character) => !space.test(character));
  const lastInner = characters.findLastIndex((character) => !space.test(character));
  const parts: NamePart[] = [];
  let text = '';
  characters.forEach((character, at) => {
    const isOuter = firstInner === -1 || at < firstInner || at > lastInner;
    const part = specialPart(character, isOuter, isJoinerInWord(characters, at));
    if (part === null) {
      text += character;
      return;
    }
    if (text !== '') parts.push({ kind: 'text', text });
    text = '';
    parts.push(part);
  });
  if (text !== '') parts.push({ kind: 'text', text });
  if (isDecomposed(name)) parts.push({ kind: 'decomposed', text: '', symbol: 'NFD' });
  return parts;
}

/** Returns true if composing the combining marks (NFC) would change the name. */
function isDecomposed(name: string): boolean {
  return /\p{M}|[\u1160-\u11FF]/u.test(name) && name.normalize('NFC') !== name;
}

function specialPart(character: string, isOuter: boolean, joinsWord: boolean): NamePart | null {
  if (invisible.test(character) && !joinsWord)
    return { kind: 'hidden', text: character, code: codeOf(character), symbol: symbolOf(character) };
  // Shows the code of a no-break space and similar characters, which look like a space but make a different name.
  if (character !== ' ' && space.test(character))
    return { kind: 'hidden', text: character, code: codeOf(character), symbol: codeOf(character) };
  if (isOuter && character === ' ') return { kind: 'space', text: character, symbol: '\u2423' };
  return null;
}

/** Returns the name as one line of text, with substitutes, for labels and titles. */
export function nameText(name: string, emptyText: string): string {
  return nameParts(name)
    .map((part) => {
      if (part.kind === 'empty') return emptyText;
      return part.kind === 'text' ? part.text : part.symbol;
    })
    .join('');
}

/** Minimum length for splitting a name. Shorter names fit nearly everywhere. */
const minCutLength = 18;
/** Number of characters before the extension that stay visible, since these differ in a series of names. */
const charsBeforeExtension = 4;
const maxExtension = 10;
const maxTail = 8;
/** Hebrew, Arabic and the scripts near them. */
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/u;
/** A mark, joiner or variation selector belongs to the character before it. */
const joined = /^(?:\p{M}|\u{200C}|\u{200D}|\u{FE0F})$/u;

/** A name in two pieces. Only the head is truncated if the name does not fit. */
interface SplitName {
  readonly head: string;
  readonly tail: string;
}

/**
 * Splits a name so that its end (the extension and the characters before it) stays visible. Returns null for short names. A name
 * with right-to-left letters is split at its extension.
 */
export function splitName(name: string): SplitName | null {
  const isLeftToRight = !rightToLeft.test(name);
  if (isLeftToRight && name.length < minCutLength) return null;
  const dot = name.lastIndexOf('.');
  const hasExtension = dot > 0 && name.length - dot <= maxExtension && dot < name.length - 1;
  if (!isLeftToRight && !hasExtension) return null;
  const preferredIndex = !isLeftToRight
    ? dot
    : hasExtension
      ? dot - charsBeforeExtension
      : name.length - maxTail;
  const at = boundaryBefore(name, Math.max(1, preferredIndex));
  return at === 0 ? null : { head: name.slice(0, at), tail: name.slice(at) };
}

/** Returns the nearest index at or before `at` that splits neither a surrogate pair nor a combined character. */
function boundaryBefore(name: string, at: number): number {
  let index = at;
  while (index > 0 && isInCharacter(name, index)) index -= 1;
  return index;
}

function isInCharacter(name: string, index: number): boolean {
  const code = name.charCodeAt(index);
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff;
  return isLowSurrogate || joined.test(String.fromCodePoint(name.codePointAt(index) ?? 0));
}
