/** Quotes that may surround a pasted access key: from JSON, a shell script or a word processor. */
const quotePairs: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['‘', '’'],
  ['«', '»'],
]);

/**
 * Strips surrounding white space and matching quotes from an access key. Keeps a single quote mark, which may belong to the key.
 */
export function tidyKeyText(typed: string): string {
  const text = typed.trim();
  const closing = quotePairs.get(text.charAt(0));
  const isQuoted = text.length >= 2 && closing !== undefined && text.endsWith(closing);
  return isQuoted ? tidyKeyText(text.slice(1, -1)) : text;
}

/** A character that no access key ID or secret access key can contain. */
export interface ForeignCharacter {
  /** The code point, as `U+200B`: the character itself may be invisible or look like a Latin letter. */
  readonly code: string;
  /** The position in characters, counted from 1. */
  readonly position: number;
}

/** Returns the first character that is a space or not printable ASCII, or null. */
export function foreignCharacterOf(key: string): ForeignCharacter | null {
  const characters = Array.from(key);
  const index = characters.findIndex((character) => !/^[!-~]$/.test(character));
  const codePoint = characters[index]?.codePointAt(0);
  if (codePoint === undefined) return null;
  return { code: `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`, position: index + 1 };
}
