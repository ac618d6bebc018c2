import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  csvCutter,
  isNumeric,
  longestField,
  maxFields,
  separatorOf,
  separators,
  shapeOf,
  type Separator,
} from '../../../../renderer/features/viewers/table/csv.ts';

/** Parses the text in pieces cut at arbitrary positions. */
function rowsOf(
  text: string,
  separator: Separator,
  cuts: readonly number[] = [],
): readonly (readonly string[])[] {
  const cutter = csvCutter(separator);
  const rows: (readonly string[])[] = [];
  let at = 0;
  for (const cut of [...cuts].filter((offset) => offset < text.length).toSorted((a, b) => a - b)) {
    rows.push(...cutter.push(text.slice(at, cut)));
    at = cut;
  }
  return [...rows, ...cutter.push(text.slice(at)), ...cutter.end()];
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

function written(rows: readonly (readonly string[])[], separator: Separator, newline: string): string {
  return rows.map((row) => row.map(quoted).join(separator)).join(newline);
}

test('quoted CSV is parsed for any chunk boundaries', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\t', '|', '\n', '\r', 'ж', ' ') });
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(
      table,
      fc.constantFrom(...separators),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(200), { maxLength: 6 }),
      (rows, separator, newline, cuts) => {
        expect(rowsOf(written(rows, separator, newline), separator, cuts)).toEqual(rows);
      },
    ),
    { numRuns: 500 },
  );
});

test('any CSV text yields the same rows in one chunk and in many', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '1', '=') }),
      fc.array(fc.nat(60), { maxLength: 6 }),
      (text, cuts) => {
        expect(rowsOf(text, ',', cuts)).toEqual(rowsOf(text, ','));
      },
    ),
    { numRuns: 1000 },
  );
});

test('an unclosed quote, a row of a million fields and a huge field stay within bounds', () => {
  const [open] = rowsOf(`a,"${'x'.repeat(5_000_000)}`, ',');
  expect(open?.[1]).toBe(`${'x'.repeat(longestField)}…`);
  const [wide] = rowsOf(','.repeat(1_000_000), ',');
  expect(wide).toHaveLength(maxFields);
});

test.each([
  ['a,b,c\n1,2,3\n', ','],
  ['name;price\n"Smith, John";1,50\n"Doe, Jane";2,75\n', ';'],
  ['a\tb\n1, 2\t3\n', '\t'],
  ['a|b|c\n1|2|3', '|'],
  ['no separator at all\nnor here\n', ','],
  ['', ','],
] as const)('the CSV separator of %j is %j', (text, separator) => {
  expect(separatorOf(text)).toBe(separator);
});

test('a CSV header and numeric columns are detected', () => {
  const shape = shapeOf(rowsOf('id,name,price\n1,bolt,"1,50"\n2,nut,\n3,3M,-0.1\n', ','));
  expect(shape.header).toEqual(['id', 'name', 'price']);
  expect([...shape.numericColumns]).toEqual([0, 2]);
  expect(shapeOf(rowsOf('1,2\n3,4\n', ',')).header).toBeNull();
  expect(shapeOf(rowsOf('a,a\n1,2\n', ',')).header).toBeNull();
  expect(shapeOf(rowsOf('only,one,row\n', ',')).header).toBeNull();
});

test.each(['1', '-2.50', '1 000 000', "1'000", '1,5', '.5', '3e-7', '12%', '−4'])(
  '%j counts as a number',
  (text) => {
    expect(isNumeric(text)).toBe(true);
  },
);

test.each(['', '=1+1', '@SUM(A1)', '2026-01-02', '1a', '+', 'NaN'])(
  '%j does not count as a number',
  (text) => {
    expect(isNumeric(text)).toBe(false);
  },
);
