import { array, assert, constantFrom, nat, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { MapSums } from '../../../../electron/core/catalogues/thread/map-sums.ts';
import { Tops } from '../../../../electron/core/catalogues/thread/tops.ts';
import { FolderSums } from '../../../../electron/core/walks/map/folder-sums.ts';
import { readKeyPage, KeyPageWriter } from '../../../../electron/core/walks/map/key-page.ts';
import { fileKind } from '../../../../shared/keys/file-kind.ts';
import { everyKind } from '../../../../shared/models/map.ts';

const row = record({
  folder: array(constantFrom('a', 'b', 'c'), { maxLength: 4 }),
  name: constantFrom('photo.jpg', 'run.log', 'notes.txt', 'x'),
  sizeBytes: nat({ max: 3 }),
});

test('the dominant kind of a folder is that of all keys below it, for any set of folders', () => {
  assert(
    property(array(row, { minLength: 1, maxLength: 40 }), nat(), (rows, chosen) => {
      const objects = rows.map(({ folder, name, sizeBytes }) => ({
        key: [...folder, name].join('/'),
        sizeBytes,
        kind: fileKind(name),
      }));
      const folderSums = new FolderSums('');
      for (const { key, sizeBytes } of objects) {
        const writer = new KeyPageWriter();
        writer.add(key, sizeBytes, null, null, null);
        folderSums.add(readKeyPage(writer.finish() ?? new Uint8Array()));
      }
      const sums = new MapSums(folderSums, new Tops(), 0);
      const folders = Array.from({ length: folderSums.folderCount }, (_, folder) => folder).filter(
        (folder) => ((chosen >>> (folder % 30)) & 1) === 1,
      );
      for (const measure of ['size', 'objects'] as const) {
        const groupOf = sums.dominant(everyKind, measure, sums.byKind, folders);
        for (const folder of folders) {
          const counts = new Map(sums.byKind.names.map((name) => [name, 0]));
          for (const { key, sizeBytes, kind } of objects)
            if (key.startsWith(folderSums.pathOf(folder)))
              counts.set(kind, (counts.get(kind) ?? 0) + (measure === 'size' ? sizeBytes : 1));
          expect(counts.get(groupOf(folder))).toBe(Math.max(...counts.values()));
        }
      }
    }),
  );
});
