import type { CoreParts } from './core-parts.ts';
import type { Implementer } from './implementer.ts';

const never = new AbortController().signal;

export const batchHandlers = (
  os: Implementer,
  { batches, bucketSettings }: Pick<CoreParts, 'batches' | 'bucketSettings'>,
) => ({
  create: os.batches.create.handler(({ input, signal }) => batches.create(input, signal ?? never)),
  confirm: os.batches.confirm.handler(({ input }) => batches.confirm(input.jobId)),
  expiryRule: os.batches.expiryRule.handler(({ input, signal }) =>
    bucketSettings.expiryRule(input, input.tag, input.days, signal),
  ),
});
