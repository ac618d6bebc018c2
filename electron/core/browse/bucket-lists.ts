import { SharedCall } from '../flow/coalescer.ts';
import type { Clock } from '../ports.ts';
import type { Bucket } from '../s3/model/listing-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';

/** The age up to which a list is used without a new request. */
const freshMs = 60_000;

/** Lists the buckets of connections. Opening a connection needs its list in several places, which share one request. */
export interface BucketLists {
  /** Returns the current list. Joins a request that is in flight. */
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
}

export function createBucketLists({ client, clock }: BucketListsDeps): BucketLists {
  const lists = new Map<string, LastList>();
  const isFresh = ({ atMs }: LastList): boolean => atMs === null || clock.monotonicMs() - atMs < freshMs;

  const send = (connectionId: string): SharedCall<readonly Bucket[]> => {
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
    const list: LastList = { call, atMs: null };
    lists.set(connectionId, list);
    return call;
  };

  /** Returns the last call, or null if it was aborted or does not suffice. */
  const lastCall = (connectionId: string, suffices: (list: LastList) => boolean) => {
    const last = lists.get(connectionId);
    return last === undefined || last.call.isAborted || !suffices(last) ? null : last.call;
  };

  return {
    current: async (connectionId, signal) => {
      signal?.throwIfAborted();
      const inFlight = lastCall(connectionId, ({ atMs }) => atMs === null);
      return await (inFlight ?? send(connectionId)).join(signal);
    },
    recent: async (connectionId, signal) => {
      signal?.throwIfAborted();
      return await (lastCall(connectionId, isFresh) ?? send(connectionId)).join(signal);
    },
    known: (connectionId) => lastCall(connectionId, isFresh)?.join(undefined) ?? null,
    drop: (connectionId) => {
      lists.delete(connectionId);
    },
  };
}
