import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

const never = new AbortController().signal;

export const walkHandlers = (os: Implementer, { walks, maps }: Pick<CoreParts, 'walks' | 'maps'>) => ({
  start: os.walks.start.handler(async ({ input: { fromCatalogue = false, ...input } }) => {
    const kept = fromCatalogue ? await maps.keptKeys(input) : null;
    return { walkId: walks.start(input, kept ?? undefined) };
  }),
  watch: os.walks.watch.handler(({ input, signal }) => walks.watch(input.walkId, signal ?? never)),
  list: os.walks.list.handler(() => walks.list()),
  read: os.walks.read.handler(({ input: { walkId, sort, ...range } }) => walks.read(walkId, range, sort)),
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
