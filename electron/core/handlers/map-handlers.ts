import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

const never = new AbortController().signal;

export const mapHandlers = (os: Implementer, { maps }: Pick<CoreParts, 'maps'>) => ({
  open: os.map.open.handler(async ({ input: { refresh, ...place } }) => ({
    surveyId: await maps.open(place, refresh),
  })),
  watch: os.map.watch.handler(({ input, signal }) => maps.watch(input.surveyId, signal ?? never)),
  tree: os.map.tree.handler(({ input }) => maps.tree(input)),
  rows: os.map.rows.handler(({ input }) => maps.rows(input)),
  facts: os.map.facts.handler(({ input }) => maps.facts(input)),
  holdings: os.map.holdings.handler(({ input }) => maps.holdings(input)),
  holdingsOf: os.map.holdingsOf.handler(({ input: { folders, smallest, ...place } }) =>
    maps.holdingsOf(place, folders, smallest),
  ),
  duplicates: os.map.duplicates.handler(({ input }) => maps.duplicates(input.surveyId, input.folder)),
  export: os.map.export.handler(({ input, signal }) => maps.export(input, signal ?? never)),
  stop: os.map.stop.handler(({ input }) => maps.stop(input.surveyId)),
  close: os.map.close.handler(({ input }) => maps.close(input.surveyId)),
  list: os.map.list.handler(({ input }) => maps.list(input)),
  totals: os.map.totals.handler(({ input }) => maps.totals(input.connectionId)),
  sizes: os.map.sizes.handler(({ input: { folders, ...place } }) => maps.sizes(place, folders)),
  find: os.map.find.handler(({ input, signal }) => maps.find(input, signal ?? never)),
  changes: os.map.changes.handler(({ input }) => maps.changes(input)),
  forget: os.map.forget.handler(({ input }) => maps.forget(input.connectionId, input.bucket)),
  usage: os.map.usage.handler(() => maps.usage()),
});
