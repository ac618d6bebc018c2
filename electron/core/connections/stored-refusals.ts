import { z } from 'zod';
import type { BucketOrigin } from '../s3/model/bucket-origin.ts';
import { freshRefusals, type RefusalStore } from '../s3/model/refusal-store.ts';
import type { Clock } from '../ports.ts';
import type { Values } from '../store/values.ts';

type Service = Omit<BucketOrigin, 'createdAt'>;

const refusalsSchema = z.object({
  endpoint: z.string(),
  account: z.string(),
  refusals: z.record(
    z.string(),
    z.object({ atMs: z.number(), limit: z.number().nullable(), isAccepted: z.boolean().optional() }),
  ),
});

const nameOf = (connectionId: string): string => `refusals:${connectionId}`;

/** Returns the store of features that a connection's service refused. Ignores entries for another endpoint or account. */
export function storedRefusals(
  { values, clock }: { readonly values: Values; readonly clock: Pick<Clock, 'nowMs'> },
  connectionId: string,
  { endpoint, account }: Service,
): RefusalStore {
  const get: RefusalStore['get'] = () => {
    const stored = refusalsSchema.safeParse(values.get(nameOf(connectionId)));
    if (!stored.success || stored.data.endpoint !== endpoint || stored.data.account !== account) return {};
    return freshRefusals(stored.data.refusals, clock.nowMs());
  };
  const set = (refusals: ReturnType<RefusalStore['get']>): void =>
    values.set(nameOf(connectionId), { endpoint, account, refusals });
  return {
    get,
    put: (name, refusal) => set({ ...get(), [name]: refusal }),
    remove: (name) => {
      const { [name]: removed, ...rest } = get();
      if (removed !== undefined) set(rest);
    },
  };
}

/** Forgets the refusals of a removed connection. */
export function forgetRefusals(values: Values, connectionId: string): void {
  values.set(nameOf(connectionId), null);
}
