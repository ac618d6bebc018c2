import { describe, expect, it } from 'vitest';
import {
  folderColumns,
  serviceOrder,
  sortOf,
  typeOf,
} from '../../../../../renderer/features/objects/rows/folder-columns.ts';
import { objectRow } from '../fixtures.ts';

describe('the columns of a folder', () => {
  it('sort by name initially, as chosen, or not at all', () => {
    expect(sortOf(null)).toEqual({ column: 'name', descending: false });
    expect(sortOf({ by: 'size', descending: true })).toEqual({ column: 'size', descending: true });
    expect(sortOf({ by: 'a column of a later version', descending: true })).toEqual(sortOf(null));
    expect(sortOf(serviceOrder)).toBeNull();
  });

  it('show an extension for names that have one', () => {
    expect(typeOf(objectRow('a/b.JPG'))).toBe('jpg');
    expect(typeOf(objectRow('a/b.tar.gz'))).toBe('gz');
    for (const key of ['a.b/c', 'a/.profile', 'a/b.', 'a/b.c/']) expect(typeOf(objectRow(key))).toBe('');
    expect(typeOf(objectRow('a.b/', { kind: 'folder' }))).toBe('');
  });

  it('show the exact and the relative time on hover', () => {
    const modified = folderColumns.find(({ id }) => id === 'modified');
    const row = objectRow('a', { modifiedMs: Date.UTC(2026, 0, 2, 3, 4, 5) });
    const hover = modified?.hover?.(row, Date.UTC(2026, 0, 2, 5, 30, 0));
    expect(hover).toMatch(/\d\d?:04:05/u);
    expect(hover).toContain('2 hours ago');
    expect(modified?.hover?.(objectRow('a', { modifiedMs: Number.NaN }), 0)).toBe('');
  });
});
