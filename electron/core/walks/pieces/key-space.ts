import { compareKeys } from '../../../../shared/keys/paths.ts';

const digits = Array.from('0123456789');
const lowerHex = Array.from('abcdef');
const upperHex = Array.from('ABCDEF');
/** Characters to try after the digits. Letters sort after digits. */
const behindDigits = ['A', 'a'];

const maxPrefixes = 20_000;
const maxDepth = 256;
const maxPoints = 20_000;

/**
 * Learns how the keys of a bucket are formed, to guess where to split a range of keys. A wrong guess costs a request or
 * unbalances the readers, but never loses a key.
 */
export class KeySpace {
  readonly #prefix: string;
  readonly #delimiter: '/' | null;
  /**
   * Maps each prefix, relative to the walk's prefix, to the characters seen after it. The characters are one string, because
   * thousands of `Set`s would take megabytes.
   */
  readonly #following = new Map<string, string>();
  /** Alphabets derived from `#following`, cached until new characters are seen. */
  readonly #alphabets = new Map<string, readonly string[]>();
  /** The known common prefixes, sorted. Boundaries between folders are good places to split. */
  #points: readonly string[] = [];

  /** With a delimiter, no range is split inside a common prefix, because both parts would list that prefix. */
  constructor(prefix: string, delimiter: '/' | null = null) {
    this.#prefix = prefix;
    this.#delimiter = delimiter;
  }

  /** Records the characters of a key. */
  learn(key: string): void {
    if (!key.startsWith(this.#prefix)) return;
    const rest = key.slice(this.#prefix.length);
    let end = 0;
    let depth = 0;
    for (const char of rest) {
      const before = rest.slice(0, end);
      const known = this.#following.get(before);
      if (known === undefined) {
        if (this.#following.size >= maxPrefixes) return;
        this.#following.set(before, char);
      } else if (!known.includes(char)) {
        this.#alphabets.delete(before);
        this.#following.set(before, known + char);
      }
      end += char.length;
      depth += 1;
      if (depth >= maxDepth) return;
    }
  }

  /** Records known folders, which may be in any order. */
  addPoints(points: readonly string[]): void {
    const fresh = points.filter((point) => point.startsWith(this.#prefix) && point.isWellFormed());
    this.#points = [...new Set([...this.#points, ...fresh])].toSorted(compareKeys).slice(0, maxPoints);
    const step = Math.ceil(fresh.length / 100);
    for (let at = 0; at < fresh.length; at += step) this.learn(fresh[at] ?? '');
  }

  /** Returns the number of known folders after `after` and up to `through`. */
  pointsInside(after: string, through: string | null): number {
    return Math.max(0, this.#pointIndex(through) - this.#firstPointAfter(after));
  }

  /** Returns a well-formed key strictly between the two keys, where the range can be split; null if none is found. */
  cut(after: string, through: string | null): string | null {
    const first = this.#firstPointAfter(after);
    const last = this.#pointIndex(through);
    if (last > first) {
      const point = this.#points[first + ((last - first) >> 1)];
      if (point !== undefined) return point;
    }
    const cut = this.#between(after, through);
    if (cut === null || this.#delimiter === null) return cut;
    const outside = behindFolder(cut, this.#prefix);
    return isBetween(outside, after, through) ? outside : null;
  }

  /** Estimates the share of all keys after `after` and up to `through`, from 0 to 1. */
  share(after: string, through: string | null): number {
    const top = through === null ? 1 : this.#fraction(through);
    return Math.max(0, top - this.#fraction(after));
  }

  #firstPointAfter(key: string): number {
    return lowerBound(this.#points, (point) => compareKeys(point, key) > 0);
  }

  #pointIndex(through: string | null): number {
    if (through === null) return this.#points.length;
    return lowerBound(this.#points, (point) => compareKeys(point, through) >= 0);
  }

  /** Returns the characters that may follow a prefix: those seen, and all digits if one of them was seen. */
  #alphabet(before: string): readonly string[] {
    const known = this.#alphabets.get(before);
    if (known !== undefined) return known;
    const made = this.#makeAlphabet(before);
    if (made.length > 0) this.#alphabets.set(before, made);
    return made;
  }

  #makeAlphabet(before: string): readonly string[] {
    const knownChars = this.#following.get(before);
    if (knownChars === undefined) return [];
    const all = new Set(knownChars);
    const hasDigit = digits.some((digit) => all.has(digit));
    if (hasDigit) {
      for (const digit of digits) all.add(digit);
      if (lowerHex.some((letter) => all.has(letter))) for (const letter of lowerHex) all.add(letter);
      if (upperHex.some((letter) => all.has(letter))) for (const letter of upperHex) all.add(letter);
    }
    return [...all].toSorted(compareKeys);
  }

  /** Maps a key to a number from 0 to 1. Each character counts as a digit among those possible at its position. */
  #fraction(key: string): number {
    let value = 0;
    let width = 1;
    let before = '';
    for (const char of key.slice(this.#prefix.length)) {
      const alphabet = this.#alphabet(before);
      if (alphabet.length === 0 || width < 1e-12) break;
      const index = alphabet.indexOf(char);
      width /= alphabet.length;
      value += width * Math.max(0, index === -1 ? placeOf(alphabet, char) : index);
      before += char;
    }
    return value;
  }

  #between(after: string, through: string | null): string | null {
    const from = this.#fraction(after);
    const to = through === null ? 1 : this.#fraction(through);
    if (to > from) {
      const found = this.#at((from + to) / 2, after, through);
      if (found !== null) return found;
    }
    return this.#nextClass(after, through);
  }

  /** Returns the shortest text at this fraction of the key space that is between the two keys; null if there is none. */
  #at(fraction: number, after: string, through: string | null): string | null {
    let rest = fraction;
    let text = '';
    for (let depth = 0; depth < maxDepth; depth += 1) {
      const alphabet = this.#alphabet(text);
      if (alphabet.length === 0) return this.#deeper(text, after, through);
      const scaled = rest * alphabet.length;
      const index = Math.min(alphabet.length - 1, Math.floor(scaled));
      text += alphabet[index] ?? '';
      rest = scaled - index;
      const cut = this.#prefix + text;
      if (isBetween(cut, after, through)) return cut;
    }
    return null;
  }

  /**
   * Guesses a split point below a prefix whose following characters are unknown. Assumes that keys continue like the last one
   * read, and increments one of its digits.
   */
  #deeper(text: string, after: string, through: string | null): string | null {
    const rest = after.slice(this.#prefix.length);
    const shared = sharedLength(text, rest);
    const chars = Array.from(rest.slice(shared));
    let before = this.#prefix + rest.slice(0, shared);
    for (const char of chars.slice(0, maxDepth)) {
      const index = digits.indexOf(char);
      if (index >= 0 && index < 9) {
        const cut = before + (digits[Math.ceil((index + 10) / 2)] ?? '9');
        if (isBetween(cut, after, through)) return cut;
      }
      before += char;
    }
    return null;
  }

  /** Guesses a split point after all known keys: replaces the first digit by a letter, since letters sort after digits. */
  #nextClass(after: string, through: string | null): string | null {
    const rest = after.slice(this.#prefix.length);
    const first = Array.from(rest).findIndex((char) => digits.includes(char));
    if (first === -1) return null;
    const before = this.#prefix + Array.from(rest).slice(0, first).join('');
    for (const letter of behindDigits) if (isBetween(before + letter, after, through)) return before + letter;
    return null;
  }
}

/** Returns the first key after the common prefix that contains `cut`, by replacing its `/` with `0`, the next character. */
function behindFolder(cut: string, prefix: string): string {
  const slash = cut.indexOf('/', prefix.length);
  return slash === -1 ? cut : `${cut.slice(0, slash)}0`;
}

function isBetween(cut: string, after: string, through: string | null): boolean {
  return (
    cut.isWellFormed() && compareKeys(cut, after) > 0 && (through === null || compareKeys(cut, through) < 0)
  );
}

function placeOf(alphabet: readonly string[], char: string): number {
  return lowerBound(alphabet, (letter) => compareKeys(letter, char) > 0) - 1;
}

function lowerBound<T>(sorted: readonly T[], isBehind: (entry: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = sorted[middle];
    if (entry !== undefined && !isBehind(entry)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns how many UTF-16 units two texts share at their start. Never splits a surrogate pair. */
function sharedLength(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  const unit = left.charCodeAt(at - 1);
  return at > 0 && unit >= 0xd800 && unit <= 0xdbff ? at - 1 : at;
}
