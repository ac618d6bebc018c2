import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { nameParts, nameText, splitName } from '../../../../shared/keys/display.ts';

test.each([
  ['short.txt', null],
  ['IMG_20260712_181530_0042.jpeg', ['IMG_20260712_181530_', '0042.jpeg']],
  ['backup-of-the-database-2026', ['backup-of-the-datab', 'ase-2026']],
  ['.configuration-of-the-shell', ['.configuration-of-t', 'he-shell']],
  ['a name. Ends in a sentence', ['a name. Ends in a ', 'sentence']],
  ['תמונה.jpg', ['תמונה', '.jpg']],
  ['تقرير', null],
] as const)('the name %s is split so that its end stays visible', (name, split) => {
  expect(splitName(name)).toEqual(split === null ? null : { head: split[0], tail: split[1] });
});

test('both pieces of any name join to the name and begin with a whole character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (name) => {
      const split = splitName(name);
      if (split === null) return;
      expect(split.head + split.tail).toBe(name);
      expect(split.head.isWellFormed() && split.tail.isWellFormed()).toBe(true);
      expect(split.head).not.toBe('');
      expect(split.tail).not.toMatch(/^\p{M}/u);
    }),
  );
});

const joined = (name: string): string =>
  nameParts(name)
    .map((part) => (part.kind === 'empty' ? '' : part.text))
    .join('');

describe('a displayed name', () => {
  it('is unchanged if it is ordinary, in any script', () => {
    for (const name of ['report.pdf', 'два слова.txt', '写真 2024', 'مرحبا', 'naïve café', '🪣 bucket'])
      expect(nameParts(name)).toEqual([{ kind: 'text', text: name }]);
  });

  it('is a mark if it is empty', () => {
    expect(nameParts('')).toEqual([{ kind: 'empty' }]);
    expect(nameText('', '(empty)')).toBe('(empty)');
  });

  it('shows white space at its ends as symbols and keeps it within', () => {
    expect(nameText(' a b ', '')).toBe('\u2423a b\u2423');
    expect(nameText('  ', '')).toBe('\u2423\u2423');
  });

  it('differs for names that look alike', () => {
    const alike = [
      'a b',
      'a\u00A0b',
      'a\u2003b',
      'a\u3000b',
      'caf\u00E9',
      'cafe\u0301',
      '\uAC00',
      '\u1100\u1161',
    ];
    expect(new Set(alike.map((name) => nameText(name, ''))).size).toBe(alike.length);
    expect(nameText('a\u00A0b', '')).toBe('aU+00A0b');
    expect(nameText('cafe\u0301', '')).toBe('cafe\u0301NFD');
    // A mark that cannot be composed with its letter is not reported.
    expect(nameText('x\u0323y', '')).toBe('x\u0323y');
  });

  it('shows control characters as their pictures', () => {
    expect(nameText('bell\u0007', '')).toBe('bell\u2407');
    expect(nameText('a\tb\nc\u007F', '')).toBe('a\u2409b\u240Ac\u2421');
  });

  it('names characters that change the text direction', () => {
    expect(nameParts('photo\u202Egpj.exe')).toEqual([
      { kind: 'text', text: 'photo' },
      { kind: 'hidden', text: '\u202E', code: 'U+202E', symbol: 'U+202E' },
      { kind: 'text', text: 'gpj.exe' },
    ]);
  });

  it('names invisible characters', () => {
    for (const hidden of ['\u200B', '\uFEFF', '\u2066', '\u00AD', '\u2028', '\u{E0041}', '\uD800'])
      expect(nameParts(`a${hidden}.`).map(({ kind }) => kind)).toEqual(['text', 'hidden', 'text']);
  });

  it('keeps joiners that are part of a word or an emoji', () => {
    expect(nameParts('👩‍💻.txt')).toEqual([{ kind: 'text', text: '👩‍💻.txt' }]);
    expect(nameParts('می‌خواهم')).toEqual([{ kind: 'text', text: 'می‌خواهم' }]);
    expect(nameParts('a\u200D.').map(({ kind }) => kind)).toContain('hidden');
  });

  it('loses and adds no character of the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        expect(joined(name)).toBe(name);
      }),
    );
  });

  it('never contains a raw control character or direction override', () => {
    const odd = fc.constantFrom(
      '\u0000',
      '\u001B',
      '\u0085',
      '\u200E',
      '\u202A',
      '\u2067',
      ' ',
      'a',
      '/',
      'é',
    );
    fc.assert(
      fc.property(fc.array(odd, { maxLength: 12 }), (characters) => {
        const text = nameText(characters.join(''), '');
        expect(text).not.toMatch(/[\p{Cc}\u200E\u202A\u2067]/u);
        expect(text).not.toMatch(/^\s|\s$/u);
      }),
    );
  });
});
