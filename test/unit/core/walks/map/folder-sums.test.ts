import {
  array,
  assert,
  constantFrom,
  integer,
  nat,
  option,
  property,
  record,
  string,
  oneof,
} from 'fast-check';
import { expect, test } from 'vitest';
import { Block, encodeBlock } from '../../../../../electron/core/walks/map/block.ts';
import {
  cellCode,
  classIn,
  kindIn,
  monthIn,
  monthOf,
  ownerIn,
  sizeIn,
  sizeNumberOf,
  etagBits,
} from '../../../../../electron/core/walks/map/key-row.ts';
import { FolderSums, topFolder } from '../../../../../electron/core/walks/map/folder-sums.ts';
import { readKeyPage, KeyPageWriter } from '../../../../../electron/core/walks/map/key-page.ts';
import { otherNames } from '../../../../../shared/models/map-groups.ts';
import { compareKeys } from '../../../../../shared/keys/paths.ts';

const segment = oneof(
  constantFrom('a', 'b', 'photo.jpg', 'log.gz', 'é', '\u{1f600}', ''),
  string({ unit: 'binary', maxLength: 3 }).map((text) => text.replaceAll('/', '')),
);
const key = array(segment, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'))
  .filter((text) => text !== '');
const row = record({
  key,
  sizeBytes: oneof(nat(1000), integer({ min: 2 ** 32, max: 2 ** 40 })),
  modifiedS: option(integer({ min: 1, max: 2_000_000_000 }), { nil: 0 }),
  etagHigh: nat(0xffff_ffff),
  etagLow: nat(0xffff_ffff),
  storageClass: constantFrom('STANDARD', 'COLD', 'x'),
});
const rowsInOrder = array(row, { maxLength: 40 }).map((rows) =>
  [
    ...new Map(rows.map((row) => [row.key.toWellFormed(), { ...row, key: row.key.toWellFormed() }])).values(),
  ].toSorted((left, right) => compareKeys(left.key, right.key)),
);

test('a block of a catalogue is decoded as it was encoded', () => {
  assert(
    property(rowsInOrder, (rows) => {
      expect(new Block(encodeBlock(rows)).rows()).toEqual(rows);
    }),
  );
});

test('bytes that are not a block of a catalogue are refused', () => {
  expect(() => new Block(new Uint8Array(32).fill(7))).toThrow(RangeError);
});

/** Returns a folder's sums by adding up all its keys. */
function naive(rows: readonly { key: string; sizeBytes: number }[], folder: string) {
  const inside = rows.filter((row) => row.key.startsWith(folder));
  return { objects: inside.length, sizeBytes: inside.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}

function pagesOf(
  rows: readonly { key: string; sizeBytes: number; modifiedS: number; storageClass: string }[],
  size: number,
) {
  const pages: Uint8Array[] = [];
  for (let from = 0; from < rows.length; from += size) {
    const writer = new KeyPageWriter();
    for (const row of rows.slice(from, from + size))
      writer.add(
        row.key,
        row.sizeBytes,
        row.modifiedS === 0 ? null : new Date(row.modifiedS * 1000).toISOString(),
        null,
        row.storageClass,
      );
    const page = writer.finish();
    if (page !== null) pages.push(page);
  }
  return pages;
}

test('the sums of every folder equal those of its keys, for any pages in any order', () => {
  assert(
    property(rowsInOrder, integer({ min: 1, max: 7 }), (rows, size) => {
      const folderSums = new FolderSums('');
      for (const page of pagesOf(rows, size).toReversed()) {
        folderSums.add(readKeyPage(page));
      }
      const again = FolderSums.of(structuredClone(folderSums.stored()));
      for (const sums of [folderSums, again]) {
        const rolled = sums.rollUp(null);
        expect(sums.objects).toBe(rows.length);
        for (let folder = topFolder; folder < sums.folderCount; folder += 1) {
          const path = sums.pathOf(folder);
          expect(sums.find(path)).toBe(folder);
          expect({ objects: rolled.objects[folder], sizeBytes: rolled.sizeBytes[folder] }).toEqual(
            naive(rows, path),
          );
        }
      }
    }),
  );
});

test("a cell's number holds each of its parts in 31 bits", () => {
  const cell = record({
    kind: nat(15),
    storageClass: nat(63),
    owner: nat(15),
    size: nat(7),
    month: nat(4095),
  });
  assert(
    property(cell, (packed) => {
      const code = cellCode(packed);
      expect(code).toBeGreaterThanOrEqual(0);
      expect({
        kind: kindIn(code),
        storageClass: classIn(code),
        owner: ownerIn(code),
        size: sizeIn(code),
        month: monthIn(code),
      }).toEqual(packed);
    }),
  );
});

test('a size on the boundary of two size groups belongs to the larger one', () => {
  expect([0, 2 ** 14 - 1, 2 ** 14, 2 ** 17, 2 ** 34 - 1, 2 ** 34, 2 ** 50].map(sizeNumberOf)).toEqual([
    0, 0, 1, 2, 6, 7, 7,
  ]);
});

test('owners and classes beyond the limit of a cell are counted as others', () => {
  const folderSums = new FolderSums('');
  for (let page = 0; page < 2; page += 1) {
    const writer = new KeyPageWriter();
    for (let at = 0; at < 12; at += 1)
      writer.add(`a/${String(page)}-${String(at)}`, 1, null, null, null, `owner ${String(page * 12 + at)}`);
    folderSums.add(readKeyPage(writer.finish() ?? new Uint8Array()));
  }
  expect(folderSums.owners).toEqual([
    otherNames,
    ...Array.from({ length: 15 }, (_, at) => `owner ${String(at)}`),
  ]);
  const counts = folderSums.owners.map(
    (_name, owner) => folderSums.rollUp((code) => ownerIn(code) === owner).objects[topFolder],
  );
  expect(counts).toEqual([9, ...Array<number>(15).fill(1)]);

  // Puts all names into one page, so that it has more names than a cell can distinguish.
  const classes = new FolderSums('');
  const writer = new KeyPageWriter();
  for (let at = 0; at < 200; at += 1) writer.add(`b/${String(at)}`, 1, null, null, `CLASS_${String(at)}`);
  classes.add(readKeyPage(writer.finish() ?? new Uint8Array()));
  const ofClass = (name: string) =>
    classes.rollUp((code) => classIn(code) === classes.classes.indexOf(name)).objects[topFolder];
  expect([ofClass('CLASS_0'), ofClass('CLASS_62'), ofClass(otherNames)]).toEqual([1, 1, 137]);
  expect(classes.classes).not.toContain('CLASS_63');
});

test('cells separate objects by kind, class and month, and folders know their newest object', () => {
  const rows = [
    { key: 'a/1.jpg', sizeBytes: 3, modifiedS: Date.UTC(2026, 0, 5) / 1000, storageClass: 'STANDARD' },
    { key: 'a/2.jpg', sizeBytes: 5, modifiedS: Date.UTC(2026, 2, 5) / 1000, storageClass: 'COLD' },
    { key: 'a/b/', sizeBytes: 0, modifiedS: 0, storageClass: 'STANDARD' },
  ];
  const folderSums = new FolderSums('');
  for (const page of pagesOf(rows, 2)) folderSums.add(readKeyPage(page));
  const cold = folderSums.classes.indexOf('COLD');
  const { sizeBytes } = folderSums.rollUp((code) => classIn(code) === cold);
  expect(sizeBytes[topFolder]).toBe(5);
  expect(folderSums.rolledNewest()[topFolder]).toBe(Date.UTC(2026, 2, 5) / 1000);
  expect(folderSums.hasMarker(folderSums.find('a/b/'))).toBe(true);
  expect(folderSums.hasMarker(folderSums.find('a/'))).toBe(false);
  expect(monthOf(Date.UTC(1970, 0, 1) / 1000 + 1)).toBe(1);
});

test('sums with mismatched columns are refused', () => {
  const folderSums = new FolderSums('');
  expect(() => FolderSums.of({ ...folderSums.stored(), parents: new Uint32Array(3) })).toThrow(RangeError);
  expect(() =>
    FolderSums.of({ ...folderSums.stored(), cells: [new Uint32Array([0, 9, 0, 2 ** 31, 1])] }),
  ).toThrow(RangeError);
});

test('an ETag is identified by its first 64 bits in any form', () => {
  expect(etagBits('"0123456789abcdef0123456789abcdef"')).toEqual([0x01234567, 0x89abcdef]);
  expect(etagBits('0123456789abcdef0123456789abcdef')).toEqual([0x01234567, 0x89abcdef]);
  expect(etagBits(null)).toEqual([0, 0]);
  expect(etagBits('"abc-2"')).not.toEqual(etagBits('"abc-3"'));
});

test('an ETag is the same with and without quotes and weak mark', () => {
  const multipart = '0123456789abcdef0123456789abcdef-2';
  for (const etag of [multipart, '0123456789ABCDEF0123456789ABCDEF', 'x']) {
    expect(etagBits(`"${etag}"`)).toEqual(etagBits(etag));
    expect(etagBits(`W/"${etag}"`)).toEqual(etagBits(etag));
  }
  expect(etagBits('""')).toEqual([0, 0]);
  expect(etagBits('0123456789ABCDEF0123456789ABCDEF')).toEqual(etagBits('0123456789abcdef0123456789abcdef'));
});
