import { describe, expect, it } from 'vitest';
import { movesByDrag, dropVerdict } from '../../../../renderer/features/operations/chosen.ts';

const at = (folder: string, bucket = 'b', connectionId = 'c') => ({ connectionId, bucket, folder });
const file = { kind: 'object', key: 'a/x.txt', sizeBytes: 1 } as const;
const folder = { kind: 'folder', key: 'a/f/', sizeBytes: 0 } as const;
const keys = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };

describe('the result of a paste or drop', () => {
  it('asks only before folders move', () => {
    const to = at('z/');
    expect(dropVerdict({ from: at('a/'), rows: [file, folder], to, isMove: true })).toEqual({ kind: 'ask' });
    expect(dropVerdict({ from: at('a/'), rows: [file, folder], to, isMove: false })).toEqual({ kind: 'go' });
    expect(dropVerdict({ from: at('a/'), rows: [file], to, isMove: true })).toEqual({ kind: 'go' });
    const elsewhere = at('a/', 'b', 'other');
    expect(dropVerdict({ from: at('a/'), rows: [file], to: elsewhere, isMove: true })).toEqual({
      kind: 'ask',
    });
    expect(dropVerdict({ from: at('a/'), rows: [file], to: elsewhere, isMove: false })).toEqual({
      kind: 'go',
    });
  });

  it('is refused for a folder within itself, at any depth, moved or copied', () => {
    for (const inside of ['a/f/', 'a/f/g/'])
      for (const isMove of [true, false])
        expect(dropVerdict({ from: at('a/'), rows: [folder], to: at(inside), isMove })).toEqual({
          kind: 'refused',
          why: 'into-itself',
        });
  });

  it('is allowed into a folder with the same start of name or the same path in another bucket', () => {
    expect(dropVerdict({ from: at('a/'), rows: [folder], to: at('a/fg/'), isMove: false }).kind).toBe('go');
    expect(dropVerdict({ from: at('a/'), rows: [folder], to: at('a/f/', 'other'), isMove: false }).kind).toBe(
      'go',
    );
    expect(
      dropVerdict({ from: at('a/'), rows: [folder], to: at('a/f/', 'b', 'other'), isMove: false }).kind,
    ).toBe('go');
  });

  it('is a duplicate for a copy into the same folder, and refused for a move', () => {
    expect(dropVerdict({ from: at('a/'), rows: [file], to: at('a/'), isMove: false })).toEqual({
      kind: 'duplicate',
    });
    expect(dropVerdict({ from: at('a/'), rows: [file], to: at('a/'), isMove: true })).toEqual({
      kind: 'refused',
      why: 'already-here',
    });
  });
});

describe('a drag', () => {
  it('moves within a bucket and copies to another', () => {
    expect(movesByDrag(keys, true, false)).toBe(true);
    expect(movesByDrag(keys, false, false)).toBe(false);
  });

  it('is inverted by a modifier key, which differs on a Mac', () => {
    expect(movesByDrag({ ...keys, ctrlKey: true }, true, false)).toBe(false);
    expect(movesByDrag({ ...keys, shiftKey: true }, false, false)).toBe(true);
    expect(movesByDrag({ ...keys, altKey: true }, true, true)).toBe(false);
    expect(movesByDrag({ ...keys, metaKey: true }, false, true)).toBe(true);
  });
});
