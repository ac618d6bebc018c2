import type { WalkQuery } from '../../../../shared/models/walks.ts';
import { compileQuery } from '../../walks/pages/matcher.ts';
import type { BlockFacts, CatalogueReader } from './catalogue-reader.ts';
import { gramsOf } from './grams.ts';
import { isoOf } from './map-sums.ts';

export interface SearchInput {
  readonly searchId: string;
  readonly catalogueId: string;
  readonly prefix: string;
  readonly query: WalkQuery;
  readonly from: number;
}

/** The result of one time slice of a search. */
export interface SearchTurn {
  readonly keys: number;
  readonly sizeBytes: number;
  readonly matches: number;
  readonly matchedBytes: number;
  /** The matches as JSON, with five values each, like the rows of a listing page; null if there are none. */
  readonly rows: Uint8Array<ArrayBuffer> | null;
  /** The block at which the next slice starts; null at the end. */
  readonly next: number | null;
}

/** A run of characters with a special meaning in a glob. */
const globSigns = /[*?[\]{}\\!]+/u;
const maxRows = 5000;

/** Returns the longest text that every match must contain; '' if there is none. */
export function certainText(query: WalkQuery): string {
  const { name } = query;
  if (name === null) return '';
  switch (name.kind) {
    case 'contains':
      return name.text;
    case 'glob':
      // Texts in braces or brackets are alternatives, so not every match contains them.
      if (/[{[\\]/u.test(name.text)) return '';
      return name.text
        .split(globSigns)
        .reduce((longest, part) => (part.length > longest.length ? part : longest), '');
    case 'regex':
      return '';
    default:
      return name.kind satisfies never;
  }
}

/** Searches a catalogue in key order, one time slice at a time. */
export class CatalogueSearch {
  readonly #reader: CatalogueReader;
  readonly #prefix: string;
  readonly #matcher: ReturnType<typeof compileQuery>;
  readonly #mayHold: ((id: number) => boolean) | null;
  readonly #blocks: readonly BlockFacts[];
  readonly #asksTime: boolean;

  /** Prepares a search below a prefix. Throws BadPattern for an invalid pattern. */
  constructor(reader: CatalogueReader, prefix: string, query: WalkQuery) {
    this.#reader = reader;
    this.#prefix = prefix;
    this.#matcher = compileQuery(query, prefix);
    this.#mayHold = reader.holding(gramsOf(certainText(query)));
    this.#blocks = reader.blocksOf(prefix);
    this.#asksTime = query.modifiedFrom !== null || query.modifiedBefore !== null;
  }

  turn(from: number, budgetMs: number, nowMs: () => number): SearchTurn {
    const blocks = this.#blocks;
    const endMs = nowMs() + budgetMs;
    const found: (string | number | null)[] = [];
    const sum = { keys: 0, sizeBytes: 0, matchedBytes: 0 };
    let at = from;
    for (; at < blocks.length && found.length < maxRows * 5; at += 1) {
      const facts = blocks[at];
      if (facts === undefined) break;
      const isInside = facts.firstKey.startsWith(this.#prefix) && facts.lastKey.startsWith(this.#prefix);
      if (isInside && this.#mayHold !== null && !this.#mayHold(facts.id)) {
        sum.keys += facts.objects;
        sum.sizeBytes += facts.sizeBytes;
        continue;
      }
      const block = this.#reader.block(facts);
      const keys = block.keys();
      for (let row = 0; row < keys.length; row += 1) {
        const key = keys[row] ?? '';
        if (!isInside && !key.startsWith(this.#prefix)) continue;
        const sizeBytes = block.sizes[row] ?? 0;
        sum.keys += 1;
        sum.sizeBytes += sizeBytes;
        const storageClass = block.classAt(row);
        const seconds = block.seconds[row] ?? 0;
        if (!this.#matcher(key, sizeBytes, this.#asksTime ? isoOf(seconds) : null, storageClass)) continue;
        sum.matchedBytes += sizeBytes;
        found.push(key, sizeBytes, isoOf(seconds), null, storageClass);
      }
      if (nowMs() >= endMs) {
        at += 1;
        break;
      }
    }
    return {
      ...sum,
      matches: found.length / 5,
      rows: found.length === 0 ? null : new TextEncoder().encode(JSON.stringify(found)),
      next: at < blocks.length ? at : null,
    };
  }
}
