import { decodeEntities } from './text.ts';
import { isOrdinary } from './plain-tree.ts';

const known = new Set<string>();

function isKnown(name: string): boolean {
  if (known.has(name)) return true;
  if (!isOrdinary(name)) return false;
  // Services use about a dozen names. The limit protects memory from a document with thousands.
  if (known.size < 200) known.add(name);
  return true;
}

/** Reads a sequence of elements without attributes. */
export class Entries {
  #text: string;
  readonly #following: string[] = [];
  /** True if the element just opened is empty, like `<Prefix/>`. */
  isEmpty = false;
  /** True if the text returned last contained a character reference. */
  hadReference = false;
  #at: number;
  #step = 0;
  #nextReference = -1;
  /** The XML of the last owner. Most entries have the same owner, so it is parsed once. */
  #ownerXml = '';
  #owner = '';

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** Sets the text that follows the current one. */
  continueWith(text: string): void {
    this.#text = text;
    this.#at = 0;
    this.#nextReference = -1;
  }

  /** Opens the next element and returns its name. Returns '' before a closing tag, and null for anything else. */
  open(): string | null {
    const text = this.#text;
    let at = this.#at;
    let unit = text.charCodeAt(at);
    while (unit === 10 || unit === 32 || unit === 9) unit = text.charCodeAt((at += 1));
    if (unit !== 60) return null;
    if (text.charCodeAt(at + 1) === 47) {
      this.#at = at;
      return '';
    }
    const guess = this.#following[this.#step];
    if (
      guess !== undefined &&
      text.startsWith(guess, at + 1) &&
      text.charCodeAt(at + 1 + guess.length) === 62
    ) {
      this.isEmpty = false;
      this.#step += 1;
      this.#at = at + 2 + guess.length;
      return guess;
    }
    const end = text.indexOf('>', at + 1);
    if (end === -1) return null;
    this.isEmpty = text.charCodeAt(end - 1) === 47;
    const name = text.slice(at + 1, this.isEmpty ? end - 1 : end);
    if (!isKnown(name)) return null;
    this.#at = end + 1;
    this.#learn(name);
    return name;
  }

  /**
   * Records the order of the elements in an entry. It is tried for the next entry, because a service writes all entries in the
   * same order, which saves look-ups.
   */
  #learn(name: string): void {
    if (name === 'Contents') {
      this.#step = 0;
      return;
    }
    this.#following.length = this.#step;
    if (this.#step < 32) this.#following.push(name);
    this.#step = this.#following.length;
  }

  /** Returns the text of the element just opened and moves behind its end; null if it contains more than text. */
  text(name: string): string | null {
    this.hadReference = false;
    if (this.isEmpty) return '';
    const text = this.#text;
    const from = this.#at;
    const end = text.indexOf('<', from);
    if (end === -1) return null;
    this.#at = end;
    if (!this.close(name)) return null;
    const value = text.slice(from, end);
    this.hadReference = this.#reference(from) < end;
    return this.hadReference ? plain(value) : value;
  }

  /** Moves behind the element just opened without returning its text. Returns '', or null if it contains more than text. */
  pass(name: string): '' | null {
    if (this.isEmpty) return '';
    const text = this.#text;
    const from = this.#at;
    const end = text.indexOf('<', from);
    if (end === -1) return null;
    this.#at = end;
    if (!this.close(name)) return null;
    const reference = this.#reference(from);
    if (reference >= end) return '';
    // A fast path for the quotes around an ETag.
    if (
      reference === from &&
      text.startsWith('&quot;', from) &&
      this.#reference(from + 6) === end - 6 &&
      text.startsWith('&quot;', end - 6)
    )
      return '';
    return plain(text.slice(from, end)) === null ? null : '';
  }

  /** Returns the offset of the next `&` from `from` on. */
  #reference(from: number): number {
    if (this.#nextReference < from) {
      const found = this.#text.indexOf('&', from);
      this.#nextReference = found === -1 ? this.#text.length : found;
    }
    return this.#nextReference;
  }

  /** Returns the owner's name, otherwise the id; '' if there is none, null if the element has other content. */
  owner(): string | null {
    if (this.isEmpty) return '';
    const from = this.#at;
    if (this.#ownerXml !== '' && this.#text.startsWith(this.#ownerXml, from)) {
      this.#at = from + this.#ownerXml.length;
      return this.#owner;
    }
    let displayName: string | null = null;
    let id: string | null = null;
    for (;;) {
      const child = this.open();
      if (child === null) return null;
      if (child === '') break;
      const text = this.text(child);
      if (text === null) return null;
      if (child === 'DisplayName') {
        if (displayName !== null) return null;
        displayName = text;
      } else if (child === 'ID') {
        if (id !== null) return null;
        id = text;
      }
    }
    if (!this.close('Owner')) return null;
    this.#ownerXml = this.#text.slice(from, this.#at);
    this.#owner = displayName === null || displayName === '' ? (id ?? '') : displayName;
    return this.#owner;
  }

  close(name: string): boolean {
    const text = this.#text;
    const at = this.#at;
    const end = at + 2 + name.length;
    if (text.charCodeAt(at + 1) !== 47 || text.charCodeAt(end) !== 62) return false;
    if (!text.startsWith(name, at + 2)) return false;
    this.#at = end + 1;
    return true;
  }

  /** Returns true if the root element ends here and only white space follows. */
  atEnd(name: string): boolean {
    return this.close(name) && /^[ \t\n]*$/.test(this.#text.slice(this.#at));
  }
}

/** Decodes the references in a text; null if one is invalid. Has a fast path for the quotes of an ETag. */
function plain(value: string): string | null {
  const { length } = value;
  if (
    length > 12 &&
    value.startsWith('&quot;') &&
    value.indexOf('&', 6) === length - 6 &&
    value.endsWith('&quot;')
  )
    return `"${value.slice(6, -6)}"`;
  try {
    return decodeEntities(value);
  } catch {
    return null;
  }
}
