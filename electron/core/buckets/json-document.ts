/** A value in a JSON text, with its position. */
export interface JsonNode {
  readonly value:
    | { readonly kind: 'object'; readonly entries: readonly JsonEntry[] }
    | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
    | { readonly kind: 'string'; readonly text: string }
    | { readonly kind: 'other' };
  readonly offset: number;
}

export interface JsonEntry {
  readonly key: string;
  readonly offset: number;
  readonly node: JsonNode;
}

export type JsonReading =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly offset: number; readonly message: string };

class JsonSyntaxError extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

const maxDepth = 64;

/** Parses JSON with the position of each value, which JSON.parse lacks. Duplicate keys are kept. */
export function readJson(text: string): JsonReading {
  try {
    const reader = new Reader(text);
    return { ok: true, root: reader.whole() };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { ok: false, offset: error.offset, message: error.message };
    throw error;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): JsonNode {
    const root = this.#value(0);
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#unexpected('the end');
    return root;
  }

  #skipBlanks(): void {
    while (' \t\r\n'.includes(this.#text.charAt(this.#at)) && this.#at < this.#text.length) this.#at += 1;
  }

  #unexpected(expected: string): JsonSyntaxError {
    const found = this.#text.charAt(this.#at);
    const ending = found === '' ? 'The text ends' : `"${found}" is`;
    return new JsonSyntaxError(
      Math.min(this.#at, Math.max(0, this.#text.length - 1)),
      `${ending} where ${expected} was expected.`,
    );
  }

  #take(char: string): boolean {
    this.#skipBlanks();
    if (this.#text.charAt(this.#at) !== char) return false;
    this.#at += 1;
    return true;
  }

  #value(depth: number): JsonNode {
    this.#skipBlanks();
    const offset = this.#at;
    if (depth > maxDepth) throw new JsonSyntaxError(offset, 'The text is nested too deeply.');
    const first = this.#text.charAt(offset);
    if (first === '{') return { offset, value: { kind: 'object', entries: this.#entries(depth) } };
    if (first === '[') return { offset, value: { kind: 'array', items: this.#items(depth) } };
    if (first === '"') return { offset, value: { kind: 'string', text: this.#string() } };
    const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
    plain.lastIndex = offset;
    const found = plain.exec(this.#text)?.[0];
    if (found === undefined) throw this.#unexpected('a value');
    this.#at += found.length;
    return { offset, value: { kind: 'other' } };
  }

  #entries(depth: number): readonly JsonEntry[] {
    const entries: JsonEntry[] = [];
    this.#at += 1;
    if (this.#take('}')) return entries;
    do {
      this.#skipBlanks();
      const offset = this.#at;
      if (this.#text.charAt(offset) !== '"') throw this.#unexpected('a name in quotes');
      const key = this.#string();
      if (!this.#take(':')) throw this.#unexpected('a colon');
      entries.push({ key, offset, node: this.#value(depth + 1) });
    } while (this.#take(','));
    if (!this.#take('}')) throw this.#unexpected('a comma or "}"');
    return entries;
  }

  #items(depth: number): readonly JsonNode[] {
    const items: JsonNode[] = [];
    this.#at += 1;
    if (this.#take(']')) return items;
    do items.push(this.#value(depth + 1));
    while (this.#take(','));
    if (!this.#take(']')) throw this.#unexpected('a comma or "]"');
    return items;
  }

  #string(): string {
    // oxlint-disable-next-line no-control-regex -- JSON forbids control characters in strings
    const whole = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
    whole.lastIndex = this.#at;
    const found = whole.exec(this.#text)?.[0];
    if (found === undefined)
      throw new JsonSyntaxError(this.#at, 'A text in quotes is not closed, or has a line break in it.');
    this.#at += found.length;
    return JSON.parse(found) as string;
  }
}

/** Returns the line and column of an offset, both counted from 1. */
export function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
