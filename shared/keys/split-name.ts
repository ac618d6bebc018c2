/** Minimum length for splitting a name. Shorter names fit nearly everywhere. */
const minCutLength = 18;
/** Number of characters before the extension that stay visible, since these differ in a series of names. */
const keptBefore = 4;
const maxExtension = 10;
const maxTail = 8;
/** Hebrew, Arabic and the scripts near them. */
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/u;
/** A mark, joiner or variation selector belongs to the character before it. */
const joined = /^(?:\p{M}|\u{200C}|\u{200D}|\u{FE0F})$/u;

/** A name in two pieces. Only the head is truncated if the name does not fit. */
export interface SplitName {
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
  const wanted = !isLeftToRight ? dot : hasExtension ? dot - keptBefore : name.length - maxTail;
  const at = boundaryBefore(name, Math.max(1, wanted));
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
