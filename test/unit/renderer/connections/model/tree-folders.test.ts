import { describe, expect, it } from 'vitest';
import {
  folderRows,
  nodeId,
  openNodes,
  ancestorPrefixes,
  pathNodesTo,
  type FoldersState,
} from '../../../../../renderer/features/connections/model/tree-folders.ts';

const at = (prefix: string) => ({ connectionId: 'one', bucket: 'b', prefix });
const known = (prefixes: readonly string[], rest: 'more' | 'unread' | null = null): FoldersState => ({
  kind: 'known',
  prefixes,
  rest,
});
const open = (...prefixes: readonly string[]) =>
  new Set(['one', ...prefixes.map((prefix) => nodeId(at(prefix)))]);
const last = (state: FoldersState | undefined) =>
  folderRows(at(''), 'parent', 3, {
    expanded: open(''),
    folders: new Map(state === undefined ? [] : [[nodeId(at('')), state]]),
    current: null,
  }).at(-1);

describe('folders in the tree', () => {
  it('follow their open parent, one level deeper, with their position among siblings', () => {
    const rows = folderRows(at(''), 'parent', 3, {
      expanded: open('', 'a/'),
      folders: new Map([
        [nodeId(at('')), known(['a/', 'c/'])],
        [nodeId(at('a/')), known(['a/b/'])],
      ]),
      current: null,
    });
    expect(rows.map(({ prefix, level, position, setSize }) => [prefix, level, position, setSize])).toEqual([
      ['a/', 3, 1, 2],
      ['a/b/', 4, 1, 1],
      ['c/', 3, 2, 2],
    ]);
    expect(rows.map(({ parentId }) => parentId)).toEqual(['parent', nodeId(at('a/')), 'parent']);
  });

  it('end with a row for more, empty, loading or failed', () => {
    expect(last(known(['a/'], 'more'))).toMatchObject({
      kind: 'more',
      state: 'more',
      position: 2,
      setSize: 2,
    });
    expect(last(known(['a/'], 'unread'))).toMatchObject({ kind: 'more', state: 'unread' });
    expect(last(known([]))).toMatchObject({ kind: 'more', state: 'empty' });
    expect(last(undefined)).toMatchObject({ kind: 'more', state: 'loading' });
    expect(last(known(['a/']))).toMatchObject({ kind: 'folder' });
  });

  it('include a row for the current folder even if it is listed later', () => {
    const rows = folderRows(at(''), 'parent', 3, {
      expanded: open('', 'z/'),
      folders: new Map([
        [nodeId(at('')), known(['a/'], 'more')],
        [nodeId(at('z/')), known(['z/y/'])],
      ]),
      current: at('z/y/x/'),
    });
    const alone = folderRows(at(''), 'parent', 3, {
      expanded: open(''),
      folders: new Map([[nodeId(at('')), known([])]]),
      current: at('z/'),
    });
    expect(alone.map(({ kind, prefix }) => [kind, prefix])).toEqual([['folder', 'z/']]);
    expect(rows.map(({ kind, prefix }) => [kind, prefix])).toEqual([
      ['folder', 'a/'],
      ['folder', 'z/'],
      ['folder', 'z/y/'],
      ['more', ''],
    ]);
  });

  it('are listed only if all their parents are open', () => {
    expect(openNodes(open('', 'a/', 'a/b/')).map(({ prefix }) => prefix)).toEqual(['', 'a/', 'a/b/']);
    expect(openNodes(open('', 'a/b/')).map(({ prefix }) => prefix)).toEqual(['']);
    expect(openNodes(new Set([nodeId(at(''))]))).toEqual([]);
    expect(openNodes(new Set(['f:not json', 'f:[1]']))).toEqual([]);
  });

  it('are opened down to a location, each with the next folder', () => {
    expect(pathNodesTo(at('a/b/c/')).map(({ node, child }) => [node.prefix, child])).toEqual([
      ['', 'a/'],
      ['a/', 'a/b/'],
      ['a/b/', 'a/b/c/'],
    ]);
    expect(pathNodesTo(at(''))).toEqual([]);
    expect(ancestorPrefixes('a//b/')).toEqual(['a/', 'a//', 'a//b/']);
    expect(ancestorPrefixes('')).toEqual([]);
  });

  it('show only the path to a location until the others are requested', () => {
    const branch: FoldersState = { kind: 'branch', prefixes: ['a/', 'q/'], rest: 'unread' };
    const rows = folderRows(at(''), 'parent', 3, {
      expanded: open('', 'z/'),
      folders: new Map([
        [nodeId(at('')), branch],
        [nodeId(at('z/')), { kind: 'branch', prefixes: [], rest: 'unread' }],
      ]),
      current: at('z/y/'),
    });
    expect(rows.map(({ kind, prefix, level }) => [kind, prefix, level])).toEqual([
      ['folder', 'a/', 3],
      ['folder', 'q/', 3],
      ['folder', 'z/', 3],
      ['folder', 'z/y/', 4],
      ['more', 'z/', 4],
      ['more', '', 3],
    ]);
    expect(last(branch)).toMatchObject({ state: 'unread' });
    expect(last({ ...branch, rest: 'loading' })).toMatchObject({ state: 'loading' });
    expect(last({ ...branch, rest: 'failed' })).toMatchObject({ state: 'failed' });
  });
});
