import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CsvLines } from '../../../../electron/core/inventory/rows/csv-report.ts';

function rowsOf(text: string, columns: number, cutAt: readonly number[] = []): (readonly string[])[] {
  const rows: (readonly string[])[] = [];
  const lines = new CsvLines(columns, (row) => rows.push(row));
  const bytes = Buffer.from(text, 'latin1');
  let from = 0;
  for (const to of [...cutAt.toSorted((a, b) => a - b), bytes.length]) {
    lines.add(bytes.subarray(from, to));
    from = to;
  }
  lines.finish();
  return rows;
}

test('CSV rows are parsed as written, however the file is split into chunks', () => {
  const field = fc.string({ unit: fc.constantFrom(...Array.from('ab",\n\r ;é')), maxLength: 6 });
  const row = fc.array(field, { minLength: 3, maxLength: 3 });
  const cuts = fc.array(fc.nat(200), { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), cuts, fc.boolean(), (rows, cutAt, isLastEnded) => {
      const text = rows
        .map((fields) => fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(','))
        .join('\n');
      const whole = isLastEnded && rows.length > 0 ? `${text}\n` : text;
      expect(
        rowsOf(
          whole,
          3,
          cutAt.filter((at) => at < whole.length),
        ),
      ).toEqual(rows);
    }),
  );
});

test('CSV fields without quotes and CRLF line ends are parsed', () => {
  expect(rowsOf('a,b,"c"\r\n"d","e,f",\r\n', 3)).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e,f', ''],
  ]);
});

test.each([
  ['too few fields', '"a","b"\n'],
  ['too many', '"a","b","c","d"\n'],
  ['an unclosed quote', '"a","b","c\n'],
  ['text after a closing quote', '"a"x,"b","c"\n'],
  ['an endless line', `"${'a'.repeat(70_000)}`],
])('CSV with %s is reported as damaged', (_what, text) => {
  expect(() => rowsOf(text, 3)).toThrow(/^a line /);
});
