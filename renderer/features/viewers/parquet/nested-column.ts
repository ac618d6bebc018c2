import type { DecodedArray } from 'hyparquet/src/types.js';
import { BadFormat } from '../frame/bytes.ts';
import { chunkBytes, chunkStart } from './column-pages.ts';
import { pageHeader } from './page-header.ts';
import { decoderOf, dictionaryOf, pageValues, type LeafChunk, type PageValues } from './page-values.ts';
import type { SchemaNode } from './schema-node.ts';

/** Limit of a column with lists or structures, which is read whole per row group. Larger columns are not shown. */
export const maxNestedBytes = 16 * 1024 * 1024;
const maxNestedValues = 2_000_000;

/** The values of a leaf in one row group, with their levels. */
export interface LeafValues {
  readonly definitions: Uint8Array;
  readonly repetitions: Uint8Array;
  /** The stored value at each position, or undefined for null. */
  readonly raws: readonly unknown[];
  /** The first position of each row, and the end of the last row. */
  readonly rowStarts: readonly number[];
}

/** Reads all pages of a leaf in one row group. Throws BadFormat if they claim or contain too much. */
export async function leafValues(from: LeafChunk, signal: AbortSignal): Promise<LeafValues> {
  const { source, leaf, chunk } = from;
  const decoder = decoderOf(from);
  const bytes = await source.read(chunkStart(chunk), chunkBytes(from), signal);
  let dictionary: DecodedArray | null = null;
  let unpackedBytes = 0;
  let count = 0;
  const pages: PageValues[] = [];
  const valueCount = Number(chunk.num_values);
  for (let at = 0; at < bytes.length && count < valueCount;) {
    const header = pageHeader(bytes, at, bytes.length - at, 1);
    const body = bytes.subarray(at + header.headerBytes, at + header.pageBytes);
    at += header.pageBytes;
    unpackedBytes += header.unpackedBytes;
    if (header.kind === 'data') count += header.values;
    if (unpackedBytes > maxNestedBytes || count > maxNestedValues)
      throw new BadFormat('A column is too large.');
    if (header.kind === 'dictionary') dictionary = dictionaryOf(header, body, decoder);
    else if (header.kind === 'data') pages.push(pageValues(header, body, decoder, dictionary));
  }
  return joined(pages, leaf);
}

function joined(pages: readonly PageValues[], leaf: SchemaNode): LeafValues {
  const count = pages.reduce((sum, page) => sum + page.count, 0);
  const definitions = new Uint8Array(count).fill(leaf.definition);
  const repetitions = new Uint8Array(count);
  const raws: unknown[] = [];
  const rowStarts: number[] = [];
  let at = 0;
  for (const page of pages) {
    let defined = 0;
    for (let index = 0; index < page.count; index += 1) {
      if (page.definitions.length > 0) definitions[at] = page.definitions[index] ?? 0;
      repetitions[at] = page.repetitions[index] ?? 0;
      if (repetitions[at] === 0) rowStarts.push(at);
      const isDefined = definitions[at] === leaf.definition;
      raws.push(isDefined ? page.rawAt(defined) : undefined);
      if (isDefined) defined += 1;
      at += 1;
    }
  }
  if (count > 0 && rowStarts[0] !== 0) throw new BadFormat('A column begins within a row.');
  return { definitions, repetitions, raws, rowStarts: [...rowStarts, count] };
}
