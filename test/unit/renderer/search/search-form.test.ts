import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { walkQuerySchema } from '../../../../shared/models/walks.ts';
import {
  emptySearchForm,
  modifiedPresets,
  readForm,
  searchFormSchema,
  sizeUnits,
  type SearchForm,
} from '../../../../renderer/features/search/search-form.ts';

const nowMs = Date.UTC(2026, 5, 15, 12);
const read = (part: Partial<SearchForm>) => readForm({ ...emptySearchForm, ...part }, nowMs);

test('a search form without input matches everything', () => {
  expect(read({})).toEqual({
    kind: 'query',
    query: {
      name: null,
      minSizeBytes: null,
      maxSizeBytes: null,
      modifiedFrom: null,
      modifiedBefore: null,
      storageClasses: null,
    },
  });
});

test.each([
  ['1.5', 'KiB', 1536],
  ['1,5', 'MiB', 1_572_864],
  [' 0 ', 'B', 0],
] as const)('a search size of %s %s is %i bytes', (minSize, minUnit, bytes) => {
  expect(read({ minSize, minUnit })).toMatchObject({ query: { minSizeBytes: bytes } });
});

test.each([
  [{ minSize: 'ten' }, 'minSize', 'size'],
  [{ maxSize: '-1' }, 'maxSize', 'size'],
  [{ maxSize: '99999999999999' }, 'maxSize', 'size'],
  [{ minSize: '2', maxSize: '1' }, 'maxSize', 'size-order'],
  [{ modified: 'between', fromDay: '2026-02-02', toDay: '2026-02-01' }, 'toDay', 'day-order'],
  [{ modified: 'between', fromDay: 'soon' }, 'fromDay', 'day'],
] as const)('a search form with %o has a problem at %s', (part, field, kind) => {
  expect(read(part)).toMatchObject({ kind: 'wrong', field, problem: { kind } });
});

test('an invalid regular expression reports its error; one valid only without the u flag is accepted', () => {
  expect(read({ kind: 'regex', text: '(' })).toMatchObject({
    kind: 'wrong',
    field: 'text',
    problem: { kind: 'regex', why: 'Unterminated group' },
  });
  expect(read({ kind: 'regex', text: String.raw`a\-b` })).toMatchObject({ kind: 'query' });
  expect(read({ kind: 'glob', text: '(' })).toMatchObject({ kind: 'query' });
});

test('a search range includes both days in local time', () => {
  const found = read({ modified: 'between', fromDay: '2026-03-01', toDay: '2026-03-01' });
  expect(found).toMatchObject({
    query: {
      modifiedFrom: new Date(2026, 2, 1).toISOString(),
      modifiedBefore: new Date(2026, 2, 2).toISOString(),
    },
  });
});

test('any search form yields a query that the core accepts, or a problem at a field', () => {
  const form = fc.record({
    kind: fc.constantFrom('contains', 'glob', 'regex'),
    text: fc.string({ maxLength: 50 }),
    caseSensitive: fc.boolean(),
    in: fc.constantFrom('name', 'path'),
    minSize: fc.oneof(fc.string({ maxLength: 20 }), fc.nat().map(String)),
    minUnit: fc.constantFrom(...sizeUnits),
    maxSize: fc.oneof(fc.string({ maxLength: 20 }), fc.nat().map(String)),
    maxUnit: fc.constantFrom(...sizeUnits),
    modified: fc.constantFrom(...modifiedPresets),
    fromDay: fc.oneof(fc.constant(''), fc.constant('2026-13-45'), fc.constant('2020-01-31')),
    toDay: fc.oneof(fc.constant(''), fc.string({ maxLength: 10 }), fc.constant('2021-12-31')),
    storageClasses: fc.array(fc.string({ maxLength: 20 }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(form, (made) => {
      const parsed = searchFormSchema.parse(made);
      const found = readForm(parsed, nowMs);
      expect(found.kind === 'wrong' || walkQuerySchema.safeParse(found.query).success).toBe(true);
    }),
  );
});

test('a search form stored with units of 1,000 is read with those of 1,024', () => {
  const stored = { ...emptySearchForm, minSize: '5', minUnit: 'kB', maxUnit: 'GB' };
  expect(searchFormSchema.parse(stored)).toEqual({ ...stored, minUnit: 'KiB', maxUnit: 'GiB' });
  expect(searchFormSchema.parse(emptySearchForm)).toEqual(emptySearchForm);
  expect(searchFormSchema.safeParse({ ...emptySearchForm, minUnit: 'parsec' }).success).toBe(false);
});
