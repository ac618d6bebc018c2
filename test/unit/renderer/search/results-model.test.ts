import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { ObjectEntry } from '../../../../shared/models/objects.ts';
import { selectionSchema } from '../../../../shared/models/operations.ts';
import {
  absentKeys,
  disabledReasonOf,
  foundPart,
  isRowSelected,
  resultRow,
  type ResultSelection,
  selectedResults,
  sumOfSelection,
} from '../../../../renderer/features/search/results-model.ts';
import { maxSelectedItems } from '../../../../shared/models/limits.ts';

const row = (key: string, sizeBytes = 1): ObjectEntry => ({
  key,
  sizeBytes,
  lastModified: null,
  etag: null,
  storageClass: null,
});
const all = { kind: 'all' } as const;
const some = (...rows: readonly ObjectEntry[]): ResultSelection => ({
  kind: 'some',
  rows: new Map(rows.map(resultRow)),
});

test("selecting all results is stored as the walk's id, whatever their number", () => {
  expect(selectedResults(all, 'w')).toEqual([{ kind: 'walk', walkId: 'w' }]);
  expect(isRowSelected(all, row('never visible'))).toBe(true);
  expect(sumOfSelection(all, { count: 5e6, sizeBytes: 7 })).toEqual({ count: 5e6, sizeBytes: 7 });
});

test('selected results are stored by key', () => {
  const two = some(row('a', 2), row('b', 3), row('a', 2));
  expect(selectedResults(two, 'w')).toEqual([
    { kind: 'key', key: 'a' },
    { kind: 'key', key: 'b' },
  ]);
  expect(isRowSelected(two, row('b'))).toBe(true);
  expect(isRowSelected(two, row('c'))).toBe(false);
  expect(sumOfSelection(two, { count: 0, sizeBytes: 0 })).toEqual({ count: 2, sizeBytes: 5 });
});

test('an operation is refused for an empty, a growing or a too large selection of results', () => {
  expect(disabledReasonOf(some(), 5, false)).toBe('none');
  expect(disabledReasonOf(all, 0, false)).toBe('none');
  expect(disabledReasonOf(all, 5, true)).toBe('running');
  expect(disabledReasonOf(all, 5, false)).toBeNull();
  const largest = some(...Array.from({ length: maxSelectedItems }, (_, at) => row(String(at))));
  expect(disabledReasonOf(largest, maxSelectedItems, true)).toBeNull();
  expect(selectionSchema.safeParse(selectedResults(largest, 'w')).success).toBe(true);
  expect(
    disabledReasonOf(
      some(...Array.from({ length: maxSelectedItems + 1 }, (_, at) => row(String(at)))),
      maxSelectedItems,
      false,
    ),
  ).toBe('too-many');
});

const marked = (name: string, text: string, isCaseSensitive = false): string | null => {
  const part = foundPart(name, text, isCaseSensitive);
  return part === null ? null : name.slice(part.at, part.end);
};

test('the found text is located in any case, unless case matters', () => {
  expect(marked('Annual-Report.pdf', 'report')).toBe('Report');
  expect(marked('Annual-Report.pdf', 'report', true)).toBeNull();
  expect(marked('Отчёт.docx', 'ОТЧЁТ')).toBe('Отчёт');
  expect(marked('anything', '')).toBeNull();
});

test('a match is highlighted at the right place beside letters whose lower case is longer', () => {
  expect(marked('İstanbul.txt', 'stanbul')).toBe('stanbul');
  expect(marked('İİ İstanbul İ.txt', 'bul i')).toBe('bul İ');
  expect(marked('istanbul.txt', 'İSTANBUL')).toBeNull();
  expect(marked('2026 İzmir', 'İZMİR')).toBeNull();
  expect(marked('2026 İZMİR', 'İzmi')).toBe('İZMİ');
  expect(marked('😀İ😀a', 'A')).toBe('a');
});

test('a match that begins or ends within the lower case of a letter highlights the whole letter', () => {
  expect(marked('aİb', 'ai')).toBe('aİ');
  expect(marked('aİb', '\u0307b')).toBe('İb');
});

test('what is highlighted consists of whole letters and contains the text', () => {
  const letters = fc.array(
    fc.constantFrom('İ', 'i', '\u0307', 'I', 'ß', 'ẞ', 'Σ', 'σ', 'ς', 'a', '😀', 'Ⱥ', '𐐀'),
  );
  fc.assert(
    fc.property(letters, letters, letters, fc.boolean(), (before, within, after, isCaseSensitive) => {
      const name = [...before, ...within, ...after].join('');
      const text = within.join('');
      const part = foundPart(name, text, isCaseSensitive);
      const fold = (of: string): string => (isCaseSensitive ? of : of.toLowerCase());
      const isFound = text !== '' && fold(name).includes(fold(text));
      const shown = part === null ? '' : name.slice(part.at, part.end);
      expect(part !== null).toBe(isFound);
      expect(shown.isWellFormed()).toBe(true);
      // The lower case of Σ depends on its neighbours, so it is compared as one letter.
      const plain = (of: string): string => fold(of).replaceAll('ς', 'σ');
      expect(plain(shown)).toContain(isFound ? plain(text) : '');
    }),
    { numRuns: 2000 },
  );
});

test('of more keys than one call takes, only those that are no longer results are absent', async () => {
  const keys = Array.from({ length: 2 * maxSelectedItems + 1 }, (_, at) => `key-${at}`);
  const gone = new Set([keys[1], keys.at(-1)]);
  const calls: number[] = [];
  const present = (asked: readonly string[]) => {
    calls.push(asked.length);
    return Promise.resolve(asked.filter((key) => !gone.has(key)));
  };
  expect(await absentKeys(keys, present)).toEqual(gone);
  expect(calls).toEqual([maxSelectedItems, maxSelectedItems, 1]);
});
