import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

const never = new AbortController().signal;

export const syncHandlers = (os: Implementer, { syncs }: Pick<CoreParts, 'syncs'>) => ({
  plan: os.sync.plan.handler(({ input }) => syncs.plan(input)),
  watch: os.sync.watch.handler(({ input, signal }) => syncs.watch(input.planId, signal ?? never)),
  read: os.sync.read.handler(({ input: { planId, filter, offset, limit } }) =>
    syncs.read(planId, filter, offset, limit),
  ),
  stop: os.sync.stop.handler(({ input }) => syncs.stop(input.planId)),
  run: os.sync.run.handler(({ input: { planId, withDeletions, confirmCount } }) =>
    syncs.run(planId, withDeletions, confirmCount),
  ),
  close: os.sync.close.handler(({ input }) => syncs.closePlan(input.planId)),
});
