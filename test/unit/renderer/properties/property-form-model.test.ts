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
  encryption: null,
  archive: { state: 'readable' },
  tags: [{ key: 'team', value: 'blue' }],
  tagsError: null,
};

test('a form that nobody touched changes nothing, whatever the objects are', () => {
  expect(patchOf(formOf([]))).toBeNull();
  expect(patchOf(formOf([plain, { ...plain, metadata: { a: 'other' }, tags: null }]))).toBeNull();
});

test('values that differ are told from values that are absent everywhere', () => {
  expect(sharedOf([null, null])).toEqual({ kind: 'same', value: '' });
  expect(sharedOf(['x', null])).toEqual({ kind: 'various' });
});

test('only what was touched is changed: emptied is removed, a time is sent as one', () => {
  const form = formOf([plain]);
  expect(patchOf({ ...form, fields: { cacheControl: '', expires: '2027-01-31' } })).toEqual({
    cacheControl: null,
    expires: '2027-01-31T00:00:00.000Z',
  });
});

test('metadata that was removed, changed and added, and nothing else', () => {
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

test('values that cannot be sent are reported first', () => {
  const form = formOf([plain]);
  const row = (name: string) => [...form.metadata, { ...newRow, name }];
  expect(propertyProblems({ ...form, fields: { contentType: ' ' } })).toEqual(['content-type-needed']);
  expect(propertyProblems({ ...form, fields: { expires: 'soon' } })).toEqual(['expires-invalid']);
  expect(propertyProblems({ ...form, metadata: row('') })).toEqual(['name-missing']);
  expect(propertyProblems({ ...form, metadata: row('ü') })).toEqual(['name-invalid']);
  expect(propertyProblems({ ...form, metadata: row('A') })).toEqual(['name-twice']);
});
