import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PackedRows } from '../../../../../renderer/features/objects/rows/packed-rows.ts';
import { unpackKeys } from '../../../../../shared/packed/packed-keys.ts';
import { RowStore } from '../../../../../renderer/features/objects/rows/row-store.ts';
import type { FolderRow } from '../../../../../renderer/features/objects/rows/row.ts';
import { bytesOfColumns } from '../../../../../shared/packed/column-bytes.ts';
import { ColumnsWriter } from '../../../../../shared/packed/row-columns.ts';
import { objectRow } from '../fixtures.ts';

const hex = fc.stringMatching(/^[\da-f]{32}$/u);
const etag = fc.oneof(
  fc.constant(null),
  hex,
  hex.map((text) => `"${text}"`),
  fc.tuple(hex, fc.integer({ min: 0, max: 100_000 })).map(([text, parts]) => `"${text}-${String(parts)}"`),
  fc.string(),
);
const key = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🪣', '🪤', '\uFEFF', '/'), maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  // A lone surrogate, which is not valid Unicode.
  fc.constant('a\uD83E'),
);
const row: fc.Arbitrary<FolderRow> = fc.record({
  kind: fc.constantFrom('folder', 'object'),
  key,
  sizeBytes: fc.oneof(fc.maxSafeNat(), fc.constant(0)),
  modifiedMs: fc.oneof(fc.constant(Number.NaN), fc.maxSafeNat()),
  storageClass: fc.oneof(fc.constant(null), fc.constantFrom('STANDARD', 'COLD'), fc.string()),
  etag,
});

function page(from: number, count: number): PackedRows {
  return PackedRows.of(
    Array.from({ length: count }, (_, at) => objectRow(`k${String(from + at).padStart(6, '0')}`)),
  );
}

/** Returns the bytes of a piece of a folder with these rows, as a thread of the core sends them. */
function bytesOf(rows: readonly FolderRow[]): Uint8Array<ArrayBuffer> {
  const writer = new ColumnsWriter();
  for (const row of rows) writer.add(row.kind === 'folder', row);
  return bytesOfColumns(writer.finish());
}

describe('packed rows', () => {
  it('equal the rows they were made of, read in any order', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), fc.infiniteStream(fc.nat()), (rows, chance) => {
        const packed = PackedRows.of(rows);
        expect([...packed]).toEqual(rows);
        for (let turn = 0; turn < rows.length; turn += 1) {
          const at = (chance.next().value ?? 0) % rows.length;
          expect(packed.row(at)).toEqual(rows[at]);
          expect(packed.key(at)).toBe(rows[at]?.key);
          expect(packed.isFolder(at)).toBe(rows[at]?.kind === 'folder');
          expect(packed.sizeBytes(at)).toBe(rows[at]?.sizeBytes);
        }
        expect([packed.row(-1), packed.row(rows.length)]).toEqual([undefined, undefined]);
      }),
    );
  });

  it('are the same from the bytes of a piece as from rows', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
        const packed = PackedRows.ofBytes(bytesOf(rows));
        const wanted = PackedRows.of(rows);
        expect([...packed]).toEqual(rows);
        expect([packed.isAscending, packed.firstKey, packed.lastKey]).toEqual([
          wanted.isAscending,
          wanted.firstKey,
          wanted.lastKey,
        ]);
      }),
    );
    expect(PackedRows.ofBytes(new Uint8Array())).toHaveLength(0);
  });

  it('take about 50 bytes each, with long keys that resemble each other', () => {
    const rows = Array.from({ length: 1000 }, (_, at) =>
      objectRow(`a-folder-with-a-long-name/${String(at).padStart(120, '0')}`, {
        etag: '"d41d8cd98f00b204e9800998ecf8427e"',
      }),
    );
    expect(bytesOf(rows).byteLength / rows.length).toBeLessThan(60);
  });

  it('send a worker only the memory of their keys', () => {
    const packed = PackedRows.ofBytes(bytesOf([objectRow('a'), objectRow('b')]));
    const keys = packed.keys(0, 2);
    if (!('starts' in keys)) throw new Error('The keys are not packed.');
    expect(keys.bytes.buffer.byteLength).toBe(keys.bytes.byteLength);
    expect(unpackKeys(keys)).toEqual(['a', 'b']);
  });

  it('keep the handles of local files', () => {
    const local = [objectRow('a', { handle: 'h1' }), objectRow('b', { handle: 'h2' })];
    expect([...PackedRows.of(local)]).toEqual(local);
  });

  it('hold any number of storage classes', () => {
    const rows = Array.from({ length: 300 }, (_, at) =>
      objectRow(`k${String(at).padStart(3, '0')}`, { storageClass: `class ${String(at)}` }),
    );
    expect([...PackedRows.of(rows)]).toEqual(rows);
  });
});

describe('the row store', () => {
  it('finds rows across pages in any order', () => {
    const store = new RowStore();
    for (let at = 0; at < 50; at += 1) store.add(page(at * 7, 7));
    store.add(PackedRows.of([]));
    expect(store.count).toBe(350);
    for (const number of [0, 349, 7, 6, 8, 200, 13, 14])
      expect(store.row(number)?.key).toBe(`k${String(number).padStart(6, '0')}`);
    expect(store.find('object', 'k000123')).toBe(123);
    expect(store.find('folder', 'k000123')).toBe(-1);
    expect(store.find('object', 'z')).toBe(-1);
    expect([store.row(350), store.row(-1)]).toEqual([undefined, undefined]);
  });

  it('returns the same object for a row, and forever for a held row', () => {
    const store = new RowStore();
    store.add(page(0, 5000));
    expect(store.row(3)).toBe(store.row(3));
    const held = store.hold(4);
    for (let number = 0; number < 5000; number += 1) store.row(number);
    expect(store.row(4)).toBe(held);
    expect(store.peek(4)).toBe(held);
  });
});
