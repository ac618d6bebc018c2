import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

export const inventoryHandlers = (os: Implementer, { inventory }: Pick<CoreParts, 'inventory'>) => ({
  reports: os.inventory.reports.handler(({ input, signal }) => inventory.reports(input, signal)),
  look: os.inventory.look.handler(({ input, signal }) => inventory.look(input, signal)),
  open: os.inventory.open.handler(({ input, signal }) => inventory.open(input, signal)),
});
