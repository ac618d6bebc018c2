import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

const never = new AbortController().signal;

export const mapHandlers = (os: Implementer, { maps }: Pick<CoreParts, 'maps'>) => ({
  open: os.maps.open.handler(async ({ input: { refresh, ...place } }) => ({
    surveyId: await maps.open(place, refresh),
  })),
  watch: os.maps.watch.handler(({ input, signal }) => maps.watch(input.surveyId, signal ?? never)),
  tree: os.maps.tree.handler(({ input }) => maps.tree(input)),
  rows: os.maps.rows.handler(({ input }) => maps.rows(input)),
  facts: os.maps.facts.handler(({ input }) => maps.facts(input)),
  holdings: os.maps.holdings.handler(({ input }) => maps.holdings(input)),
  holdingsOf: os.maps.holdingsOf.handler(({ input: { folders, smallest, ...place } }) =>
    maps.holdingsOf(place, folders, smallest),
  ),
  duplicates: os.maps.duplicates.handler(({ input }) => maps.duplicates(input.surveyId, input.folder)),
  export: os.maps.export.handler(({ input, signal }) => maps.export(input, signal ?? never)),
  stop: os.maps.stop.handler(({ input }) => maps.stop(input.surveyId)),
  close: os.maps.close.handler(({ input }) => maps.close(input.surveyId)),
  list: os.maps.list.handler(({ input }) => maps.list(input)),
  totals: os.maps.totals.handler(({ input }) => maps.totals(input.connectionId)),
  sizes: os.maps.sizes.handler(({ input: { folders, ...place } }) => maps.sizes(place, folders)),
  changes: os.maps.changes.handler(({ input }) => maps.changes(input)),
  forget: os.maps.forget.handler(({ input }) => maps.forget(input.connectionId, input.bucket)),
  usage: os.maps.usage.handler(() => maps.usage()),
});
