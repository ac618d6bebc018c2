import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  geometryText,
  maxValueTextLength,
  valueText,
} from '../../../../renderer/features/viewers/columnar/value-text.ts';
import type { TimeUnit, Value } from '../../../../renderer/features/viewers/columnar/columnar-file.ts';

const moment = (count: bigint, unit: TimeUnit, isUtc = false): Value => ({
  kind: 'timestamp',
  count,
  unit,
  isUtc,
});
const decimal = (unscaled: bigint, scale: number): Value => ({ kind: 'decimal', unscaled, scale });
const interval = (months: number, days: number, nanoseconds: bigint): Value => ({
  kind: 'interval',
  months,
  days,
  nanoseconds,
});

test.each<readonly [Value, string | null]>([
  [null, null],
  ['', ''],
  ['=HYPERLINK("x")', '=HYPERLINK("x")'],
  [true, 'true'],
  [-0, '-0'],
  [Number.NaN, 'NaN'],
  [12345678901234567890n, '12345678901234567890'],
  [new Uint8Array([1, 255]), '0x01ff'],
  [new Uint8Array(), '0x'],
  [decimal(1999n, 2), '19.99'],
  [decimal(-7n, 3), '-0.007'],
  [decimal(0n, 2), '0.00'],
  [decimal(10n ** 38n - 1n, 0), '9'.repeat(38)],
  [decimal(5n, -2), '5e2'],
  [{ kind: 'float', bits: 32, value: Math.fround(1.1) }, '1.1'],
  [{ kind: 'float', bits: 32, value: Math.fround(0.121675014) }, '0.121675014'],
  [{ kind: 'float', bits: 32, value: 2 ** -149 }, '1e-45'],
  [{ kind: 'float', bits: 16, value: 0.0999755859375 }, '0.1'],
  [{ kind: 'float', bits: 16, value: 65_504 }, '65504'],
  [{ kind: 'date', days: 0 }, '1970-01-01'],
  [{ kind: 'date', days: -719_162 }, '0001-01-01'],
  [{ kind: 'date', days: -719_529 }, '-0001-12-31'],
  [{ kind: 'date', days: 2_932_897 }, '10000-01-01'],
  [{ kind: 'time', count: 86_399_999_999n, unit: 'µs' }, '23:59:59.999999'],
  [{ kind: 'time', count: 61n, unit: 's' }, '00:01:01'],
  [{ kind: 'time', count: -1n, unit: 'ms' }, '-1 ms'],
  [moment(-1n, 'µs'), '1969-12-31T23:59:59.999999'],
  [moment(-1n, 'ns', true), '1969-12-31T23:59:59.999999999Z'],
  [moment(0n, 'ms'), '1970-01-01T00:00:00.000'],
  [moment(2n ** 63n - 1n, 'µs'), '294247-01-10T04:00:54.775807'],
  [moment(0n, 's', true), '1970-01-01T00:00:00Z'],
  [interval(0, 0, 0n), 'PT0S'],
  [interval(14, 0, 0n), 'P14M'],
  [interval(1, -2, -1_500_000_000n), 'P1M-2DT-1.5S'],
  [
    { kind: 'json', text: '{"id":12345678901234567890, "a":1.0,"a":2}' },
    '{"id":12345678901234567890, "a":1.0,"a":2}',
  ],
  [{ kind: 'list', items: [] }, '[]'],
  [
    {
      kind: 'list',
      items: [null, 'x"', decimal(10n, 2), { kind: 'date', days: 0 }, { kind: 'json', text: '1.0' }],
    },
    '[null,"x\\"",0.10,"1970-01-01",1.0]',
  ],
  [
    {
      kind: 'struct',
      members: [
        ['__proto__', 1],
        ['a', null],
        ['a', 2],
      ],
    },
    '{"__proto__":1,"a":null,"a":2}',
  ],
  [
    {
      kind: 'map',
      entries: [
        ['k', 1],
        [2n, null],
        ['k', { kind: 'list', items: [] }],
      ],
    },
    '{"k":1,2:null,"k":[]}',
  ],
])('the value %o is shown as %j', (value, text) => {
  expect(valueText(value)).toBe(text);
});

test('the shortest digits of a 16-bit or 32-bit float read back as the same number', () => {
  const float32 = fc.float({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(float32, (value) => {
      const text = valueText({ kind: 'float', bits: 32, value }) ?? '';
      expect(Math.fround(Number(text))).toBe(value);
      expect(text.replace('-', '').length).toBeLessThanOrEqual(String(Math.abs(value)).length);
    }),
  );
});

test('dates and timestamps follow the calendar', () => {
  const inCalendar = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
  fc.assert(
    fc.property(inCalendar, (milliseconds) => {
      const iso = new Date(milliseconds).toISOString();
      expect(valueText(moment(BigInt(milliseconds), 'ms', true))).toBe(iso);
      const days = Math.floor(milliseconds / 86_400_000);
      expect(valueText({ kind: 'date', days })).toBe(iso.slice(0, 10));
    }),
  );
});

test('a long value is truncated with a mark', () => {
  const long = valueText('x'.repeat(1000));
  expect(long).toBe(`${'x'.repeat(maxValueTextLength)}…`);
  expect(valueText('x'.repeat(maxValueTextLength))).toBe('x'.repeat(maxValueTextLength));
  for (const value of [
    { kind: 'list', items: Array.from({ length: 1000 }, (_, at) => at) },
    { kind: 'list', items: Array.from({ length: 1000 }, () => null) },
    { kind: 'json', text: '1'.repeat(1000) },
    new Uint8Array(1000),
  ] satisfies Value[])
    expect(valueText(value)).toMatch(/^.{500}…$/);
});

test('only the shown part of a value is read', () => {
  let reads = 0;
  const items = new Proxy<readonly Value[]>(
    Array.from({ length: 100_000 }, () => 7),
    {
      get: (list, name): unknown => {
        reads += 1;
        return Reflect.get(list, name);
      },
    },
  );
  expect(valueText({ kind: 'list', items })?.length).toBe(maxValueTextLength + 1);
  expect(reads).toBeLessThan(2000);
});

function wkb(type: number, ...rest: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(5 + rest.length * 8));
  bytes.setUint8(0, 1);
  bytes.setUint32(1, type, true);
  for (const [at, value] of rest.entries()) bytes.setFloat64(5 + at * 8, value, true);
  return new Uint8Array(bytes.buffer);
}

function collection(type: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const count = new Uint8Array(Uint32Array.of(parts.length).buffer);
  return Uint8Array.from([...wkb(type), ...count, ...parts.flatMap((part) => [...part])]);
}

test.each([
  [wkb(1, 30, 10), 'POINT (30 10)'],
  [wkb(3001, 1, 2, Number.NaN, 4), 'POINT ZM (1 2 NaN 4)'],
  [wkb(0x80_00_00_01, 1, 2, 3), 'POINT Z (1 2 3)'],
  [wkb(1, Number.NaN, Number.NaN), 'POINT EMPTY'],
  [collection(2), 'LINESTRING EMPTY'],
  [collection(4, wkb(1, 0.1, 2), wkb(1, 3, 4)), 'MULTIPOINT ((0.1 2), (3 4))'],
  [collection(7, wkb(1, 1, 2), collection(2)), 'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING EMPTY)'],
])('the geometry %o is shown as %j', (bytes, text) => {
  expect(geometryText(bytes, 1000)).toBe(text);
});

test('a truncated or too deep geometry is refused', () => {
  expect(() => geometryText(wkb(1, 30).subarray(0, 12), 1000)).toThrow(RangeError);
  expect(() => geometryText(wkb(99), 1000)).toThrow('unknown');
  let deep = wkb(1, 1, 2);
  for (let depth = 0; depth < 60; depth += 1) deep = collection(7, deep);
  expect(() => geometryText(deep, 1000)).toThrow('too deep');
});
