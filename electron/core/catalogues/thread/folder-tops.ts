import type { MapFacts, MapFilter } from '../../../../shared/models/map.ts';
import type { CatalogueReader } from './catalogue-reader.ts';
import { entryOfRow, shownRows } from './map-facts.ts';
import type { MapSums } from './map-sums.ts';
import { Tops } from './tops.ts';

/** The maximum number of objects to read, which takes about a second. */
const maxRead = 2_000_000;

/** Returns the largest and the oldest objects of a folder by reading all its rows; null if the folder has too many rows. */
export async function folderTops(
  reader: CatalogueReader,
  sums: MapSums,
  folder: string,
  filter: MapFilter,
  turn: () => Promise<void>,
): Promise<Pick<MapFacts, 'largest' | 'oldest'> | null> {
  const blocks = reader.blocksOf(folder);
  if (blocks.reduce((sum, { objects }) => sum + objects, 0) > maxRead) return null;
  const test = sums.testOf(filter);
  const tops = new Tops(
    undefined,
    { largest: shownRows, oldest: shownRows },
    (row) => row.key.startsWith(folder) && (test === null || test(sums.codeOf(row))),
  );
  for (const facts of blocks) {
    tops.add(reader.block(facts));
    await turn();
  }
  const { largest, oldest } = tops.stored();
  return { largest: largest.map(entryOfRow), oldest: oldest.map(entryOfRow) };
}
