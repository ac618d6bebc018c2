import { otherNames } from '../../../../shared/models/map-groups.ts';
import type { FolderSums } from '../../../../electron/core/walks/map/folder-sums.ts';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  nat,
  property,
  record,
  string,
} from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import {
  CatalogueIndex,
  surplusOf,
  type IndexedCatalogue,
} from '../../../../electron/core/catalogues/thread/catalogue-index.ts';
import { CatalogueReader } from '../../../../electron/core/catalogues/thread/catalogue-reader.ts';
import {
  CatalogueSearch,
  certainText,
} from '../../../../electron/core/catalogues/thread/catalogue-search.ts';
import { CatalogueServer } from '../../../../electron/core/catalogues/thread/catalogue-server.ts';
import { CatalogueWriter } from '../../../../electron/core/catalogues/thread/catalogue-writer.ts';
import { changesOf, merged } from '../../../../electron/core/catalogues/thread/catalogue-changes.ts';
import { findDuplicates } from '../../../../electron/core/catalogues/thread/duplicates.ts';
import { LargestFirst } from '../../../../electron/core/catalogues/thread/tops.ts';
import { BadPattern, compileQuery } from '../../../../electron/core/walks/pages/matcher.ts';
import { GrowingSums } from '../../../../electron/core/catalogues/thread/growing-sums.ts';
import { KeyPageWriter } from '../../../../electron/core/walks/map/key-page.ts';
import type { KeyRow } from '../../../../electron/core/walks/map/key-row.ts';
import { everyKind } from '../../../../shared/models/map.ts';
import { everyObject } from '../../../../shared/models/walks.ts';
import { compareKeys } from '../../../../shared/keys/paths.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const atOnce = () => Promise.resolve();

afterEach(() => {
  vi.restoreAllMocks();
});

interface Listed {
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag?: string;
}

function pageOf(objects: readonly Listed[]): Uint8Array<ArrayBuffer> {
  const writer = new KeyPageWriter();
  for (const { key, sizeBytes, etag } of objects)
    writer.add(key, sizeBytes, '2026-01-02T03:04:05.000Z', etag ?? null, null);
  return writer.finish() ?? new Uint8Array();
}

const key = array(constantFrom('a', 'b', 'report', 'İ', 'K', 'Σ', '\u{1f600}', 'photo-2026'), {
  minLength: 1,
  maxLength: 4,
}).map((parts) => parts.join('/'));
const keys = array(key, { maxLength: 60 }).map((all) => [...new Set(all)].toSorted(compareKeys));

/** Writes a catalogue of these objects in small pages. */
function written(file: string, objects: readonly Listed[], pageSize = 5): CatalogueReader {
  const growing = new GrowingSums('', () => new CatalogueWriter(file, 2 ** 30));
  for (let from = 0; from < objects.length; from += pageSize)
    growing.add(pageOf(objects.slice(from, from + pageSize)));
  growing.finish();
  return new CatalogueReader(file);
}

test('a catalogue returns its keys in order for every prefix', () => {
  const dir = tempDir();
  let number = 0;
  assert(
    property(keys, constantFrom('', 'a/', 'report/a/', 'b', 'x'), (all, prefix) => {
      const reader = written(
        path.join(dir, `${(number += 1)}`),
        all.map((name, at) => ({ key: name, sizeBytes: at })),
      );
      expect([...reader.rows(prefix)].map((row) => row.key)).toEqual(
        all.filter((name) => name.startsWith(prefix)),
      );
      reader.close();
    }),
    { numRuns: 15 },
  );
});

test('keys added out of order are sorted and deduplicated when the catalogue is complete', () => {
  const file = path.join(tempDir(), 'one');
  const growing = new GrowingSums('', () => new CatalogueWriter(file, 2 ** 30));
  growing.add(pageOf([{ key: 'void', sizeBytes: 1 }]));
  growing.restart();
  growing.add(
    pageOf([
      { key: 'c', sizeBytes: 1 },
      { key: 'a', sizeBytes: 2 },
    ]),
  );
  growing.add(pageOf([{ key: 'b', sizeBytes: 3 }]));
  growing.finish();
  const reader = new CatalogueReader(file);
  expect([...reader.rows('')].map((row) => [row.key, row.sizeBytes])).toEqual([
    ['a', 2],
    ['b', 3],
    ['c', 1],
  ]);
  expect(reader.sums().folderSums.objects).toBe(3);
  reader.close();
});

/** Returns the totals for two objects that were each added twice, one of them with a change in between. */
function sumsOf(owners: readonly string[]): FolderSums {
  const growing = new GrowingSums('', () => new CatalogueWriter(path.join(tempDir(), 'one'), 2 ** 30));
  const [first = '', second = first] = owners;
  for (const [owner, year, sizeBytes] of [
    [first, 2026, 7],
    [second, 2025, 3],
  ] as const) {
    const writer = new KeyPageWriter();
    writer.add('b', sizeBytes, `${year}-01-02T03:04:05.000Z`, null, 'COLD', owner);
    writer.add('a/x', 1, '2026-01-02T03:04:05.000Z', null, null, owner);
    growing.add(writer.finish() ?? new Uint8Array());
  }
  growing.disorder();
  growing.finish();
  return growing.folderSums;
}

test('a key added more than once counts once, with its last change and owner', () => {
  const ofOne = sumsOf(['anna']);
  expect(ofOne).toMatchObject({ objects: 2, sizeBytes: 8, owners: [otherNames, 'anna'] });
  expect(ofOne.classes.toSorted()).toEqual([otherNames, 'COLD', 'STANDARD']);
  // The row with the latest change, by anna, counts.
  expect(sumsOf(['anna', 'bert'])).toMatchObject({ objects: 2, sizeBytes: 8, owners: [otherNames, 'anna'] });
});

test('a catalogue search finds the same keys as a full scan, with and without n-grams', () => {
  const dir = tempDir();
  let number = 0;
  assert(
    property(
      keys,
      constantFrom('report', 'photo', 'port/a', 'i̇', 'k', 'ς', 'PHOTO-2026', 'zzzz'),
      constantFrom('contains', 'glob'),
      boolean(),
      (all, text, kind, caseSensitive) => {
        // Pages of one key, so that the number of blocks is large enough for grams.
        const padding = Array.from({ length: 40 }, (_, at) => `~${at}`);
        const objects = [...all, ...padding]
          .toSorted(compareKeys)
          .map((name) => ({ key: name, sizeBytes: 1 }));
        const reader = written(path.join(dir, `${(number += 1)}`), objects, 1);
        const name = { kind, text: kind === 'glob' ? `*${text}*` : text, caseSensitive, in: 'path' } as const;
        const query = { ...everyObject, name };
        const matcher = compileQuery(query, '');
        const search = new CatalogueSearch(reader, '', query);
        const found: unknown[] = [];
        let looked = 0;
        for (let from: number | null = 0; from !== null;) {
          const turn: ReturnType<CatalogueSearch['turn']> = search.turn(from, 0, () => 0);
          looked += turn.keys;
          if (turn.rows !== null) {
            const values = JSON.parse(new TextDecoder().decode(turn.rows)) as unknown[];
            for (let at = 0; at < values.length; at += 5) found.push(values[at]);
          }
          from = turn.next;
        }
        reader.close();
        expect(found).toEqual(
          objects.map((entry) => entry.key).filter((entry) => matcher(entry, 1, null, null)),
        );
        expect(looked).toBe(objects.length);
      },
    ),
    { numRuns: 15 },
  );
});

const query = (kind: 'contains' | 'glob' | 'regex', text: string) => ({
  ...everyObject,
  name: { kind, text, caseSensitive: false, in: 'name' } as const,
});

test('only text that every match contains narrows a catalogue search', () => {
  expect(certainText(query('contains', 'abc'))).toBe('abc');
  expect(certainText(query('glob', '*.parquet'))).toBe('.parquet');
  expect(certainText(query('glob', '*.{jpg,png}'))).toBe('');
  expect(certainText(query('glob', '[abc]def'))).toBe('');
  expect(certainText(query('regex', 'abc'))).toBe('');
});

const objects = array(record({ key, sizeBytes: nat(9), etag: string({ maxLength: 2 }) }), {
  maxLength: 30,
}).map((all) =>
  [...new Map(all.map((object) => [object.key, object])).values()].toSorted((left, right) =>
    compareKeys(left.key, right.key),
  ),
);

const rowOf = (object: { key: string; sizeBytes: number; etag: string }): KeyRow => ({
  key: object.key,
  sizeBytes: object.sizeBytes,
  modifiedS: 1,
  etagHigh: object.etag.charCodeAt(0) || 1,
  etagLow: object.etag.charCodeAt(1) || 0,
  storageClass: 'STANDARD',
});

test('the sums of a version 2 catalogue are read as stored, and damaged sums are refused', () => {
  const file = path.join(tempDir(), 'catalogue');
  const objects = Array.from({ length: 3000 }, (_, at) => ({
    key: `${String(at % 7)}/${String(at % 50)}/${String(at)}`,
    sizeBytes: at === 9 ? 2 ** 40 : at * 1000,
  }));
  const now = written(
    file,
    objects.toSorted((left, other) => compareKeys(left.key, other.key)),
  );
  const columns: readonly number[][] = [[], [], [], []];
  const { folderSums } = now.sums();
  folderSums.eachCell((...cell) => {
    for (const [at, value] of cell.entries()) columns[at]?.push(value);
  });
  const rolled = folderSums.rollUp(null);
  now.close();
  const database = new DatabaseSync(file);
  const words = database.prepare("SELECT data FROM sums WHERE name = 'words'").get()?.['data'];
  const { cellBlocks: _blocks, ...after } = JSON.parse(Buffer.from(words as Uint8Array).toString()) as Record<
    string,
    unknown
  >;
  const names = Array.from({ length: folderSums.folderCount }, (_, folder) => folderSums.nameOf(folder));
  const before = { ...after, names };
  database.exec(
    "DELETE FROM sums WHERE name LIKE 'cells %' OR name IN ('names', 'nameEnds'); PRAGMA user_version = 2",
  );
  const put = database.prepare('INSERT OR REPLACE INTO sums (name, data) VALUES (?, ?)');
  put.run('words', Buffer.from(JSON.stringify(before)));
  const [folders = [], codes = [], counts = [], sizes = []] = columns;
  put.run('cellFolders', new Uint8Array(Uint32Array.from(folders).buffer));
  put.run('cellCodes', new Uint8Array(Uint32Array.from(codes).buffer));
  put.run('cellObjects', new Uint8Array(Float64Array.from(counts).buffer));
  put.run('cellBytes', new Uint8Array(Float64Array.from(sizes).buffer));
  const reader = new CatalogueReader(file);
  const { folderSums: again } = reader.sums();
  expect(again.rollUp(null)).toEqual(rolled);
  expect(names.map((_, folder) => again.nameOf(folder))).toEqual(names);
  expect([...reader.rows('')]).toHaveLength(3000);
  put.run('cellFolders', new Uint8Array(Uint32Array.from(folders, () => 2 ** 32 - 1).buffer));
  expect(() => reader.sums()).toThrow(RangeError);
  reader.close();
  database.close();
});

test('comparing two catalogues yields the same differences as comparing their sets of keys', async () => {
  await assert(
    asyncProperty(objects, objects, async (before, after) => {
      const [left, right] = [before.map(rowOf), after.map(rowOf)];
      const pairs = [...merged(left.values(), right.values())];
      const names = [...new Set([...left, ...right].map((row) => row.key))].toSorted(compareKeys);
      expect(pairs.map((pair) => (pair.before ?? pair.after)?.key)).toEqual(names);
      const { total, folders } = await changesOf(left.values(), right.values(), '', atOnce);
      const added = names.filter((name) => !left.some(({ key }) => key === name));
      const removed = names.filter((name) => !right.some(({ key }) => key === name));
      expect(total.addedObjects).toBe(added.length);
      expect(total.removedObjects).toBe(removed.length);
      expect(total.addedBytes - total.removedBytes + total.changedBytes).toBe(
        right.reduce((sum, row) => sum + row.sizeBytes, 0) -
          left.reduce((sum, row) => sum + row.sizeBytes, 0),
      );
      expect(folders.reduce((sum, folder) => sum + folder.addedObjects, 0)).toBe(added.length);
    }),
    { numRuns: 60 },
  );
});

test('of many changes, the 100 folders and objects with the largest are listed, and all folders counted', async () => {
  const rows = Array.from({ length: 150 }, (_, at) =>
    rowOf({ key: `f${at}/a`, sizeBytes: at + 1, etag: 'x' }),
  );
  const sorted = rows.toSorted((a, b) => compareKeys(a.key, b.key));
  const { total, folders, folderCount, objects } = await changesOf([].values(), sorted.values(), '', atOnce);
  const largest = rows.toReversed().slice(0, 100);
  expect(total.addedObjects).toBe(150);
  expect(folderCount).toBe(150);
  expect(folders.map(({ name }) => `${name}/a`)).toEqual(largest.map(({ key }) => key));
  expect(objects.map(({ key }) => key)).toEqual(largest.map(({ key }) => key));
});

test('duplicates share size and ETag, and those that waste the most are listed', async () => {
  const reader = written(path.join(tempDir(), 'one'), [
    { key: 'a', sizeBytes: 10, etag: '"x"' },
    { key: 'b/c', sizeBytes: 10, etag: '"x"' },
    { key: 'd', sizeBytes: 10, etag: '"y"' },
    { key: 'e', sizeBytes: 0, etag: '"z"' },
    { key: 'f', sizeBytes: 0, etag: '"z"' },
    { key: 'g', sizeBytes: 4 },
    { key: 'h', sizeBytes: 4 },
  ]);
  expect(await findDuplicates(reader, '', atOnce)).toEqual({
    kind: 'found',
    groups: 1,
    extraCopies: 1,
    extraBytes: 10,
    isExact: true,
    largest: [{ sizeBytes: 10, copies: 2, keys: ['a', 'b/c'] }],
  });
  expect((await findDuplicates(reader, 'b/', atOnce)).groups).toBe(0);
  expect((await findDuplicates(reader, '', atOnce, 2)).isExact).toBe(false);
  reader.close();
});

test('the heap returns the largest first', () => {
  assert(
    property(array(integer()), (values) => {
      const heap = new LargestFirst<{ readonly value: number }>();
      for (const value of values) heap.add({ value });
      const popped = values.map(() => heap.take()?.value);
      expect(popped).toEqual(values.toSorted((left, right) => right - left));
      expect(heap.take()).toBeNull();
    }),
  );
});

const ending = (catalogueId: string, takenAt: string) => ({
  catalogueId,
  connectionId: 'c',
  bucket: 'b',
  prefix: '',
  takenAt,
  requests: 1,
  source: 'walk' as const,
  origin: '',
  limitBytes: 2 ** 30,
});

function keep(server: CatalogueServer, id: string, takenAt: string, all: readonly Listed[]): void {
  server.begin({ sumsId: id, prefix: '', limitBytes: 2 ** 30, mayRepeat: false });
  server.add({ sumsId: id, page: pageOf(all) });
  server.finish({ sumsId: id, ending: ending(id, takenAt) });
}

test('an interrupted walk keeps the previous catalogue and removes its partial file at the next start', async () => {
  const dir = tempDir();
  const server = new CatalogueServer(dir);
  keep(server, 'first', '2026-01-01T00:00:00.000Z', [{ key: 'a/b', sizeBytes: 7 }]);
  server.begin({ sumsId: 'second', prefix: '', limitBytes: 2 ** 30, mayRepeat: false });
  server.add({ sumsId: 'second', page: pageOf([{ key: 'c', sizeBytes: 1 }]) });
  // Simulates a kill: the partial file exists, and the next start removes it.
  expect(readdirSync(dir)).toContain('second.catalogue.part');
  const next = new CatalogueServer(dir);
  expect(readdirSync(dir).filter((name) => name.includes('second'))).toEqual([]);
  await next.load({ sumsId: 'map', catalogueId: 'first' });
  const facts = next.facts({ sumsId: 'map', folder: '', filter: everyKind });
  expect(facts).toMatchObject({ objects: 1, sizeBytes: 7, folders: 1 });
});

test('no catalogue file is written if catalogues are not kept', () => {
  const dir = tempDir();
  const server = new CatalogueServer(dir);
  server.begin({ sumsId: 'one', prefix: '', limitBytes: 0, mayRepeat: false });
  server.add({ sumsId: 'one', page: pageOf([{ key: 'a', sizeBytes: 1 }]) });
  expect(server.finish({ sumsId: 'one', ending: ending('one', '2026') })).toMatchObject({ kept: 'off' });
  expect(readdirSync(dir)).toEqual(['index.db']);
});

test('a catalogue over the size limit is discarded, and its sums are kept', () => {
  const dir = tempDir();
  const server = new CatalogueServer(dir);
  server.begin({ sumsId: 'one', prefix: '', limitBytes: 10, mayRepeat: false });
  server.add({ sumsId: 'one', page: pageOf([{ key: 'a', sizeBytes: 1 }]) });
  expect(server.finish({ sumsId: 'one', ending: ending('one', '2026') })).toMatchObject({
    kept: 'too-large',
    objects: 1,
  });
  expect(readdirSync(dir)).toEqual(['index.db']);
  expect(server.facts({ sumsId: 'one', folder: '', filter: everyKind })).toMatchObject({ objects: 1 });
});

test('catalogue files are readable only by their owner and removed with their connection', () => {
  const dir = tempDir();
  const server = new CatalogueServer(dir);
  keep(server, 'one', '2026-01-01T00:00:00.000Z', [{ key: 'a', sizeBytes: 1 }]);
  const modes = readdirSync(dir).map((name) => statSync(path.join(dir, name)).mode & 0o077);
  // Windows has no permission bits.
  expect(process.platform === 'win32' ? [0] : [...new Set(modes)]).toEqual([0]);
  server.forget({ connectionId: 'c', bucket: null });
  expect(existsSync(path.join(dir, 'one.catalogue'))).toBe(false);
  expect(server.growth({ connectionId: 'c', bucket: 'b' })).toEqual([]);
});

test('a damaged catalogue is removed and reported as missing', async () => {
  const dir = tempDir();
  const server = new CatalogueServer(dir);
  keep(server, 'one', '2026-01-01T00:00:00.000Z', [{ key: 'a', sizeBytes: 1 }]);
  writeFileSync(path.join(dir, 'one.catalogue'), 'no database at all, but some text that is long enough');
  await expect(server.load({ sumsId: 'x', catalogueId: 'one' })).rejects.toMatchObject({
    error: { reason: 'catalogue-gone' },
  });
  expect(new CatalogueIndex(dir).all()).toEqual([]);
});

test('an index that another program locks keeps its catalogues', () => {
  const dir = tempDir();
  keep(new CatalogueServer(dir), 'one', '2026-01-01T00:00:00.000Z', [{ key: 'a', sizeBytes: 1 }]);
  const other = new DatabaseSync(path.join(dir, 'index.db'));
  other.exec('BEGIN EXCLUSIVE');
  expect(() => new CatalogueServer(dir)).toThrow('locked');
  other.exec('ROLLBACK');
  other.close();
  expect(idsIn(dir)).toEqual(['one']);
});

test('a damaged index is created again', () => {
  const dir = tempDir();
  writeFileSync(path.join(dir, 'index.db'), 'no database at all, but some text that is long enough');
  const server = new CatalogueServer(dir);
  keep(server, 'one', '2026-01-01T00:00:00.000Z', [{ key: 'a', sizeBytes: 1 }]);
  expect(idsIn(dir)).toEqual(['one']);
});

test('a catalogue whose file cannot be removed yet does not prevent the removal of others', () => {
  const dir = tempDir();
  const server = new CatalogueServer(dir);
  for (const id of ['one', 'two'])
    keep(server, id, `2026-01-01T00:00:00.000Z ${id}`, [{ key: 'a', sizeBytes: 1 }]);
  // Like an open file on Windows, a folder is not removed.
  rmSync(path.join(dir, 'two.catalogue'));
  mkdirSync(path.join(dir, 'two.catalogue'));
  server.forget({ connectionId: 'c', bucket: null });
  expect(server.index()).toEqual([]);
  expect(existsSync(path.join(dir, 'one.catalogue'))).toBe(false);
  expect(server.growth({ connectionId: 'c', bucket: 'b' })).toEqual([]);
});

/** Returns a server of two catalogues. The blocks of `bad` are damaged, but its sums are readable. */
function serverOfDamaged(dir: string): CatalogueServer {
  const server = new CatalogueServer(dir);
  keep(server, 'bad', '2026-01-01T00:00:00.000Z', [{ key: 'a/photo-1', sizeBytes: 1 }]);
  keep(server, 'good', '2026-01-02T00:00:00.000Z', [{ key: 'a/photo-2', sizeBytes: 1 }]);
  const database = new DatabaseSync(path.join(dir, 'bad.catalogue'));
  database.exec("UPDATE blocks SET data = x'00'");
  database.close();
  return server;
}

const idsIn = (dir: string): readonly string[] =>
  new CatalogueIndex(dir).all().map(({ catalogueId }) => catalogueId);

test.for<readonly [string, (server: CatalogueServer) => unknown]>([
  [
    'a search',
    (server) => server.search({ searchId: 's', catalogueId: 'bad', prefix: '', query: everyObject, from: 0 }),
  ],
  ['duplicates', async (server) => await server.duplicates({ catalogueId: 'bad', folder: '' })],
  ['changes', async (server) => await server.changes({ beforeId: 'bad', afterId: 'good', folder: '' })],
  ['changes since', async (server) => await server.changes({ beforeId: 'good', afterId: 'bad', folder: '' })],
  [
    'the largest objects',
    async (server) => {
      await server.load({ sumsId: 'map', catalogueId: 'bad' });
      return await server.folderTops({ sumsId: 'map', catalogueId: 'bad', folder: 'a/', filter: everyKind });
    },
  ],
])('%s of a catalogue with damaged blocks removes it alone, and reports it as missing', async ([, use]) => {
  const dir = tempDir();
  const server = serverOfDamaged(dir);
  const closed = vi.spyOn(CatalogueReader.prototype, 'close');
  await expect((async () => await use(server))()).rejects.toMatchObject({
    error: { reason: 'catalogue-gone' },
  });
  expect(idsIn(dir)).toEqual(['good']);
  expect(closed).toHaveBeenCalled();
});

test('a search for names skips and removes a catalogue with damaged blocks', () => {
  const dir = tempDir();
  const server = serverOfDamaged(dir);
  const catalogues = ['bad', 'good'].map((catalogueId) => ({
    catalogueId,
    connectionId: 'c',
    bucket: 'b',
    prefix: '',
  }));
  const found: string[] = [];
  for (let isOver = false; !isOver;) {
    const turn = server.find({ findId: 'f', text: 'photo', catalogues, limit: 9 });
    isOver = turn.isOver;
    found.splice(0, found.length, ...turn.found.map(({ key: name }) => name));
  }
  expect(found).toEqual(['a/photo-2']);
  expect(idsIn(dir)).toEqual(['good']);
});

test('a search with an invalid pattern closes the catalogue and keeps it', () => {
  const dir = tempDir();
  const server = new CatalogueServer(dir);
  keep(server, 'one', '2026-01-01T00:00:00.000Z', [{ key: 'a', sizeBytes: 1 }]);
  const closed = vi.spyOn(CatalogueReader.prototype, 'close');
  const name = { kind: 'regex', text: '(', in: 'name', caseSensitive: true } as const;
  const query = { ...everyObject, name };
  expect(() => server.search({ searchId: 's', catalogueId: 'one', prefix: '', query, from: 0 })).toThrow(
    BadPattern,
  );
  expect(closed).toHaveBeenCalledOnce();
  expect(idsIn(dir)).toEqual(['one']);
});

test('only the latest three catalogues of a location are kept, but the totals of all', () => {
  const dir = tempDir();
  const server = new CatalogueServer(dir);
  for (const day of ['01', '02', '03', '04'])
    keep(server, `of-${day}`, `2026-01-${day}T00:00:00.000Z`, [{ key: 'a', sizeBytes: Number(day) }]);
  const all = server.index();
  expect(all).toMatchObject([{ catalogueId: 'of-04' }, { catalogueId: 'of-03' }, { catalogueId: 'of-02' }]);
  const growth = server.growth({ connectionId: 'c', bucket: 'b' });
  expect(growth).toMatchObject([{ sizeBytes: 1 }, { sizeBytes: 2 }, { sizeBytes: 3 }, { sizeBytes: 4 }]);
});

test('all catalogues are removed when keeping them is turned off', () => {
  const dir = tempDir();
  const server = new CatalogueServer(dir);
  keep(server, 'one', '2026-01-01T00:00:00.000Z', [{ key: 'a', sizeBytes: 1 }]);
  server.trim({ limitBytes: 2 ** 30 });
  expect(server.index()).toHaveLength(1);
  server.trim({ limitBytes: 0 });
  expect(readdirSync(dir)).toEqual(['index.db']);
});

const catalogueOf = (catalogueId: string, bucket: string, takenAt: string): IndexedCatalogue => ({
  catalogueId,
  connectionId: 'c',
  bucket,
  prefix: '',
  takenAt,
  objects: 1,
  sizeBytes: 1,
  fileBytes: 10,
  requests: 1,
  source: 'walk' as const,
  origin: '',
});

test('over the limit, catalogues kept only for comparison are evicted first, then the oldest location', () => {
  const all = [
    catalogueOf('a2', 'a', '4'),
    catalogueOf('b1', 'b', '3'),
    catalogueOf('a1', 'a', '2'),
    catalogueOf('c1', 'c', '1'),
  ];
  expect(surplusOf(all, 100)).toEqual([]);
  expect(surplusOf(all, 30)).toEqual(['a1']);
  expect(surplusOf(all, 20)).toEqual(['a1', 'c1']);
  expect(surplusOf(all, 0)).toEqual(['a1', 'c1', 'b1']);
});

test('a map shows the largest folders and counts every byte and object once', () => {
  const server = new CatalogueServer(tempDir());
  server.begin({ sumsId: 'one', prefix: '', limitBytes: 0, mayRepeat: false });
  const listed = Array.from({ length: 300 }, (_, at) => ({
    key: `f${String(at % 17)}/g${String(at % 5)}/${String(at).padStart(4, '0')}.jpg`,
    sizeBytes: at,
  })).toSorted((left, right) => compareKeys(left.key, right.key));
  server.add({ sumsId: 'one', page: pageOf(listed) });
  for (const limit of [1, 5, 40, 5000]) {
    const tree = server.tree({
      sumsId: 'one',
      folder: '',
      filter: everyKind,
      measure: 'size',
      colouring: 'kind',
      limit,
    });
    expect(new Set(tree.nodes.map(({ group }) => group))).toEqual(new Set(['image']));
    for (const [at, node] of tree.nodes.entries()) {
      const inside = tree.nodes.filter(({ parent }) => parent === at);
      if (inside.length === 0) continue;
      expect(inside.reduce((sum, value) => sum + value.sizeBytes, 0)).toBe(node.sizeBytes);
      expect(inside.reduce((sum, value) => sum + value.objects, 0)).toBe(node.objects);
    }
  }
});
