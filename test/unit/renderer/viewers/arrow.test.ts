import * as fc from 'fast-check';
import { Table, vectorFromArray, tableFromIPC, type Vector } from 'apache-arrow';
import { expect, test } from 'vitest';
import { openArrow } from '../../../../renderer/features/viewers/arrow/arrow-file.ts';
import type { ArrowType } from '../../../../renderer/features/viewers/arrow/arrow-type.ts';
import type { ColumnData } from '../../../../renderer/features/viewers/arrow/column-data.ts';
import { unpackLz4 } from '../../../../renderer/features/viewers/arrow/lz4-frame.ts';
import { valueAt } from '../../../../renderer/features/viewers/arrow/read-value.ts';
import type { ColumnarFile } from '../../../../renderer/features/viewers/columnar/columnar-file.ts';
import { maxValueTextLength, valueText } from '../../../../renderer/features/viewers/columnar/value-text.ts';
import { memorySource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { arrowBytes, arrowTable, streamTable } from '../../../support/files/arrow-files.ts';
import { countedSource } from '../../../support/counted-source.ts';

const { signal } = new AbortController();
const table = arrowTable();

async function textAt(file: ColumnarFile, name: string, row: number): Promise<string | null> {
  const column = file.description.columns.findIndex((column) => column.name === name);
  const part = await file.partAt(column, row, signal);
  if (part === null || typeof part === 'string') throw new Error(`No rows of ${name}.`);
  return valueText(part.valueAt(row - part.firstRow, maxValueTextLength));
}

async function rowText(file: ColumnarFile, row: number): Promise<Record<string, string | null>> {
  const texts: Record<string, string | null> = {};
  for (const { name } of file.description.columns) texts[name] = await textAt(file, name, row);
  return texts;
}

const row1505 = {
  int: null,
  long: '1152921504606848481',
  byte: '225',
  half: '0.25',
  float: '0.1',
  double: '501.6666666666667',
  bool: null,
  text: null,
  long_text: 'l1505',
  word: null,
  day: '1974-02-14',
  time: '00:25:05.001505',
  moment: '1970-01-01T00:25:05.000Z',
  list: null,
  pair: '[1505,3010]',
  person: null,
};
const row1999 = {
  int: '1999',
  long: '1152921504606848975',
  byte: '207',
  half: '1.75',
  float: '0.1',
  double: '666.3333333333334',
  bool: 'false',
  text: 'wörd 1999',
  long_text: 'l1999',
  word: 'kind 4',
  day: '1975-06-23',
  time: '00:33:19.001999',
  moment: '1970-01-01T00:33:19.000Z',
  list: '[1999,null,2000]',
  pair: '[1999,3998]',
  person: '{"name":"p1999","age":19}',
};

test.each([
  ['file', null],
  ['file', 'lz4'],
  ['file', 'zstd'],
  ['stream', null],
  ['stream', 'lz4'],
  ['stream', 'zstd'],
] as const)('every type of an Arrow %s compressed with %s is read in each batch', async (form, codec) => {
  const bytes = arrowBytes(form === 'file' ? table : streamTable(), form, codec);
  const file = await openArrow(memorySource(bytes), signal);
  const { columns, groups, rowCount, shownBytes, codecs } = file.description;
  expect({ rowCount, shownBytes, codecs }).toEqual({
    rowCount: 2000,
    shownBytes: null,
    codecs: codec === null ? [] : [codec.toUpperCase()],
  });
  expect(groups.map(({ rows }) => rows)).toEqual([1000, 1000]);
  expect(columns.map(({ type }) => type)).toEqual([
    'int32',
    'int64',
    'uint8',
    'halffloat',
    'float',
    'double',
    'bool',
    'utf8',
    'utf8',
    'dictionary<utf8>',
    'date32',
    'time µs',
    'timestamp ms UTC',
    'list<int32>',
    'list<int32>',
    'struct',
  ]);
  expect(await rowText(file, 1505)).toEqual(row1505);
  expect(await rowText(file, 1999)).toEqual(row1999);
  expect(await textAt(file, 'word', 3)).toBe('kind 3');
  expect(await file.partAt(0, 2000, signal)).toBeNull();
  expect(await file.partAt(99, 0, signal)).toBeNull();
});

test('the values of an Arrow file agree with another reader', async () => {
  const bytes = arrowBytes(table, 'file', null);
  const other = tableFromIPC(bytes);
  const file = await openArrow(memorySource(bytes), signal);
  for (const name of ['int', 'double', 'text', 'word', 'bool'])
    for (let row = 0; row < 2000; row += 37) {
      const value = other.getChild(name)?.get(row) as string | number | boolean | null;
      expect(await textAt(file, name, row)).toBe(value === null ? null : String(value));
    }
});

test('only the visible buffers of a large Arrow file are read', async () => {
  const columns: Record<string, Vector> = {};
  for (let column = 0; column < 12; column += 1)
    columns[`c${String(column)}`] = vectorFromArray(
      Float64Array.from({ length: 300_000 }, (_, row) => row + column),
    );
  const bytes = arrowBytes(new Table(columns), 'file');
  expect(bytes.length).toBeGreaterThan(28_000_000);
  const { source, counts } = countedSource(bytes.length, (offset, length) =>
    bytes.subarray(offset, offset + length),
  );
  const file = await openArrow(source, signal);
  expect(await textAt(file, 'c0', 0)).toBe('0');
  expect(await textAt(file, 'c7', 299_999)).toBe('300006');
  expect(counts.requests).toBeLessThan(10);
  expect(counts.bytes).toBeLessThan(2_000_000);
});

test('a truncated Arrow stream shows its complete batches', async () => {
  const bytes = arrowBytes(table, 'stream');
  const file = await openArrow(memorySource(bytes.slice(0, bytes.length - 20_000)), signal);
  expect(await textAt(file, 'int', 1)).toBe('1');
  await expect(textAt(file, 'person', 1999)).rejects.toThrow('ends after');
});

test.each([
  ['nothing', ''],
  ['only the magic bytes', 'ARROW1\0\0'],
  ['no footer', `ARROW1\0\0${'x'.repeat(40)}`],
  ['a footer longer than the file', `ARROW1\0\0${'x'.repeat(40)}\xff\xff\xff\x00ARROW1`],
  ['a stream of zeros', '\0'.repeat(100)],
  ['a message longer than the file', '\xff\xff\xff\xff\xff\xff\x0f\x00abc'],
] as const)('an Arrow file with %s is refused', async (_, text) => {
  await expect(openArrow(memorySource(new Uint8Array(Buffer.from(text, 'latin1'))), signal)).rejects.toThrow(
    /file|list|schema|message|Offset/,
  );
});

test.each(['file', 'stream'] as const)(
  'an altered Arrow %s ends in values or an error and does not hang',
  async (form) => {
    const whole = arrowBytes(table, form, 'zstd');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { maxLength: 6 }),
        fc.nat(15),
        async (changes, atEnd, column) => {
          const bytes = whole.slice();
          for (const [at, value] of changes) bytes[at] = value;
          for (const [back, value] of atEnd) bytes[bytes.length - 7 - back] = value;
          const end = await openArrow(memorySource(bytes), signal)
            .then(async (file) => await file.partAt(column, 0, signal))
            .catch((thrown: unknown) => thrown);
          expect(end === null || typeof end === 'object').toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  },
  60_000,
);

const nothing = new DataView(new ArrayBuffer(0));

function data(
  type: ArrowType,
  length: number,
  buffers: readonly ArrayBufferView[],
  children: readonly ColumnData[] = [],
): ColumnData {
  return {
    type,
    length,
    validity: nothing,
    buffers: buffers.map(
      ({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength),
    ),
    children,
    dictionary: [],
  };
}

const int32: ArrowType = { kind: 'int', bits: 32, isSigned: true };
const ints = data(int32, 5, [Int32Array.of(10, 20, 30, 40, 50)]);
const item = { name: 'item', type: int32 };

test.each([
  [
    'a decimal',
    data({ kind: 'decimal', bytes: 16, precision: 9, scale: 2 }, 1, [BigInt64Array.of(-12345n, -1n)]),
    0,
    '-123.45',
  ],
  [
    'a small decimal',
    data({ kind: 'decimal', bytes: 4, precision: 4, scale: 3 }, 1, [Int32Array.of(7)]),
    0,
    '0.007',
  ],
  ['months', data({ kind: 'interval', of: 'months' }, 1, [Int32Array.of(14)]), 0, 'P14M'],
  [
    'a timestamp before 1970',
    data({ kind: 'timestamp', unit: 'ns', hasZone: false }, 1, [BigInt64Array.of(-1n)]),
    0,
    '1969-12-31T23:59:59.999999999',
  ],
  [
    'a timestamp beyond the calendar',
    data({ kind: 'timestamp', unit: 's', hasZone: false }, 1, [BigInt64Array.of(2n ** 62n)]),
    0,
    '146138514283-06-19T07:45:04',
  ],
  [
    'a view of a short text',
    data({ kind: 'view', isText: true }, 1, [Buffer.from('\x05\0\0\0hello\0\0\0\0\0\0\0')]),
    0,
    'hello',
  ],
  [
    'a view of a long text',
    data({ kind: 'view', isText: true }, 1, [
      Uint8Array.from([14, 0, 0, 0, 97, 98, 99, 100, 0, 0, 0, 0, 2, 0, 0, 0]),
      Buffer.from('..abcdefghijklmn'),
    ]),
    0,
    'abcdefghijklmn',
  ],
  [
    'a list by offset and size',
    data(
      { kind: 'list-view', isLong: false, child: item },
      2,
      [Int32Array.of(3, 0), Int32Array.of(2, 1)],
      [ints],
    ),
    0,
    '[40,50]',
  ],
  [
    'a dense union',
    data(
      { kind: 'union', isDense: true, ids: [4, 7], children: [item, item] },
      1,
      [Int8Array.of(7), Int32Array.of(2)],
      [data(int32, 0, [new Int32Array()]), ints],
    ),
    0,
    '30',
  ],
  [
    'runs',
    data({ kind: 'runs', ends: item, values: item }, 9, [], [data(int32, 3, [Int32Array.of(2, 5, 9)]), ints]),
    5,
    '30',
  ],
  [
    'a UUID',
    data({ kind: 'fixed-bytes', bytes: 16, isUuid: true }, 1, [new Uint8Array(16).fill(0xa1)]),
    0,
    'a1a1a1a1-a1a1-a1a1-a1a1-a1a1a1a1a1a1',
  ],
  [
    'JSON in a list',
    data(
      {
        kind: 'list',
        isLong: false,
        child: { name: 'item', type: { kind: 'bytes', isText: true, isLong: false, isJson: true } },
      },
      1,
      [Int32Array.of(0, 1)],
      [
        data({ kind: 'bytes', isText: true, isLong: false, isJson: true }, 1, [
          Int32Array.of(0, 9),
          Buffer.from('{"a":1.0}'),
        ]),
      ],
    ),
    0,
    '[{"a":1.0}]',
  ],
  ['a half-precision float', data({ kind: 'float', bits: 16 }, 1, [Uint16Array.of(0xc500)]), 0, '-5'],
] as const)('an Arrow column with %s is read', (_, column, row, text) => {
  expect(valueText(valueAt(column, row, maxValueTextLength))).toBe(text);
});

test.each([
  [
    'text offsets in reverse order',
    data({ kind: 'bytes', isText: true, isLong: false }, 1, [Int32Array.of(5, 2), Buffer.from('abcdef')]),
  ],
  [
    'text beyond its buffer',
    data({ kind: 'bytes', isText: true, isLong: false }, 1, [Int32Array.of(0, 99), Buffer.from('abcdef')]),
  ],
  [
    'a list beyond its column',
    data({ kind: 'list', isLong: false, child: item }, 1, [Int32Array.of(0, 99)], [ints]),
  ],
  ['a row beyond the values', data(int32, 9, [Int32Array.of()])],
] as const)('an Arrow column with %s is refused', (_, column) => {
  expect(() => valueAt(column, 0, maxValueTextLength)).toThrow(/outside|Offset/);
});

test('only the start of an endless Arrow list is read, at any depth', () => {
  const inner = data(
    { kind: 'fixed-list', size: 1_000_000_000, child: item },
    1,
    [],
    [data({ kind: 'null' }, 1e12, [])],
  );
  const outer = data(
    { kind: 'fixed-list', size: 1_000_000_000, child: { name: 'inner', type: inner.type } },
    1,
    [],
    [inner],
  );
  expect(JSON.stringify(valueAt(outer, 0, maxValueTextLength)).length).toBeLessThan(10_000);
});

test('LZ4 of the lz4 program is decompressed, and a wrong size is refused', () => {
  const text = Array.from({ length: 60 }, (_, row) => `line ${String(row % 9)} of the log\n`).join('');
  const packed = Buffer.from(
    'BCJNGGRAp0MAAADxA2xpbmUgMCBvZiB0aGUgbG9nChIAHTESAB0yEgAdMxIAHTQSAB01EgAdNhIAHTcSAB04EgAPogD///98UCBsb2cKAAAAADs9iM0=',
    'base64',
  );
  expect(Buffer.from(unpackLz4(packed, text.length)).toString()).toBe(text);
  expect(() => unpackLz4(packed, text.length - 1)).toThrow('LZ4');
  expect(() => unpackLz4(packed, text.length + 1)).toThrow('LZ4');
  for (let at = 7; at < packed.length; at += 1) {
    const changed = Buffer.from(packed);
    changed[at] = 255;
    let end: unknown;
    try {
      end = unpackLz4(changed, text.length).length;
    } catch (thrown) {
      end = thrown instanceof Error;
    }
    expect([true, text.length]).toContain(end);
  }
});
