import { array, assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { nameOf, type Chosen } from '../../../../renderer/features/operations/chosen.ts';
import {
  changedRows,
  patternedNames,
  renamedRows as judgedRows,
  type RenamePattern,
} from '../../../../renderer/features/operations/name-pattern.ts';
import type { RowExists } from '../../../../renderer/features/operations/names.ts';

const rows = (...names: readonly string[]) =>
  names.map((name) => ({ kind: 'object' as const, key: `in/${name}`, sizeBytes: 1 }));
const pattern = { find: '', isRegex: false, replacement: '', start: 1 };
const none = () => false;
const renamedRows = (chosen: readonly Chosen[], folder: string, by: RenamePattern, has: RowExists) => {
  const newNames = patternedNames(chosen.map(nameOf), by);
  return newNames === null ? null : judgedRows(chosen, folder, newNames, has);
};
const names = (found: ReturnType<typeof renamedRows>) => found?.map(({ newName }) => newName);

const kindsOf = (replacement: string, find: string, has = none as (kind: string, key: string) => boolean) =>
  renamedRows(rows('a.txt', 'b.txt'), 'in/', { ...pattern, find, replacement }, has)?.map(
    ({ problem }) => problem?.kind ?? null,
  );

test('text is replaced wherever it occurs in a name', () => {
  const found = renamedRows(
    rows('IMG_1_IMG.jpg', 'other.jpg'),
    'in/',
    { ...pattern, find: 'IMG', replacement: 'cat' },
    none,
  );
  expect(names(found)).toEqual(['cat_1_cat.jpg', 'other.jpg']);
  expect(changedRows(found ?? [])).toHaveLength(1);
});

test('an empty text replaces the name before its extension, with numbers of equal length', () => {
  const many = rows(...Array.from({ length: 10 }, (_, at) => `x${String(at)}.jpg`));
  const found = renamedRows(many, 'in/', { ...pattern, replacement: 'trip-{n}' }, none);
  expect(names(found)?.slice(0, 2)).toEqual(['trip-01.jpg', 'trip-02.jpg']);
  expect(names(found)?.at(-1)).toBe('trip-10.jpg');
  expect(names(renamedRows(rows('a.txt'), 'in/', { ...pattern, replacement: '{name} old' }, none))).toEqual([
    'a old.txt',
  ]);
});

test('a regular expression takes groups, and an unreadable one renames nothing', () => {
  const expression = { ...pattern, find: String.raw`(\d+)-(\d+)`, isRegex: true, replacement: '$2.$1' };
  expect(names(renamedRows(rows('2026-06.csv'), 'in/', expression, none))).toEqual(['06.2026.csv']);
  expect(renamedRows(rows('a'), 'in/', { ...expression, find: '(' }, none)).toBeNull();
});

test('a dollar sign in a name is no group of the regular expression', () => {
  const expression = { ...pattern, find: String.raw`^(.*)\.txt$`, isRegex: true, replacement: '{name}-$1' };
  expect(names(renamedRows(rows('a$1.txt', 'b$$c$&.txt'), 'in/', expression, none))).toEqual([
    'a$1-a$1',
    'b$$c$&-b$$c$&',
  ]);
});

test('two objects of one name, a taken name, a slash and an empty name are problems', () => {
  expect(kindsOf('same', '')).toEqual(['twice', 'twice']);
  expect(kindsOf('c', 'a', (_, key) => key === 'in/c.txt')).toEqual(['objectExists', null]);
  expect(kindsOf('x/y', 'a')).toEqual(['slash', null]);
  expect(kindsOf('', 'a.txt')).toEqual(['empty', null]);
});

test('a name that another renamed object has now is a problem while that object exists', () => {
  const found = renamedRows(
    rows('1', '2'),
    'in/',
    { ...pattern, find: '1', replacement: '2' },
    (_, key) => key === 'in/2',
  );
  expect(found?.map(({ problem }) => problem?.kind ?? null)).toEqual(['twice', null]);
});

test('new names without a problem all differ from each other', () => {
  assert(
    property(
      array(
        string({ minLength: 1 }).map((name) => name.replaceAll('/', '_')),
        { minLength: 1 },
      ),
      string(),
      (all, find) => {
        const unique = [...new Set(all)];
        const found =
          renamedRows(rows(...unique), 'in/', { ...pattern, find, replacement: 'x{n}' }, none) ?? [];
        const fine = found.filter(({ problem }) => problem === null).map(({ newName }) => newName);
        expect(new Set(fine).size).toBe(fine.length);
      },
    ),
  );
});
