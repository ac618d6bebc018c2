import { splitName } from '../../../shared/keys/split-name.ts';

/** Fewer characters of a name tell nothing. */
const minShown = 6;

/**
 * Returns as much of a name as fits: its middle is left out, so that the extension stays, or else its end. Returns '' if too few
 * characters would be left.
 */
export function fittingName(measure: (text: string) => number, name: string, roomPx: number): string {
  if (measure(name) <= roomPx) return name;
  const { head, tail } = splitName(name) ?? { head: name, tail: '' };
  return longest(measure, head, `…${tail}`, roomPx) || longest(measure, name, '…', roomPx);
}

function longest(measure: (text: string) => number, text: string, end: string, roomPx: number): string {
  const cut = (length: number): string => `${text.slice(0, length).trimEnd().toWellFormed()}${end}`;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(cut(middle)) <= roomPx) low = middle;
    else high = middle - 1;
  }
  return low < minShown ? '' : cut(low);
}
