import { z } from 'zod';
import { AppFailure } from '../../../shared/errors.ts';
import type { BucketLists } from '../browse/bucket-lists.ts';
import type { Clock } from '../ports.ts';
import type { BucketOrigin } from '../s3/model/bucket-origin.ts';
import type { Bucket } from '../s3/model/listing-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { samplesId, type Connections } from './connections.ts';
import { freshRefusals, type RefusalStore } from '../s3/model/service-memory.ts';
import type { Values } from '../store/records.ts';

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Returns the AWS account of an access key; null for other access keys. With it, new access keys of an account use the caches of
 * the old ones. The account is in bits 1 to 39 of the decoded id. Source: sts:GetAccessKeyInfo returns the same; A Short Note on
 * AWS KEY ID (Tal Be'ery, 2023).
 */
export function accountOfKey(accessKeyId: string): string | null {
  const coded = /^A(?:KIA|SIA)([A-Z2-7]{16})$/.exec(accessKeyId)?.[1];
  if (coded === undefined) return null;
  // Ten characters of 5 bits contain the 48 relevant bits.
  const bits = Array.from(coded.slice(0, 10)).reduce(
    (sum, char) => sum * 32n + BigInt(base32.indexOf(char)),
    0n,
  );
  const first48 = bits >> 2n;
  return ((first48 & 0x7f_ff_ff_ff_ff_80n) >> 7n).toString().padStart(12, '0');
}

export interface BucketOrigins {
  /** Returns a bucket's origin. Lists the buckets, unless the last listing is less than a minute old. */
  of(place: { readonly connectionId: string; readonly bucket: string }): Promise<BucketOrigin>;
  /** Returns the endpoint and account of a connection, without a request. */
  ofConnection(connectionId: string): Promise<Omit<BucketOrigin, 'createdAt'>>;
  /** Forgets the bucket list of a connection, after its buckets or the connection changed. */
  drop(connectionId: string): void;
}

interface BucketOriginsDeps {
  readonly connections: Pick<Connections, 'load'>;
  readonly client: (connectionId: string) => Promise<S3Client>;
  readonly bucketLists: Pick<BucketLists, 'known'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

const freshMs = 60_000;

/** Creates the source of bucket origins, which show whether a cache still belongs to the same bucket. */
export function createBucketOrigins({
  connections,
  client,
  bucketLists,
  clock,
}: BucketOriginsDeps): BucketOrigins {
  interface Listed {
    readonly atMs: number;
    readonly dates: Promise<ReadonlyMap<string, string | null>>;
  }
  const listed = new Map<string, Listed>();

  const ofConnection: BucketOrigins['ofConnection'] = async (connectionId) => {
    if (connectionId === samplesId) return { endpoint: samplesId, account: samplesId };
    const { stored } = await connections.load(connectionId);
    const { auth, endpoint } = stored;
    switch (auth.kind) {
      case 'keys':
        return { endpoint, account: accountOfKey(auth.accessKeyId) ?? auth.accessKeyId };
      case 'aws-profile':
        return { endpoint, account: `profile ${auth.profile}` };
      default:
        return { endpoint, account: auth.kind };
    }
  };

  const datesOf = async (connectionId: string): Promise<ReadonlyMap<string, string | null>> => {
    const known = listed.get(connectionId);
    if (known !== undefined && clock.monotonicMs() - known.atMs < freshMs) return await known.dates;
    // Makes only one attempt, since a map waits for it.
    const dates = readDates(
      async () =>
        await (bucketLists.known(connectionId) ?? (await client(connectionId)).listBuckets({ maxTries: 1 })),
    );
    listed.set(connectionId, { atMs: clock.monotonicMs(), dates });
    return await dates;
  };

  return {
    ofConnection,
    of: async ({ connectionId, bucket }) => {
      const [origin, dates] = await Promise.all([ofConnection(connectionId), datesOf(connectionId)]);
      // AWS bucket names are globally unique, and their dates change with the bucket's policy (API_Bucket, CreationDate).
      const isAws = /\.amazonaws\.com(?:\.cn)?(?::\d+)?$/.test(origin.endpoint);
      return { ...origin, createdAt: isAws ? null : (dates.get(bucket) ?? null) };
    },
    drop: (connectionId) => listed.delete(connectionId),
  };
}

/**
 * The creation time that Swift's S3 front end reports for every bucket (swift/common/middleware/s3api/controllers/service.py).
 */
const swiftTime = '2009-02-03T16:45:09.000Z';

async function readDates(
  list: () => Promise<readonly Bucket[]>,
): Promise<ReadonlyMap<string, string | null>> {
  try {
    const buckets = await list();
    return new Map(buckets.map(({ name, createdAt }) => [name, createdAt === swiftTime ? null : createdAt]));
  } catch (thrown) {
    // If the buckets cannot be listed, only endpoint and account identify a bucket.
    if (thrown instanceof AppFailure) return new Map();
    throw thrown;
  }
}

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
