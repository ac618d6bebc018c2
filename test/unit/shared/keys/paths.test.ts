import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareKeys,
  crumbsOf,
  folderOf,
  lastSegment,
  nameOfKey,
  parentFolder,
} from '../../../../shared/keys/paths.ts';

const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', ' ', '.', 'é', '🪣'), maxLength: 16 });

describe('a prefix as a folder', () => {
  it('splits after the last slash, and treats an empty segment as a folder', () => {
    expect(folderOf('photos/20')).toBe('photos/');
    expect(folderOf('20')).toBe('');
    expect(parentFolder('a//')).toBe('a/');
    expect(parentFolder('/')).toBe('');
    expect(parentFolder('')).toBeNull();
    expect(lastSegment('a/b/')).toBe('b');
    expect(lastSegment('a/b')).toBe('b');
    expect(lastSegment('a//')).toBe('');
    expect(lastSegment('/')).toBe('');
  });

  it('shows a key by its last segment, with the slash of a folder', () => {
    expect(nameOfKey('a/b.bin')).toBe('b.bin');
    expect(nameOfKey('a/b/')).toBe('b/');
    expect(nameOfKey('b.bin')).toBe('b.bin');
    expect(nameOfKey('/')).toBe('/');
    expect(nameOfKey('a//')).toBe('/');
  });

  it('has a breadcrumb for every folder above, also unnamed ones', () => {
    expect(crumbsOf('a//b/')).toEqual([
      { name: 'a', folder: 'a/' },
      { name: '', folder: 'a//' },
      { name: 'b', folder: 'a//b/' },
    ]);
  });

  it('leads up one breadcrumb at a time to the top', () => {
    fc.assert(
      fc.property(key, (key) => {
        const folder = folderOf(key);
        const up: string[] = [];
        for (let at: string | null = folder; at !== null && at !== ''; at = parentFolder(at)) up.unshift(at);
        expect(crumbsOf(folder).map((crumb) => crumb.folder)).toEqual(up);
      }),
    );
  });
});

describe('key order', () => {
  it('is by UTF-8 bytes, not by UTF-16 units', () => {
    const emojiAndPrivate = ['\u{1F600}', '\uFFFD', '\uE000', 'z', 'a/', 'a'];
    expect(emojiAndPrivate.toSorted(compareKeys)).toEqual(['a', 'a/', 'z', '\uE000', '\uFFFD', '\u{1F600}']);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const bytes = Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
        expect(Math.sign(compareKeys(a, b))).toBe(bytes);
      }),
    );
  });
});
