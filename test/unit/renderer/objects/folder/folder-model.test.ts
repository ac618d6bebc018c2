import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FolderModel } from '../../../../../renderer/features/objects/folder/folder-model.ts';
import { setFolderTotals } from '../../../../../renderer/features/objects/rows/folder-row.ts';
import { rowName } from '../../../../../renderer/features/objects/rows/row.ts';
import { sortedRows } from '../../../../../renderer/features/objects/rows/sort.ts';
import { workerSorter, type Sorter } from '../../../../../renderer/features/objects/rows/sorter.ts';
import { compareKeys } from '../../../../../shared/keys/paths.ts';
import { pageOf } from '../fixtures.ts';

/** Sorts like the worker, but in this thread. */
const sorter: Sorter = ({ rows: asked, folder, sort, foldersFirst }) => {
  const rows = Array.from({ length: asked.count }, (_, at) => asked.row(at) ?? []).flat();
  return Promise.resolve(
    sortedRows({
      sort,
      foldersFirst,
      locale: 'en',
      isFolder: Uint8Array.from(rows, ({ kind }) => (kind === 'folder' ? 1 : 0)),
      names: () => rows.map((row) => rowName(row, folder)),
      numbers: Float64Array.from(rows, ({ sizeBytes }) => sizeBytes),
      texts: [],
    }),
  );
};

const modelOf = (folder: string): FolderModel => new FolderModel(folder, sorter);

function shown(model: FolderModel): string[] {
  return Array.from({ length: model.count }, (_, position) => {
    const row = model.row(model.rowAt(position));
    return row === undefined ? '?' : `${rowName(row, model.folder)}${row.kind === 'folder' ? '/' : ''}`;
  });
}

/** Resolves once the model is no longer busy with background work. */
async function atRest(model: FolderModel): Promise<void> {
  await new Promise<void>((resolve) => {
    const check = (): void => {
      if (model.busy === null) resolve();
    };
    model.changes.subscribe(check);
    setTimeout(check);
  });
}

describe('the folder model', () => {
  it("keeps the service's order with folders and objects mixed", () => {
    const model = modelOf('x/');
    model.addPages([pageOf(['x/a/', 'x/c/'], ['x/a', 'x/b', 'x/d'])]);
    expect(shown(model)).toEqual(['a', 'a/', 'b', 'c/', 'd']);
  });

  it('distinguishes `a` and `a/`', () => {
    const model = modelOf('');
    model.addPages([pageOf(['a/'], ['a'])]);
    expect(model.find('object', 'a')).toBe(0);
    expect(model.find('folder', 'a/')).toBe(1);
    expect(model.find('folder', 'a')).toBe(-1);
  });

  it('merges each page in UTF-8 byte order for any keys', () => {
    const key = fc.string({
      unit: fc.constantFrom('a', 'é', '\uFFFD', '🪣', '-'),
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.uniqueArray(key), fc.uniqueArray(key), (folders, objects) => {
        const prefixes = folders.map((name) => `${name}/`).toSorted(compareKeys);
        const page = pageOf(prefixes, objects.toSorted(compareKeys));
        const keys = [...page.rows].map((row) => row.key);
        expect(keys).toEqual(keys.toSorted(compareKeys));
        expect(keys).toHaveLength(folders.length + objects.length);
      }),
    );
  });

  it('adds each page once and notifies of the change', () => {
    const model = modelOf('');
    const pages = [pageOf([], ['a', 'b'], 't')];
    let changes = 0;
    model.changes.subscribe(() => {
      changes += 1;
    });
    model.addPages(pages);
    model.addPages(pages);
    expect(changes).toBe(1);
    model.addPages([...pages, pageOf([], ['c'])]);
    expect(shown(model)).toEqual(['a', 'b', 'c']);
  });

  it('adds the pages that replace dropped pages, even if they end at other keys', () => {
    const model = modelOf('');
    const first = { ...pageOf([], ['a'], 't'), foreign: { count: 1, example: 'x' } };
    model.addPages([first, pageOf([], ['b'], 't'), pageOf([], ['c'], 't')]);
    model.addPages([first]);
    expect(shown(model)).toEqual(['a', 'b', 'c']);
    const second = { ...pageOf([], ['b', 'c', 'd'], 't'), foreign: { count: 2, example: 'y' } };
    model.addPages([first, second]);
    model.addPages([first, second, pageOf([], ['e'])]);
    expect(shown(model)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(model.foreign).toEqual({ count: 3, example: 'x' });
  });

  it('filters loaded rows and rows loaded later', async () => {
    const model = modelOf('');
    const first = pageOf([], ['Apple', 'banana', 'pineapple'], 't');
    model.addPages([first]);
    model.setFilter('apple');
    await atRest(model);
    expect(shown(model)).toEqual(['Apple', 'pineapple']);
    model.addPages([first, pageOf([], ['zapple', 'zebra'])]);
    expect(shown(model)).toEqual(['Apple', 'pineapple', 'zapple']);
    expect(model.loadedCount).toBe(5);
    model.setFilter('');
    expect(model.count).toBe(5);
  });

  it("filters by name without the folder's prefix", async () => {
    const model = modelOf('photos/');
    model.addPages([pageOf(['photos/photos/'], ['photos/x'])]);
    model.setFilter('photo');
    await atRest(model);
    expect(shown(model)).toEqual(['photos/']);
  });

  it("sorts, returns to the service's order, and filters sorted rows", async () => {
    const model = modelOf('');
    model.addPages([pageOf(['b/'], ['a10', 'a2', 'c'])]);
    model.setSort({ column: 'name', descending: false }, true);
    await atRest(model);
    expect(shown(model)).toEqual(['b/', 'a2', 'a10', 'c']);
    model.setFilter('a');
    await atRest(model);
    expect(shown(model)).toEqual(['a2', 'a10']);
    model.setFilter('');
    await atRest(model);
    expect(shown(model)).toEqual(['b/', 'a2', 'a10', 'c']);
    model.setSort(null, true);
    expect(shown(model)).toEqual(['a10', 'a2', 'b/', 'c']);
  });

  it('sorts folders by the sizes that a catalogue gives them, once those arrive', () => {
    const model = new FolderModel('', workerSorter);
    model.addPages([pageOf(['small/', 'large/', 'unknown/'], ['object'])]);
    model.setSort({ column: 'size', descending: true }, true);
    expect(shown(model).at(-1)).toBe('object');
    for (const [name, sizeBytes] of [
      ['small/', 1],
      ['large/', 100],
    ] as const) {
      const row = model.hold(model.find('folder', name));
      if (row === undefined) throw new Error('No row.');
      setFolderTotals(row, { objects: 1, sizeBytes });
    }
    model.resort('name');
    model.resort('size');
    expect(shown(model)).toEqual(['large/', 'small/', 'unknown/', 'object']);
  });

  it('ignores "folders first" in the service\'s order', async () => {
    const model = modelOf('');
    model.addPages([pageOf(['b/'], ['a'])]);
    let changes = 0;
    model.changes.subscribe(() => (changes += 1));
    model.setSort(null, true);
    expect(changes).toBe(0);
    model.setSort({ column: 'name', descending: false }, true);
    await atRest(model);
    expect(shown(model)).toEqual(['b/', 'a']);
    const changesBeforeOrder = changes;
    model.setSort({ column: 'name', descending: false }, true);
    expect(changes).toBe(changesBeforeOrder);
    model.setSort({ column: 'name', descending: false }, false);
    await atRest(model);
    expect(shown(model)).toEqual(['a', 'b/']);
  });

  it('knows the position of each row in any order', async () => {
    const model = modelOf('');
    model.addPages([pageOf(['b/'], ['a10', 'a2', 'c'])]);
    model.setSort({ column: 'name', descending: true }, false);
    await atRest(model);
    for (let position = 0; position < model.count; position += 1)
      expect(model.positionOf(model.rowAt(position))).toBe(position);
  });

  it('finds the next name with the typed start, wrapping around', () => {
    const model = modelOf('f/');
    model.addPages([pageOf(['f/Beta/'], ['f/alpha', 'f/bravo'])]);
    expect(shown(model)).toEqual(['Beta/', 'alpha', 'bravo']);
    expect(model.typeAhead('b', 1)).toBe(2);
    expect(model.typeAhead('B', 3)).toBe(0);
    expect(model.typeAhead('br', 0)).toBe(2);
    expect(model.typeAhead('x', 0)).toBeNull();
  });

  it('keeps its rows if sorting fails', async () => {
    const failing = new FolderModel('', () => Promise.reject(new Error('no worker')));
    const reported: unknown[] = [];
    const before = globalThis.reportError;
    globalThis.reportError = (thrown) => reported.push(thrown);
    failing.addPages([pageOf([], ['b', 'c'])]);
    failing.setSort({ column: 'size', descending: false }, true);
    await atRest(failing);
    globalThis.reportError = before;
    expect(shown(failing)).toEqual(['b', 'c']);
    expect(failing.sort).toBeNull();
    expect(reported).toHaveLength(1);
  });
});

describe('the folder model of irregular pages', () => {
  it('has one row for each entry, in any order and with repeats', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-e]{1,3}$/), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(names, { minLength: 1, maxLength: 6 }), (lists) => {
        const model = modelOf('');
        const pages = lists.map((keys) => pageOf([], keys));
        for (let count = 1; count <= pages.length; count += 1) model.addPages(pages.slice(0, count));
        const rows = Array.from({ length: model.loadedCount }, (_, number) => model.row(number)?.key);
        expect(rows).toEqual([...new Set(lists.flat())]);
      }),
    );
  });

  it('distinguishes a folder from an object of the same name', () => {
    const model = modelOf('');
    model.addPages([pageOf(['a/'], ['a', 'a/'])]);
    model.addPages([pageOf(['a/'], ['a', 'a/']), pageOf(['a/'], ['a', 'a/', 'b'])]);
    expect(model.loadedCount).toBe(4);
  });

  it('counts unreadable and foreign entries', () => {
    const bad = { text: 'Key: x', why: 'No size.' };
    const page = { ...pageOf([], ['a']), unreadable: [bad], foreign: { count: 2, example: 'z' } };
    const next = { ...pageOf([], ['b']), unreadable: [bad], foreign: { count: 1, example: 'y' } };
    const model = modelOf('');
    model.addPages([page, next]);
    expect(model.unreadable).toEqual([bad, bad]);
    expect(model.foreign).toEqual({ count: 3, example: 'z' });
  });
});
