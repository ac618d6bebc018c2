import { spanInName, type NameSpan } from '../../../shared/keys/name-match.ts';

/** Returns the first occurrence of a text in a name, in whole letters of the name. Null if it does not occur. */
export function foundPart(name: string, text: string, isCaseSensitive: boolean): NameSpan | null {
  // The search compares the same lower-cased texts (core/walks/pages/matcher.ts).
  const searched = isCaseSensitive ? name : name.toLowerCase();
  const wanted = isCaseSensitive ? text : text.toLowerCase();
  const at = wanted === '' ? -1 : searched.indexOf(wanted);
  return at === -1 ? null : spanInName(name, searched, at, wanted.length);
}
