import { expect, test } from 'vitest';
import {
  formOf,
  newRow,
  patchOf,
  propertyProblems,
  sharedOf,
} from '../../../../renderer/features/properties/property-form-model.ts';
import type { ObjectProperties } from '../../../../shared/models/properties.ts';

const plain: ObjectProperties = {
  contentType: 'text/plain',
  cacheControl: null,
  contentDisposition: null,
  contentEncoding: null,
  contentLanguage: null,
  expires: null,
  storageClass: 'STANDARD',
  metadata: { a: '1', b: '2' },
  unreadableMetadata: [],
  missingMetadata: 0,
  encryption: null,
  archive: { state: 'readable' },
  tags: [{ key: 'team', value: 'blue' }],
  tagsError: null,
};

test('an untouched property form changes nothing, whatever the objects hold', () => {
  expect(patchOf(formOf([]))).toBeNull();
  expect(patchOf(formOf([plain, { ...plain, metadata: { a: 'other' }, tags: null }]))).toBeNull();
});

test('a metadata value that is unreadable in one object is marked, and can only be removed', () => {
  const form = formOf([plain, { ...plain, unreadableMetadata: ['b'] }]);
  expect(form.metadata.map(({ name, isUnreadable }) => [name, isUnreadable])).toEqual([
    ['a', false],
    ['b', true],
  ]);
  const metadata = form.metadata.map((row) => ({ ...row, isRemoved: row.isUnreadable }));
  expect(patchOf({ ...form, metadata })).toEqual({ metadata: { replaceAll: false, set: {}, remove: ['b'] } });
});

test('values that differ are distinguished from values absent everywhere', () => {
  expect(sharedOf([null, null])).toBe('');
  expect(sharedOf(['x', null])).toBeNull();
});

test('only touched properties change, an emptied one is removed, and a date is sent as a timestamp', () => {
  const form = formOf([plain]);
  expect(patchOf({ ...form, fields: { cacheControl: '', expires: '2027-01-31' } })).toEqual({
    cacheControl: null,
    expires: '2027-01-31T00:00:00.000Z',
  });
});

test('the metadata patch has exactly the removed, changed and added names', () => {
  const form = formOf([plain]);
  const [a, b] = form.metadata;
  if (a === undefined || b === undefined) throw new Error('Two rows were expected.');
  const metadata = [
    { ...a, isRemoved: true },
    { ...b, value: '3', isTouched: true },
    { ...newRow, name: 'Author', value: 'x' },
  ];
  expect(patchOf({ ...form, metadata })).toEqual({
    metadata: { replaceAll: false, set: { b: '3', author: 'x' }, remove: ['a'] },
  });
});

test('property values that cannot be sent are reported', () => {
  const form = formOf([plain]);
  const row = (name: string) => [...form.metadata, { ...newRow, name }];
  expect(propertyProblems({ ...form, fields: { contentType: ' ' } })).toEqual(['contentTypeNeeded']);
  expect(propertyProblems({ ...form, fields: { expires: 'soon' } })).toEqual(['expiresInvalid']);
  expect(propertyProblems({ ...form, metadata: row('') })).toEqual(['nameMissing']);
  expect(propertyProblems({ ...form, metadata: row('ü') })).toEqual(['nameInvalid']);
  expect(propertyProblems({ ...form, metadata: row('A') })).toEqual(['nameTwice']);
});

const tagsOf = (word: string) =>
  Array.from({ length: 6 }, (_, at) => ({ key: `${word}${String(at)}`, value: '1' }));
const added = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...newRow, name: `n${String(at)}` }));

test('tags count against the limit only if every object will have them', () => {
  const form = formOf([
    { ...plain, tags: tagsOf('a') },
    { ...plain, tags: tagsOf('b') },
  ]);
  expect(propertyProblems(form)).toEqual([]);
  expect(propertyProblems({ ...form, tags: [...form.tags, ...added(10)] })).toEqual([]);
  expect(propertyProblems({ ...form, tags: [...form.tags, ...added(11)] })).toEqual(['tooManyTags']);
  const single = formOf([{ ...plain, tags: tagsOf('a') }]);
  expect(propertyProblems({ ...single, tags: [...single.tags, ...added(5)] })).toEqual(['tooManyTags']);
});
