import { SharedCall } from '../flow/coalescer.ts';
import type { Clock } from '../ports.ts';
import type { Bucket } from '../s3/model/listing-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';

/** The age up to which a list is used without a new request. */
const freshMs = 60_000;
/** The age up to which a list counts as current if no caller has received it as the current one. */
const currentMs = 2000;

/** Lists the buckets of connections. Opening a connection needs its list in several places, which share one request. */
export interface BucketLists {
  /**
   * Returns the current list. Joins a request that is in flight, or takes a list that `recent` has just requested: the parts of a
   * window that opens a connection ask in any order.
   */
  current(connectionId: string, signal: AbortSignal | undefined): Promise<readonly Bucket[]>;
  /** Returns a list that is at most a minute old. Sends a request only without one. */
  recent(connectionId: string, signal: AbortSignal | undefined): Promise<readonly Bucket[]>;
  /** Returns a list as `recent` does, but never sends a request: null without one. */
  known(connectionId: string): Promise<readonly Bucket[]> | null;
  /** Forgets the list of a connection, after its buckets or the connection changed. A request in flight is not joined. */
  drop(connectionId: string): void;
}

interface BucketListsDeps {
  readonly client: (connectionId: string) => Promise<S3Client>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

interface LastList {
  readonly call: SharedCall<readonly Bucket[]>;
  /** The time of the response, or null while the request is in flight. */
  atMs: number | null;
  /** True if a caller has received this as the current list. */
  wasCurrent: boolean;
}

export function createBucketLists({ client, clock }: BucketListsDeps): BucketLists {
  const lists = new Map<string, LastList>();
  const isYounger = ({ atMs }: LastList, thanMs: number): boolean =>
    atMs === null || clock.monotonicMs() - atMs < thanMs;
  const isFresh = (list: LastList): boolean => isYounger(list, freshMs);
  const isCurrent = (list: LastList): boolean => isYounger(list, list.wasCurrent ? 0 : currentMs);

  const send = (connectionId: string): LastList => {
    for (const [id, old] of lists) if (!isFresh(old)) lists.delete(id);
    const call = new SharedCall(async (signal) => {
      try {
        const buckets = await (await client(connectionId)).listBuckets({ signal });
        list.atMs = clock.monotonicMs();
        return buckets;
      } catch (thrown) {
        if (lists.get(connectionId) === list) lists.delete(connectionId);
        throw thrown;
      }
    });
    const list: LastList = { call, atMs: null, wasCurrent: false };
    lists.set(connectionId, list);
    return list;
  };

  /** Returns the last list, or null if its request was aborted or it does not suffice. */
  const lastList = (connectionId: string, suffices: (list: LastList) => boolean) => {
    const last = lists.get(connectionId);
    return last === undefined || last.call.isAborted || !suffices(last) ? null : last;
  };

  return {
    current: async (connectionId, signal) => {
      signal?.throwIfAborted();
      const list = lastList(connectionId, isCurrent) ?? send(connectionId);
      list.wasCurrent = true;
      return await list.call.join(signal);
    },
    recent: async (connectionId, signal) => {
      signal?.throwIfAborted();
      return await (lastList(connectionId, isFresh) ?? send(connectionId)).call.join(signal);
    },
    known: (connectionId) => lastList(connectionId, isFresh)?.call.join(undefined) ?? null,
    drop: (connectionId) => {
      lists.delete(connectionId);
    },
  };
}
