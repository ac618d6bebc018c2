import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { foundPart } from '../../../../renderer/features/search/found-part.ts';

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
