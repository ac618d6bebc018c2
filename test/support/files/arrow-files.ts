import { zstdCompressSync } from 'node:zlib';
import {
  Bool,
  compressionRegistry,
  CompressionType,
  DateDay,
  Dictionary,
  Field,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int32,
  Int64,
  LargeUtf8,
  List,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Struct,
  Table,
  TimeMicrosecond,
  TimestampMillisecond,
  Uint8,
  Utf8,
  vectorFromArray,
  type Vector,
} from 'apache-arrow';

const rows = 1000;

function columnsOf(start: number, end: number): Readonly<Record<string, Vector>> {
  const numbers = Array.from({ length: end - start }, (_, row) => start + row);
  const gaps = <T>(make: (row: number) => T): (T | null)[] =>
    numbers.map((row) => (row % 7 === 0 ? null : make(row)));
  return {
    int: vectorFromArray(
      gaps((row) => row),
      new Int32(),
    ),
    long: vectorFromArray(
      numbers.map((row) => 2n ** 60n + BigInt(row)),
      new Int64(),
    ),
    byte: vectorFromArray(
      numbers.map((row) => row % 256),
      new Uint8(),
    ),
    half: vectorFromArray(
      numbers.map((row) => (row % 8) / 4),
      new Float16(),
    ),
    float: vectorFromArray(
      numbers.map(() => 0.1),
      new Float32(),
    ),
    double: vectorFromArray(
      numbers.map((row) => row / 3),
      new Float64(),
    ),
    bool: vectorFromArray(
      gaps((row) => row % 2 === 0),
      new Bool(),
    ),
    text: vectorFromArray(
      gaps((row) => `wörd ${String(row)}`),
      new Utf8(),
    ),
    long_text: vectorFromArray(
      numbers.map((row) => `l${String(row)}`),
      new LargeUtf8(),
    ),
    word: vectorFromArray(
      gaps((row) => `kind ${String(row % 5)}`),
      new Dictionary(new Utf8(), new Int32(), 1),
    ),
    day: vectorFromArray(
      numbers.map((row) => new Date(row * 86_400_000)),
      new DateDay(),
    ),
    time: vectorFromArray(
      numbers.map((row) => BigInt(row) * 1_000_001n),
      new TimeMicrosecond(),
    ),
    moment: vectorFromArray(
      numbers.map((row) => row * 1000),
      new TimestampMillisecond('UTC'),
    ),
    list: vectorFromArray(
      gaps((row) => [row, null, row + 1]),
      new List(new Field('item', new Int32(), true)),
    ),
    pair: vectorFromArray(
      numbers.map((row) => [row, row * 2]),
      new FixedSizeList(2, new Field('item', new Int32(), true)),
    ),
    person: vectorFromArray(
      gaps((row) => ({ name: `p${String(row)}`, age: row % 90 })),
      new Struct([new Field('name', new Utf8(), true), new Field('age', new Int32(), true)]),
    ),
  };
}

/** Returns a table of two batches with a thousand rows each, with columns of most types. */
export function arrowTable(): Table {
  const [batch] = new Table(columnsOf(0, 2 * rows)).batches;
  if (batch === undefined) throw new Error('The table has no rows.');
  return new Table([batch.slice(0, rows), batch.slice(rows, 2 * rows)]);
}

/** Returns the same table with a different dictionary for each batch, which only a stream may have. */
export function streamTable(): Table {
  return new Table(columnsOf(0, rows)).concat(new Table(columnsOf(rows, 2 * rows)));
}

/** Encodes a table as a file (Feather) or a stream, optionally compressed. */
export function arrowBytes(
  table: Table,
  form: 'file' | 'stream',
  codec: 'lz4' | 'zstd' | null = null,
): Uint8Array<ArrayBuffer> {
  const packed: { readonly bytes: Uint8Array; readonly unpackedBytes: number }[] = [];
  const keeping = (pack: (bytes: Uint8Array) => Uint8Array) => (bytes: Uint8Array) => {
    packed.push({ bytes: pack(bytes), unpackedBytes: bytes.length });
    return packed.at(-1)?.bytes ?? bytes;
  };
  compressionRegistry.set(CompressionType.ZSTD, { encode: keeping((bytes) => zstdCompressSync(bytes)) });
  compressionRegistry.set(CompressionType.LZ4_FRAME, { encode: keeping(packLz4) });
  const compressionType =
    codec === null ? null : codec === 'lz4' ? CompressionType.LZ4_FRAME : CompressionType.ZSTD;
  const writer =
    form === 'file'
      ? new RecordBatchFileWriter({ compressionType })
      : new RecordBatchStreamWriter({ compressionType });
  const whole = Buffer.from(writer.writeAll(table).toUint8Array(true));
  // Corrects lengths: the writer (21.2.0) stores the compressed length where the format requires the uncompressed one.
  let from = 0;
  for (const { bytes, unpackedBytes } of packed) {
    if (bytes.length >= unpackedBytes) continue;
    const at = whole.indexOf(bytes, from);
    if (at < 0) throw new Error('A packed buffer is missing.');
    whole.writeBigInt64LE(BigInt(unpackedBytes), at - 8);
    from = at + bytes.length;
  }
  return Uint8Array.from(whole);
}

/** Compresses bytes into one LZ4 frame. Replaces four bytes that occurred before by a reference to the earlier ones. */
function packLz4(input: Uint8Array): Uint8Array {
  const out: number[] = [];
  const seen = new Map<string, number>();
  let start = 0;
  const more = (length: number): void => {
    let left = length - 15;
    for (; left >= 255; left -= 255) out.push(255);
    if (left >= 0) out.push(left);
  };
  const put = (end: number, back: number, length: number): void => {
    const literals = end - start;
    out.push((Math.min(literals, 15) << 4) | (back === 0 ? 0 : Math.min(length - 4, 15)));
    more(literals);
    out.push(...input.subarray(start, end));
    if (back === 0) return;
    out.push(back & 255, back >> 8);
    more(length - 4);
  };
  // The last bytes are always literals.
  for (let at = 0; at < input.length - 12; at += 1) {
    const name = String(input.subarray(at, at + 4));
    const before = seen.get(name);
    seen.set(name, at);
    if (before === undefined || at - before > 65_535) continue;
    let length = 4;
    while (at + length < input.length - 5 && input[before + length] === input[at + length]) length += 1;
    put(at, at - before, length);
    at += length - 1;
    start = at + 1;
  }
  put(input.length, 0, 0);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(out.length);
  return Buffer.concat([
    Uint8Array.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73]),
    size,
    Uint8Array.from(out),
    Buffer.alloc(4),
  ]);
}
