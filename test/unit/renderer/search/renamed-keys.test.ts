import { expect, test } from 'vitest';
import { RenamedKeys, renamedKeysOf } from '../../../../renderer/features/search/renamed-keys.ts';

const entry = (key: string) => ({ key, sizeBytes: 1, lastModified: null, etag: null, storageClass: null });

test('a renamed search result has its newest name, and one renamed back its first', () => {
  const renamed = new RenamedKeys();
  renamed.rename('a/1', 'a/2');
  renamed.rename('a/2', 'a/3');
  expect(renamed.renamed(entry('a/1')).key).toBe('a/3');
  expect(renamed.renamed(entry('a/2')).key).toBe('a/2');
  renamed.rename('a/3', 'a/1');
  expect(renamed.renamed(entry('a/1')).key).toBe('a/1');
  expect(renamed.size).toBe(1);
});

test('each search has its own renamed keys, which a later view of it finds again', () => {
  renamedKeysOf('walk-1').rename('a/1', 'a/2');
  expect(renamedKeysOf('walk-1').renamed(entry('a/1')).key).toBe('a/2');
  expect(renamedKeysOf('walk-2').renamed(entry('a/1')).key).toBe('a/1');
});
