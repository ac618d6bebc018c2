import type { SchemaElement, SchemaTree } from 'hyparquet/src/types.js';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import type { ColumnarFile } from '../../../../renderer/features/viewers/columnar/columnar-file.ts';
import { maxValueTextLength, valueText } from '../../../../renderer/features/viewers/columnar/value-text.ts';
import { memorySource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { rowAssembler } from '../../../../renderer/features/viewers/parquet/assemble-row.ts';
import { leafType } from '../../../../renderer/features/viewers/parquet/leaf-type.ts';
import type { LeafValues } from '../../../../renderer/features/viewers/parquet/nested-column.ts';
import { openParquet } from '../../../../renderer/features/viewers/parquet/parquet-file.ts';
import { columnNodes } from '../../../../renderer/features/viewers/parquet/schema-node.ts';
import { variantValue } from '../../../../renderer/features/viewers/parquet/variant.ts';
import { changedFooter, firstChunks, type ThriftFields } from '../../../support/files/parquet-footer.ts';

const { signal } = new AbortController();

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
/** Returns an INT96 timestamp: the nanoseconds since midnight, then the Julian day. */
function int96(julianDay: number, nanoseconds: bigint): Uint8Array {
  const stored = Buffer.alloc(12);
  stored.writeBigInt64LE(nanoseconds);
  stored.writeInt32LE(julianDay, 8);
  return stored;
}

test.each<readonly [string, Omit<SchemaElement, 'name'>, unknown, string, string]>([
  ['96 bits', { type: 'INT96' }, int96(2_440_588, 1n), 'timestamp ns', '1970-01-01T00:00:00.000000001'],
  [
    'INT96 of a late year',
    { type: 'INT96' },
    int96(5_373_484, 0n),
    'timestamp ns',
    '9999-12-31T00:00:00.000000000',
  ],
  [
    '96 bits of a year that Spark wraps around',
    { type: 'INT96' },
    int96(-105_862_232, -32_509_551_616_000n),
    'timestamp ns',
    '290000-12-30T23:00:00.000000000',
  ],
  ['unsigned bits', { type: 'INT32', converted_type: 'UINT_32' }, -1, 'uint32', '4294967295'],
  [
    'a timestamp before 1970',
    { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
    -1n,
    'timestamp ms UTC',
    '1969-12-31T23:59:59.999Z',
  ],
  ['an old time', { type: 'INT64', converted_type: 'TIME_MICROS' }, 1n, 'time µs UTC', '00:00:00.000001'],
  [
    'half-precision float',
    { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 2, logical_type: { type: 'FLOAT16' } },
    bytes(0, 0xc5),
    'float16',
    '-5',
  ],
  [
    'a decimal in bytes',
    { type: 'BYTE_ARRAY', converted_type: 'DECIMAL', precision: 5, scale: 2 },
    bytes(0xff, 0x38),
    'decimal(5,2)',
    '-2.00',
  ],
  ['bytes without an annotation', { type: 'BYTE_ARRAY' }, bytes(0x61, 0xff), 'binary', '0x61ff'],
  ['BSON', { type: 'BYTE_ARRAY', converted_type: 'BSON' }, bytes(5, 0, 0, 0, 0), 'bson', '0x0500000000'],
  [
    'JSON',
    { type: 'BYTE_ARRAY', converted_type: 'JSON' },
    Buffer.from('{"a":1.0, "a":2}'),
    'json',
    '{"a":1.0, "a":2}',
  ],
  ['a number annotated as text', { type: 'INT32', logical_type: { type: 'STRING' } }, 7, 'int32', '7'],
  ['a 64-bit date', { type: 'INT64', converted_type: 'DATE' }, 7n, 'int64', '7'],
  [
    'a UUID of 4 bytes',
    { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 4, logical_type: { type: 'UUID' } },
    bytes(1, 2, 3, 4),
    'binary(4)',
    '0x01020304',
  ],
])(
  'a Parquet value of type %s is formatted by its type, or shown as stored',
  (_, element, raw, type, text) => {
    const { text: name, valueOf } = leafType({ name: 'x', ...element });
    expect([name, valueText(valueOf(raw))]).toEqual([type, text]);
  },
);

interface Node extends Partial<SchemaElement> {
  readonly inner?: readonly Node[];
}

function tree({ inner = [], ...element }: Node): SchemaTree {
  return { element: { name: 'x', ...element }, children: inner.map(tree), count: 1, path: [] };
}

/** Returns the rows of a column, assembled from the levels and values of its leaves. */
function rowsOf(
  column: Node,
  leaves: readonly (readonly [definitions: string, repetitions: string, values: readonly unknown[]])[],
) {
  const [node] = columnNodes(tree({ inner: [column] }));
  if (node === undefined) throw new Error('There is no column.');
  const values = leaves.map(([definitions, repetitions, raws]): LeafValues => {
    const starts = Array.from(repetitions).flatMap((level, at) => (level === '0' ? [at] : []));
    return {
      definitions: Uint8Array.from(definitions, Number),
      repetitions: Uint8Array.from(repetitions, Number),
      raws,
      rowStarts: [...starts, repetitions.length],
    };
  });
  const assemble = rowAssembler(node, values);
  const rowAt = (row: number) => assemble(row, maxValueTextLength);
  return Array.from(leaves[0]?.[1] ?? '')
    .filter((level) => level === '0')
    .map((_, row) => valueText(rowAt(row)));
}

const int: Node = { type: 'INT32', repetition_type: 'OPTIONAL', name: 'element' };
const list = (...inner: readonly Node[]): Node => ({
  converted_type: 'LIST',
  repetition_type: 'OPTIONAL',
  inner,
});
const group = (name: string, ...inner: readonly Node[]): Node => ({
  name,
  repetition_type: 'REPEATED',
  inner,
});

test('a null list, an empty list and a list with a null differ', () => {
  const levels = ['012333', '000001', [undefined, undefined, undefined, 1, 2, 3]] as const;
  expect(rowsOf(list(group('list', int)), [levels])).toEqual([null, '[]', '[null]', '[1]', '[2,3]']);
});

test('nested lists are split by their levels', () => {
  const inner = { ...list(group('list', int)), name: 'element' };
  const levels = ['5555352', '0212010', [1, 2, 3, 4, undefined, 5, undefined]] as const;
  expect(rowsOf(list(group('list', inner)), [levels])).toEqual(['[[1,2],[3,4]]', '[[],[5]]', '[null]']);
});

test.each<readonly [string, Node, string]>([
  ['a repeated value without an annotation', { ...int, repetition_type: 'REPEATED' }, '[1,2]'],
  [
    'a list of two levels',
    { ...list({ ...int, repetition_type: 'REPEATED' }), repetition_type: 'REQUIRED' },
    '[1,2]',
  ],
  [
    'a list with a group named array',
    { ...list(group('array', { ...int, repetition_type: 'REQUIRED' })), repetition_type: 'REQUIRED' },
    '[{"element":1},{"element":2}]',
  ],
  [
    'a list with a group named after it',
    { ...list(group('x_tuple', { ...int, repetition_type: 'REQUIRED' })), repetition_type: 'REQUIRED' },
    '[{"element":1},{"element":2}]',
  ],
  [
    'a map of keys only',
    {
      converted_type: 'MAP',
      repetition_type: 'REQUIRED',
      inner: [group('key_value', { ...int, repetition_type: 'REQUIRED' })],
    },
    '[1,2]',
  ],
])('Parquet %s is read according to the format', (_, column, text) => {
  expect(rowsOf(column, [['11', '01', [1, 2]]])).toEqual([text]);
});

const member = (raw: unknown) => ['20', '00', [raw, undefined]] as const;

test('a map keeps keys of any type and duplicates, and a struct members of any name', () => {
  const key: Node = { name: 'key', type: 'INT32', repetition_type: 'REQUIRED' };
  const value: Node = { name: 'value', type: 'INT32', repetition_type: 'OPTIONAL' };
  const map: Node = {
    converted_type: 'MAP',
    repetition_type: 'OPTIONAL',
    inner: [group('key_value', key, value)],
  };
  expect(
    rowsOf(map, [
      ['2210', '0100', [7, 7, undefined, undefined]],
      ['3210', '0100', [1, undefined, undefined, undefined]],
    ]),
  ).toEqual(['{7:1,7:null}', '{}', null]);
  const struct: Node = {
    repetition_type: 'OPTIONAL',
    inner: [
      { ...int, name: '__proto__' },
      { ...int, name: 'a' },
      { ...int, name: 'a' },
    ],
  };
  expect(rowsOf(struct, [member(1), member(2), member(3)])).toEqual(['{"__proto__":1,"a":2,"a":3}', null]);
});

test('a null struct differs from one with null members', () => {
  const struct: Node = { repetition_type: 'OPTIONAL', inner: [{ ...int, name: 'a' }] };
  expect(rowsOf(struct, [['012', '000', [undefined, undefined, 3]]])).toEqual([
    null,
    '{"a":null}',
    '{"a":3}',
  ]);
});

const typed = (value: number) => ({ metadata: null, value: null, typed: { kind: 'value', value } }) as const;

test('a variant in several columns is one value, and one with two values is refused', () => {
  const metadata = bytes(0x11, 2, 0, 1, 2, 97, 98);
  const absent = { metadata: null, value: null, typed: null };
  const members = {
    kind: 'members',
    members: [
      ['a', typed(1)],
      ['b', absent],
    ],
  } as const;
  expect(valueText(variantValue({ metadata, value: null, typed: members }, 1000))).toBe('{"a":1}');
  // {"b": 12, "a": 3} as bytes. For a name in both, the typed column takes precedence.
  const object = bytes(0x02, 2, 0, 1, 0, 2, 4, 0x0c, 3, 0x0c, 12);
  expect(valueText(variantValue({ metadata, value: object, typed: null }, 1000))).toBe('{"a":3,"b":12}');
  expect(
    valueText(
      variantValue({ metadata, value: object, typed: { ...members, members: [['a', typed(1)]] } }, 1000),
    ),
  ).toBe('{"a":1,"b":12}');
  expect(() => variantValue({ metadata, value: bytes(0x0c, 5), typed: members }, 1000)).toThrow('two values');
  expect(() => variantValue({ metadata: null, value: object, typed: null }, 1000)).toThrow('names');
});

test('a variant with overlapping parts is read only as far as shown', () => {
  // Each of 30 lists holds the next one 200 times.
  const levels = 30;
  const header = [0x03, 200, ...Array<number>(200).fill(0), 0];
  const value = Uint8Array.from([...Array.from({ length: levels }, () => header).flat(), 0]);
  expect(
    valueText(variantValue({ metadata: bytes(1, 0, 0), value, typed: null }, 1000))?.length,
  ).toBeLessThan(600);
});

function twoColumns(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'secret', data: [1, 2, 3], type: 'INT32' },
        { name: 'open', data: [4, 5, 6], type: 'INT32' },
      ],
    }),
  );
}

async function looks(file: ColumnarFile): Promise<readonly unknown[]> {
  return await Promise.all(
    file.description.columns.map(async (_, column) => {
      const part = await file.partAt(column, 0, signal).catch((thrown: unknown) => String(thrown));
      return part === null || typeof part === 'string'
        ? part
        : valueText(part.valueAt(0, maxValueTextLength));
    }),
  );
}

const chunkOf = (file: ThriftFields): ThriftFields => firstChunks(file)[0] ?? {};
const metaOf = (file: ThriftFields): ThriftFields => chunkOf(file)['field_3'] as ThriftFields;

test.each<readonly [string, (file: ThriftFields) => void, unknown]>([
  ['encrypted', (file) => (chunkOf(file)['field_8'] = { field_2: { field_1: ['secret'] } }), 'encrypted'],
  [
    'encrypted with its metadata',
    (file) => {
      chunkOf(file)['field_3'] = undefined;
      chunkOf(file)['field_8'] = { field_1: {} };
    },
    'encrypted',
  ],
  ['kept in another file', (file) => (chunkOf(file)['field_1'] = 'part-1.parquet'), 'unreadable'],
  [
    'compressed by an unknown codec',
    (file) => (metaOf(file)['field_4'] = 99),
    expect.stringContaining('codec'),
  ],
  [
    'of another type than its pages',
    (file) => (metaOf(file)['field_1'] = 5),
    expect.stringContaining('another type'),
  ],
  ['without a dictionary at the offset 0', (file) => (metaOf(file)['field_11'] = 0n), '1'],
])('a column that is %s leaves the others readable', async (_, change, first) => {
  const file = await openParquet(memorySource(changedFooter(twoColumns(), change)), signal);
  expect(await looks(file)).toEqual([first, '4']);
});

const elementOf = (file: ThriftFields): ThriftFields => (file['field_2'] as ThriftFields[])[1] ?? {};

test('unknown annotations leave a column as stored', async () => {
  for (const annotation of [{ field_99: {} }, { field_8: { field_1: true, field_2: { field_9: {} } } }]) {
    const changed = changedFooter(twoColumns(), (file) => (elementOf(file)['field_10'] = annotation));
    const file = await openParquet(memorySource(changed), signal);
    expect(file.description.columns[0]?.type).toBe('int32');
    expect(await looks(file)).toEqual(['1', '4']);
  }
});
