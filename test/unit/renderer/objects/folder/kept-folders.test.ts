import { describe, expect, it } from 'vitest';
import { KeptFolders } from '../../../../../renderer/features/objects/folder/kept-folders.ts';
import { pageOf } from '../fixtures.ts';

const rows = (count: number) =>
  pageOf(
    [],
    Array.from({ length: count }, (_, at) => `k${String(at).padStart(5, '0')}`),
    't',
  );

describe('the cache of left folders', () => {
  it("returns a folder's pages as listed", () => {
    const kept = new KeptFolders(100);
    const page = rows(3);
    kept.keep('a', { pages: [page], pageParams: [null] });
    expect(kept.get('a')).toEqual({ pages: [page], pageParams: [null] });
    expect(kept.get('b')).toBeNull();
  });

  it('does not retain the model of the page', () => {
    const kept = new KeptFolders(100);
    const page = rows(3);
    kept.keep('a', { pages: [page], pageParams: [null] });
    expect(kept.get('a')?.pages[0]).not.toBe(page);
  });

  it('evicts the folder left longest ago above its limit', () => {
    const kept = new KeptFolders(25);
    for (const id of ['a', 'b', 'a', 'c']) kept.keep(id, { pages: [rows(9)], pageParams: [null] });
    expect(kept.get('b')).toBeNull();
    expect(kept.get('a')).not.toBeNull();
    expect(kept.get('c')).not.toBeNull();
    expect(kept.rowCount).toBeLessThanOrEqual(25);
    for (let id = 0; id < 100; id += 1) kept.keep(String(id), { pages: [rows(0)], pageParams: [null] });
    expect(kept.rowCount).toBe(25);
  });

  it('keeps only the first pages of a long folder', () => {
    const kept = new KeptFolders(1000);
    const pages = Array.from({ length: 30 }, () => rows(2));
    kept.keep('long', { pages, pageParams: [null, ...pages.slice(1).map(() => 't')] });
    expect(kept.get('long')?.pages).toHaveLength(10);
    expect(kept.get('long')?.pageParams).toHaveLength(10);
    expect(kept.get('long')?.pages.at(-1)?.nextPageToken).toBe('t');
  });

  it('drops the folders of a removed connection', () => {
    const kept = new KeptFolders(100);
    for (const id of ['one\0a', 'one\0b', 'two\0a']) kept.keep(id, { pages: [rows(2)], pageParams: [null] });
    kept.forgetAll('one\0');
    expect([kept.get('one\0a'), kept.get('one\0b')]).toEqual([null, null]);
    expect(kept.get('two\0a')).not.toBeNull();
    expect(kept.rowCount).toBe(3);
  });
});
