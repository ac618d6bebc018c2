import * as fc from 'fast-check';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { numberedName } from '../../../../../shared/keys/paths.ts';
import {
  keyOfSegments,
  segmentsOfKey,
  type NameSystem,
} from '../../../../../electron/core/transfers/items/item-names.ts';

const systems = ['posix', 'windows'] as const satisfies readonly NameSystem[];

const unfit = {
  posix: /^\.{0,2}$/,
  // oxlint-disable-next-line no-control-regex -- the pattern must match control characters
  windows: /[\u0000-\u001f<>:"|?*\\]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i,
} as const;

const nasty = fc.constantFrom(
  '..',
  '.',
  '',
  'CON',
  'con.txt',
  'COM1',
  'NUL',
  'a:b',
  'C:\\x',
  'ends.',
  'ends ',
  '\u0001',
  '\u0000',
  '\u201B',

  '\u201B\u201B',
  '\u201B_',
  '\u201B~',
  '\u201B41',
  '\u201B2E',
  '\u201B2E\u201B2E',
  'x'.repeat(300),

  '\u{1F600}'.repeat(80),
  '\u201BE2\u201B80\u201B9B',
  `${'y'.repeat(250)}\u201B~`,
  '%2E',
  '~',
  '*',
  'aux.',
  'é',
);
const word = fc.oneof(
  nasty,
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('/', '')),
  fc.array(nasty, { maxLength: 3 }).map((words) => words.join('')),
);
const key = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join('/'));

describe.each(systems)('a key as a local path on %s', (system) => {
  test('maps back to the same key', () => {
    fc.assert(
      fc.property(key, (text) => {
        expect(keyOfSegments(segmentsOfKey(text, system), system)).toBe(text);
      }),
      { numRuns: 3000 },
    );
  });

  test('has segments that are valid names and stay in the folder', () => {
    fc.assert(
      fc.property(key, (text) => {
        for (const name of segmentsOfKey(text, system)) {
          expect(['', '.', '..']).not.toContain(name);
          expect(name).not.toMatch(/[/\0]/);
          const units = system === 'windows' ? name.length : Buffer.byteLength(name);
          expect(units).toBeLessThanOrEqual(255);
          expect(name).not.toMatch(unfit[system]);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('stays inside the folder when joined', () => {
    const paths = system === 'windows' ? path.win32 : path.posix;
    const root = system === 'windows' ? 'C:\\folder' : '/folder';
    fc.assert(
      fc.property(key, (text) => {
        const joined = paths.join(root, ...segmentsOfKey(text, system));
        expect(paths.relative(root, joined).split(paths.sep)[0]).not.toBe('..');
        expect(paths.isAbsolute(paths.relative(root, joined))).toBe(false);
      }),
    );
  });
});

test('every local name maps to a key and back to itself', () => {
  const name = word.filter(
    (text) => !['', '.', '..'].includes(text) && !text.includes('\0') && Buffer.byteLength(text) <= 255,
  );
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (segments) => {
      expect(segmentsOfKey(keyOfSegments(segments, 'posix'), 'posix')).toEqual(segments);
    }),
    { numRuns: 3000 },
  );
});

test('ordinary names stay unchanged', () => {
  for (const name of ['a.txt', '100%25.txt', 'ünï', 'a b', '.hidden', '...', 'C:\\x', 'line\nbreak'])
    expect(segmentsOfKey(name, 'posix')).toEqual([name]);
});

test('dangerous names are escaped', () => {
  expect(segmentsOfKey('../../etc/passwd', 'posix')[0]).toBe('\u201B2E\u201B2E');
  expect(segmentsOfKey('/absolute', 'posix')).toEqual(['\u201B_', 'absolute']);
  expect(segmentsOfKey('C:\\x', 'windows')).toEqual(['C\u201B3A\u201B5Cx']);
  expect(segmentsOfKey('CON', 'windows')).toEqual(['\u201B43ON']);
});

test('a taken name gets a number before its extension', () => {
  expect(numberedName('a/b.txt', 2)).toBe('a/b (2).txt');
  expect(numberedName('a.b/c', 3)).toBe('a.b/c (3)');
  expect(numberedName('a/.hidden', 2)).toBe('a/.hidden (2)');
});
