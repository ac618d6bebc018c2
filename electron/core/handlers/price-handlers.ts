import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

export const priceHandlers = (os: Implementer, { prices }: Pick<CoreParts, 'prices'>) => ({
  of: os.prices.of.handler(({ input }) => prices.of(input.connectionId, input.bucket)),
  shipped: os.prices.shipped.handler(() => prices.shipped()),
  set: os.prices.set.handler(({ input }) => prices.set(input.connectionId, input.list)),
});
