import { keysPerBlock, textOfUtf8, utf8Of } from './packed-keys.ts';
import { etagBytes, type RowColumns } from './row-columns.ts';

/**
 * The values of columns that are text. Columns are one piece of bytes: the lengths that differ, the columns, widest values first
 * so that each is aligned, then this as JSON. Numbers are in the byte order of the machine, which both ends share. The text is not
 * validated, since a thread of the core has written it, and a schema would take 3 MiB there.
 */
interface ColumnTexts {
  readonly isAscending: boolean;
  readonly classNames: readonly string[];
  readonly otherClasses: readonly (readonly [row: number, name: string])[];
  readonly otherEtags: readonly (readonly [row: number, etag: string])[];
  readonly otherKeys: readonly (readonly [row: number, key: string])[];
}

/** The count of rows, the bytes of keys, and the counts of ETags and of numbers of parts: all rows or 0. */
type Lengths = readonly [count: number, keyBytes: number, etags: number, parts: number];
const headBytes = 4 * Uint32Array.BYTES_PER_ELEMENT;

/** Returns the bytes of columns. */
export function bytesOfColumns(columns: RowColumns): Uint8Array<ArrayBuffer> {
  const { keys, isAscending, classNames, otherClasses, otherEtags, parts } = columns;
  const text: ColumnTexts = {
    isAscending,
    classNames,
    otherClasses: [...otherClasses],
    otherEtags: [...otherEtags],
    otherKeys: [...keys.others],
  };
  const textBytes = utf8Of(JSON.stringify(text));
  const lengths: Lengths = [keys.count, keys.bytes.length, columns.etags.length / etagBytes, parts.length];
  const buffer = new ArrayBuffer(sizeOf(lengths) + textBytes.length);
  new Uint32Array(buffer, 0, lengths.length).set(lengths);
  const views = viewsOf(buffer, lengths);
  views.sizes.set(columns.sizes);
  views.times.set(columns.times);
  views.starts.set(keys.starts);
  views.parts.set(parts);
  views.flags.set(columns.flags);
  views.classes.set(columns.classes);
  views.etags.set(columns.etags);
  views.keyBytes.set(keys.bytes);
  views.text.set(textBytes);
  return new Uint8Array(buffer);
}

/** Returns the columns in these bytes, whose memory they share. */
export function columnsOfBytes(buffer: ArrayBuffer): RowColumns {
  const [count = 0, keyLength = 0, etagCount = 0, partCount = 0] = new Uint32Array(buffer, 0, 4);
  const { starts, keyBytes, text, ...columns } = viewsOf(buffer, [count, keyLength, etagCount, partCount]);
  const { otherKeys, otherClasses, otherEtags, ...rest } = JSON.parse(textOfUtf8(text)) as ColumnTexts;
  return {
    ...columns,
    ...rest,
    keys: { count, bytes: keyBytes, starts, others: new Map(otherKeys) },
    otherClasses: new Map(otherClasses),
    otherEtags: new Map(otherEtags),
  };
}

function sizeOf([count, keyBytes, etags, parts]: Lengths): number {
  const wide = 2 * Float64Array.BYTES_PER_ELEMENT * count + Uint32Array.BYTES_PER_ELEMENT * blocksOf(count);
  return headBytes + wide + Uint16Array.BYTES_PER_ELEMENT * parts + 2 * count + etagBytes * etags + keyBytes;
}

function blocksOf(count: number): number {
  return Math.ceil(count / keysPerBlock);
}

function viewsOf(buffer: ArrayBuffer, [count, keyBytes, etags, parts]: Lengths) {
  let at = headBytes;
  const next = <View extends ArrayBufferView>(view: View): View => {
    at += view.byteLength;
    return view;
  };
  return {
    sizes: next(new Float64Array(buffer, at, count)),
    times: next(new Float64Array(buffer, at, count)),
    starts: next(new Uint32Array(buffer, at, blocksOf(count))),
    parts: next(new Uint16Array(buffer, at, parts)),
    flags: next(new Uint8Array(buffer, at, count)),
    classes: next(new Uint8Array(buffer, at, count)),
    etags: next(new Uint8Array(buffer, at, etags * etagBytes)),
    keyBytes: next(new Uint8Array(buffer, at, keyBytes)),
    text: new Uint8Array(buffer, at),
  };
}
