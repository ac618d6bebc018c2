import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRowText, rowsIn, rowText, type TextRow } from '../../../../shared/keys/row-text.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('%', '|', '"', '\\', '=', '\n', '\u0001', '7c', 'a', '🪣') }),
);
const row: fc.Arbitrary<TextRow> = fc.record({
  key: text,
  sizeBytes: fc.oneof(fc.constant(null), fc.maxSafeNat()),
  modifiedMs: fc.oneof(fc.constant(Number.NaN), fc.maxSafeInteger()),
  etag: fc.oneof(
    fc.constant(null),
    text,
    text.map((inner) => `"${inner}"`),
  ),
  storageClass: fc.oneof(fc.constant(null), text),
});

function read(whole: string): readonly TextRow[] {
  const rows: TextRow[] = [];
  readRowText(whole, (row) => rows.push(row));
  return rows;
}

describe('the text of a folder’s rows', () => {
  it('gives back every row, whatever its characters', () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const whole = rows.map(rowText).join('');
        expect(read(whole)).toEqual(rows);
        expect(rowsIn(whole)).toBe(rows.length);
      }),
    );
  });

  it('needs no escaping in JSON', () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const whole = rows.map(rowText).join('');
        fc.pre(whole.isWellFormed());
        expect(JSON.stringify(whole)).toBe(`"${whole}"`);
      }),
    );
  });
});
