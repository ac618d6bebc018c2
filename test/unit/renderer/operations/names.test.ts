import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  copyName,
  folderParts,
  lineBreakConversionOf,
  maxKeyBytes,
  newFolderProblem,
  newNameProblem,
  stemLength,
} from '../../../../renderer/features/operations/names.ts';

const hasFolderX = (kind: string, key: string): boolean => kind === 'folder' && key === 'a/x/';
const hasObjectX = (kind: string, key: string): boolean => kind === 'object' && key === 'a/x';
const word = (stem: string, number: number): string =>
  number === 1 ? `${stem} copy` : `${stem} copy ${String(number)}`;
const nothing = (): boolean => false;
const object = { kind: 'object', key: 'a/old.txt', sizeBytes: 1 } as const;
const folder = { kind: 'folder', key: 'a/old/', sizeBytes: 0 } as const;

describe('the name of a new folder', () => {
  it('must not be empty', () => {
    expect(newFolderProblem('', 'a/', nothing)).toEqual({ kind: 'empty' });
    expect(newFolderProblem('/', 'a/', nothing)).toEqual({ kind: 'empty' });
  });

  it('may be a path if all its parts have names', () => {
    expect(newFolderProblem('x/y/', 'a/', nothing)).toBeNull();
    expect(folderParts('x/y/')).toEqual(['x', 'y']);
    for (const bad of ['/x', 'x//y', 'x//']) {
      expect(newFolderProblem(bad, '', nothing)).toEqual({ kind: 'emptyPart' });
    }
  });

  it('must not be taken', () => {
    expect(newFolderProblem('x', 'a/', hasFolderX)).toEqual({ kind: 'folderExists' });
    expect(newFolderProblem('x/', 'a/', hasFolderX)).toEqual({ kind: 'folderExists' });
    expect(newFolderProblem('x/y', 'a/', hasFolderX)).toBeNull();
  });

  it('is limited in bytes, including its parent folders and slash', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 700 }), (text) => {
        const name = text.replaceAll('/', '-');
        const keyBytes = Buffer.byteLength(`above/${name}/`);
        const problem = newFolderProblem(name, 'above/', nothing);
        expect(problem?.kind).toBe(keyBytes > maxKeyBytes ? 'tooLong' : undefined);
      }),
    );
  });
});

describe('a new name for a row', () => {
  it('must be a single name that differs from the old one', () => {
    expect(newNameProblem('', object, 'a/', nothing)).toEqual({ kind: 'empty' });
    expect(newNameProblem('x/y', object, 'a/', nothing)).toEqual({ kind: 'slash' });
    expect(newNameProblem('old.txt', object, 'a/', nothing)).toEqual({ kind: 'same' });
    expect(newNameProblem('old', folder, 'a/', nothing)).toEqual({ kind: 'same' });
    expect(newNameProblem('new', folder, 'a/', nothing)).toBeNull();
  });

  it('may equal the name of the other kind, object or folder', () => {
    expect(newNameProblem('x', object, 'a/', hasObjectX)).toEqual({ kind: 'objectExists' });
    expect(newNameProblem('x', folder, 'a/', hasObjectX)).toBeNull();
  });
});

describe('the name of a copy', () => {
  it('keeps the extension of an object and the whole name of a folder', () => {
    expect(copyName('a.tar.gz', false, word, nothing)).toBe('a.tar copy.gz');
    expect(copyName('.profile', false, word, nothing)).toBe('.profile copy');
    expect(copyName('v1.2', true, word, nothing)).toBe('v1.2 copy');
    expect(stemLength('photo.jpg', false)).toBe(5);
    expect(stemLength('photo.jpg', true)).toBe(9);
  });

  it('is the first free one', () => {
    const existing = new Set(['x copy.txt', 'x copy 2.txt']);
    expect(copyName('x.txt', false, word, (name) => existing.has(name))).toBe('x copy 3.txt');
  });
});

describe('a name with line breaks', () => {
  it('is edited with substitutes and read back unchanged', () => {
    const breaks = lineBreakConversionOf('a\nb\r\nc');
    expect(breaks?.display('a\nb\r\nc')).toBe('a\u240Ab\u240D\u240Ac');
    expect(breaks?.parse('a\u240Ab\u240D\u240Ac.txt')).toBe('a\nb\r\nc.txt');
  });

  it('has no substitutes if it needs none or already contains one', () => {
    expect(lineBreakConversionOf('plain')).toBeNull();
    expect(lineBreakConversionOf('a\n\u240A')).toBeNull();
  });
});
