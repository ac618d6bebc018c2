import type { CoreParts } from './core-parts.ts';
import { never, type Implementer } from './implementer.ts';

export const inventoryHandlers = (os: Implementer, { inventory }: Pick<CoreParts, 'inventory'>) => ({
  reports: os.inventory.reports.handler(({ input, signal }) => inventory.reports(input, signal)),
  look: os.inventory.look.handler(({ input, signal }) => inventory.look(input, signal)),
  open: os.inventory.open.handler(({ input, signal }) => inventory.open(input, signal)),
});

export const mapHandlers = (os: Implementer, { maps }: Pick<CoreParts, 'maps'>) => ({
  open: os.map.open.handler(async ({ input: { refresh, ...place } }) => ({
    mapId: await maps.open(place, refresh),
  })),
  watch: os.map.watch.handler(({ input, signal }) => maps.watch(input.mapId, signal ?? never)),
  tree: os.map.tree.handler(({ input }) => maps.tree(input)),
  rows: os.map.rows.handler(({ input }) => maps.rows(input)),
  facts: os.map.facts.handler(({ input }) => maps.facts(input)),
  holdings: os.map.holdings.handler(({ input }) => maps.holdings(input)),
  holdingsOf: os.map.holdingsOf.handler(({ input: { folders, smallest, ...place } }) =>
    maps.holdingsOf(place, folders, smallest),
  ),
  duplicates: os.map.duplicates.handler(({ input }) => maps.duplicates(input.mapId, input.folder)),
  export: os.map.export.handler(({ input, signal }) => maps.export(input, signal ?? never)),
  stop: os.map.stop.handler(({ input }) => maps.stop(input.mapId)),
  close: os.map.close.handler(({ input }) => maps.close(input.mapId)),
  list: os.map.list.handler(({ input }) => maps.list(input)),
  totals: os.map.totals.handler(({ input }) => maps.totals(input.connectionId)),
  sizes: os.map.sizes.handler(({ input: { folders, ...place } }) => maps.sizes(place, folders)),
  find: os.map.find.handler(({ input, signal }) => maps.find(input, signal ?? never)),
  changes: os.map.changes.handler(({ input }) => maps.changes(input)),
  forget: os.map.forget.handler(({ input }) => maps.forget(input.connectionId, input.bucket)),
  usage: os.map.usage.handler(() => maps.usage()),
});

export const walkHandlers = (os: Implementer, { walks, maps }: Pick<CoreParts, 'walks' | 'maps'>) => ({
  start: os.walks.start.handler(async ({ input: { fromCatalogue = false, ...input } }) => {
    const kept = fromCatalogue ? await maps.keptKeys(input) : null;
    return { walkId: walks.start(input, kept ?? undefined) };
  }),
  watch: os.walks.watch.handler(({ input, signal }) => walks.watch(input.walkId, signal ?? never)),
  list: os.walks.list.handler(() => walks.list()),
  read: os.walks.read.handler(({ input: { walkId, sort, ...range } }) => walks.read(walkId, range, sort)),
  present: os.walks.present.handler(async ({ input }) => [
    ...(await walks.present(input.walkId, input.keys)),
  ]),
  children: os.walks.children.handler(({ input: { walkId, sort, ...range } }) =>
    walks.children(walkId, range, sort),
  ),
  holdings: os.walks.holdings.handler(async ({ input }) => [
    ...(await walks.holdings(input.walkId, input.smallest)),
  ]),
  stop: os.walks.stop.handler(({ input }) => walks.stop(input.walkId)),
  close: os.walks.close.handler(({ input }) => walks.closeWalk(input.walkId)),
  manifest: os.walks.manifest.handler(({ input, signal }) => walks.manifest(input, signal ?? never)),
  export: os.walks.export.handler(({ input, signal }) => walks.export(input, signal ?? never)),
});
