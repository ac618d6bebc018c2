import { BadFormat, viewOf } from '../frame/bytes.ts';
import type { RangeSource } from '../frame/range-source.ts';
import type { ArrowField } from './arrow-type.ts';
import { footerOf, messageOf, messagePrefix, type BatchHeader, type Block, type Message } from './message.ts';

const magic = 'ARROW1';
const firstBytes = 64 * 1024;
const maxFooterBytes = 16_000_000;
/** Limit of shown batches. Each costs a request, since only the message of a batch states its number of rows. */
const maxBatches = 200;
const maxDictionaries = 200;
const atOnce = 8;

export interface PlacedBatch {
  readonly header: BatchHeader;
  readonly bodyAt: number;
  readonly bodyBytes: number;
  /** Number of dictionaries in the file that apply to the batch. */
  readonly dictionariesBefore: number;
}

type PlacedDictionary = Extract<Message, { readonly kind: 'dictionary' }> & { readonly bodyAt: number };

export interface ArrowContents {
  readonly fields: readonly ArrowField[];
  readonly batches: readonly PlacedBatch[];
  /** The offset in the file at which the shown batches end, or null if all are shown. */
  readonly shownBytes: number | null;
  readonly dictionaries: (signal: AbortSignal) => Promise<readonly PlacedDictionary[]>;
}

/** Locates batches and dictionaries. In a file they are listed at the end; a stream is read message by message. */
export async function contentsOf(source: RangeSource, signal: AbortSignal): Promise<ArrowContents> {
  const head = await source.read(0, Math.min(8, source.sizeBytes), signal);
  return new TextDecoder('latin1').decode(head.subarray(0, magic.length)) === magic
    ? await fileContents(source, signal)
    : await streamContents(source, signal);
}

async function fileContents(source: RangeSource, signal: AbortSignal): Promise<ArrowContents> {
  const length = Math.min(source.sizeBytes, firstBytes);
  const tail = await source.read(source.sizeBytes - length, length, signal);
  const end = new TextDecoder('latin1').decode(tail.subarray(-magic.length));
  if (tail.length < 18 || end !== magic) throw new BadFormat('The file is cut off.');
  const view = viewOf(tail);
  const footerBytes = view.getInt32(tail.length - 10, true);
  if (footerBytes < 8 || footerBytes > maxFooterBytes || footerBytes + 10 > source.sizeBytes)
    throw new BadFormat('The list at the end is too long.');
  const start = source.sizeBytes - 10 - footerBytes;
  const footer = footerOf(
    footerBytes + 10 <= tail.length
      ? tail.subarray(tail.length - 10 - footerBytes, tail.length - 10)
      : await source.read(start, footerBytes, signal),
  );
  const shown = footer.batches.slice(0, maxBatches);
  const batches = await eachOf(shown, async (block): Promise<PlacedBatch> => {
    const { message, bodyAt } = await messageAt(source, block, signal);
    if (message.kind !== 'rows') throw new BadFormat('A batch has no rows.');
    const { header, bodyBytes } = message;
    return { header, bodyAt, bodyBytes, dictionariesBefore: footer.dictionaries.length };
  });
  if (footer.dictionaries.length > maxDictionaries) throw new BadFormat('There are too many dictionaries.');
  let dictionaries: Promise<readonly PlacedDictionary[]> | null = null;
  const last = batches.at(-1);
  return {
    fields: footer.fields,
    batches,
    shownBytes:
      footer.batches.length > shown.length && last !== undefined ? last.bodyAt + last.bodyBytes : null,
    dictionaries: async (using) => {
      dictionaries ??= eachOf(footer.dictionaries, async (block): Promise<PlacedDictionary> => {
        const { message, bodyAt } = await messageAt(source, block, using);
        if (message.kind !== 'dictionary') throw new BadFormat('A dictionary has no values.');
        return { ...message, bodyAt };
      });
      dictionaries.catch(() => {
        dictionaries = null;
      });
      return await dictionaries;
    },
  };
}

async function streamContents(source: RangeSource, signal: AbortSignal): Promise<ArrowContents> {
  let fields: readonly ArrowField[] | null = null;
  const batches: PlacedBatch[] = [];
  const dictionaries: PlacedDictionary[] = [];
  let place = 0;
  let messages = 0;
  let isCut = false;
  while (place < source.sizeBytes) {
    const bytes = await source.read(place, Math.min(firstBytes, source.sizeBytes - place), signal);
    const prefix = messagePrefix(bytes);
    if (prefix === null) break;
    isCut = batches.length === maxBatches || messages === maxBatches + maxDictionaries;
    if (isCut) break;
    const block = { offset: place, messageBytes: prefix.prefixBytes + prefix.messageBytes, bodyBytes: 0 };
    const { message, bodyAt } = await messageAt(source, block, signal);
    messages += 1;
    if (message.kind === 'schema') {
      fields ??= message.fields;
      place = bodyAt;
      continue;
    }
    const { bodyBytes } = message;
    if (message.kind === 'rows')
      batches.push({ header: message.header, bodyAt, bodyBytes, dictionariesBefore: dictionaries.length });
    else if (message.kind === 'dictionary') dictionaries.push({ ...message, bodyAt });
    place = bodyAt + bodyBytes;
  }
  if (fields === null) throw new BadFormat('The stream has no schema.');
  return {
    fields,
    batches,
    shownBytes: isCut ? place : null,
    dictionaries: async () => await Promise.resolve(dictionaries),
  };
}

async function messageAt(
  source: RangeSource,
  { offset, messageBytes }: Block,
  signal: AbortSignal,
): Promise<{ readonly message: Message; readonly bodyAt: number }> {
  const bytes = await source.read(offset, messageBytes, signal);
  const prefix = messagePrefix(bytes);
  if (prefix === null || prefix.prefixBytes + prefix.messageBytes > bytes.length)
    throw new BadFormat('A message is cut off.');
  const { prefixBytes, messageBytes: length } = prefix;
  const message = messageOf(bytes.subarray(prefixBytes, prefixBytes + length));
  return { message, bodyAt: offset + prefixBytes + length };
}

/** Maps the items, a few at a time, and returns the results in the order of the items. */
async function eachOf<T, R>(all: readonly T[], make: (entry: T) => Promise<R>): Promise<readonly R[]> {
  const made: R[] = [];
  for (let at = 0; at < all.length; at += atOnce)
    made.push(...(await Promise.all(all.slice(at, at + atOnce).map(make))));
  return made;
}
