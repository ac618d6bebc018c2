import path from 'node:path';
import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { NameFinder } from '../../../../electron/core/catalogues/thread/catalogue-names.ts';
import { CatalogueReader } from '../../../../electron/core/catalogues/thread/catalogue-reader.ts';
import { CatalogueWriter } from '../../../../electron/core/catalogues/thread/catalogue-writer.ts';
import { GrowingSums } from '../../../../electron/core/catalogues/thread/growing-sums.ts';
import { KeyPageWriter } from '../../../../electron/core/walks/map/key-page.ts';
import { foldName, typedWords } from '../../../../shared/keys/name-match.ts';
import { compareKeys } from '../../../../shared/keys/paths.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** Writes a catalogue of these keys in pages of three. */
function written(file: string, keys: readonly string[]): CatalogueReader {
  const growing = new GrowingSums('', () => new CatalogueWriter(file, 2 ** 30));
  for (let from = 0; from < keys.length; from += 3) {
    const writer = new KeyPageWriter();
    for (const key of keys.slice(from, from + 3))
      writer.add(key, key.length, '2026-01-02T03:04:05.000Z', null, null);
    growing.add(writer.finish() ?? new Uint8Array());
  }
  growing.finish();
  return new CatalogueReader(file);
}

const place = (bucket: string) => ({ catalogueId: bucket, connectionId: 'c', bucket, prefix: '' });

function rethrow(_catalogueId: string, thrown: unknown): never {
  throw thrown;
}

function found(text: string, keys: readonly string[], limit = 50): readonly string[] {
  const finder = new NameFinder(text, limit, rethrow);
  finder.add(place('b'), () => written(path.join(tempDir(), 'names'), keys.toSorted(compareKeys)));
  while (!finder.turn(0, () => 1));
  return finder.best().map(({ key }) => key);
}

test('objects and the folders above them are found by words of their names, the best match first', () => {
  const keys = [
    '2026/invoice.pdf',
    '2026/old-invoice-7.pdf',
    'invoices/a.txt',
    'invoices/b.txt',
    'photos/x.jpg',
  ];
  expect(found('invoice', keys)).toEqual(['invoices/', '2026/invoice.pdf', '2026/old-invoice-7.pdf']);
});

test('a folder is found once, however many objects it has', () => {
  const keys = Array.from({ length: 40 }, (_, at) => `backups/day-${String(at)}.tar`);
  expect(found('backups', keys)).toEqual(['backups/']);
});

test('every word has to be in the path, in any order, and one of them in the name', () => {
  const keys = ['2026/06/report.pdf', '2026/07/report.pdf', '2025/06/report.pdf', '2026/06/notes.txt'];
  expect(found('report 2026/06', keys)).toEqual(['2026/06/report.pdf']);
  expect(found('2026/06', keys)).toEqual(['2026/06/']);
});

test('objects with non-ASCII names are found in any letter case', () => {
  expect(found('ОТЧЕТ', ['а/Отчёт за июнь.docx', 'а/прочее.txt'])).toEqual(['а/Отчёт за июнь.docx']);
});

test('a folder is found also if its name becomes longer in lower case', () => {
  expect(found('izmir', ['İzmir/a.txt', 'izmir 2/b.txt'])).toEqual(['izmir 2/']);
  expect(found('zmir', ['İzmir/a.txt', 'İzmir/b.txt'])).toEqual(['İzmir/']);
});

test('a text without words finds nothing', () => {
  expect(found(' / ', ['a', 'b/c'])).toEqual([]);
});

test('a search of several catalogues alternates between them and closes each file at its end', () => {
  const finder = new NameFinder('x', 10, rethrow);
  const dir = tempDir();
  finder.add(place('one'), () => written(path.join(dir, '1'), ['x1', 'x2', 'x3', 'x4', 'x5', 'x6']));
  finder.add(place('two'), () => written(path.join(dir, '2'), ['xa']));
  finder.turn(0, () => 1);
  finder.turn(0, () => 1);
  expect(new Set(finder.best().map(({ bucket }) => bucket))).toEqual(new Set(['one', 'two']));
  expect(finder.turn(0, () => 1)).toBe(true);
});

test('a search of catalogues stops early once the list is full of names that start with the text', () => {
  const finder = new NameFinder('log', 2, rethrow);
  const keys = Array.from({ length: 30 }, (_, at) => `log-${String(at).padStart(2, '0')}`);
  finder.add(place('b'), () => written(path.join(tempDir(), 'many'), keys));
  expect(finder.turn(0, () => 1)).toBe(true);
  expect(finder.best()).toHaveLength(2);
  finder.close();
});

test('a search of names finds the same objects as a check of every key', () => {
  const key = array(constantFrom('a', 'Report', 'log-1', 'фото', 'x y', 'b2'), {
    minLength: 1,
    maxLength: 4,
  }).map((parts) => parts.join('/'));
  const keys = array(key, { maxLength: 30 }).map((all) => [...new Set(all)].toSorted(compareKeys));
  assert(
    property(keys, constantFrom('report', 'log', 'фот', 'a b2', 'y', '1'), (all, text) => {
      const words = typedWords(text);
      const expected = all.filter((candidate) => {
        const name = foldName(candidate.slice(candidate.lastIndexOf('/') + 1));
        return (
          words.every((word) => foldName(candidate).includes(word)) &&
          words.some((word) => name.includes(word))
        );
      });
      expect(
        found(text, all, 1000)
          .filter((name) => !name.endsWith('/'))
          .toSorted(compareKeys),
      ).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});
