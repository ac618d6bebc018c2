import { failure } from '../../../shared/errors.ts';
import type { Connection } from '../../../shared/models/connection.ts';
import { priceListSchema, type ConnectionPrices, type PriceList } from '../../../shared/models/prices.ts';
import { checkPriceList, type PriceProblem } from '../../../shared/pricing/check.ts';
import {
  examplePrices,
  hasRegionalPrices,
  priceListOf,
  shippedLists,
  shippedPrices,
} from '../../../shared/pricing/shipped.ts';
import { presetById } from '../../../shared/providers/providers.ts';
import type { Values } from '../store/records.ts';

export interface ConnectionPricesDeps {
  readonly values: Values;
  readonly connections: () => Promise<
    readonly Pick<Connection, 'id' | 'provider' | 'region' | 'endpoint' | 'builtIn'>[]
  >;
  /** Returns the region of a bucket; null if the service does not report it. May send a request. */
  readonly regionOf: (connectionId: string, bucket: string) => Promise<string | null>;
  readonly onChanged: () => void;
}

/**
 * Finds the prices of each connection's service: the user's list, or else the built-in list for the region of the bucket, which
 * may differ from the connection's region.
 */
export interface Prices {
  of(connectionId: string, bucket?: string): Promise<ConnectionPrices>;
  /**
   * Stores a price list for the connection. Null restores the built-in list, if there is one. Throws
   * `AppError('invalid-argument')` for an invalid list.
   */
  set(connectionId: string, list: PriceList | null): Promise<ConnectionPrices>;
  /** Returns all built-in lists, as templates for the user's own list. */
  shipped(): PriceList[];
  /** Forgets the regions of the connection's buckets, because its endpoint may now be another service. */
  connectionChanged(connectionId: string): void;
  /** Deletes the list of a removed connection. */
  forget(connectionId: string): void;
}

const nameOf = (connectionId: string): string => `prices:${connectionId}`;

export function createPrices({ values, connections, regionOf, onChanged }: ConnectionPricesDeps): Prices {
  /** The regions of buckets by connection. The region of a bucket never changes. */
  const regions = new Map<string, Map<string, string>>();

  const bucketRegion = async (connectionId: string, bucket: string): Promise<string | null> => {
    const known = regions.get(connectionId) ?? new Map<string, string>();
    regions.set(connectionId, known);
    const region = known.get(bucket) ?? (await regionOf(connectionId, bucket));
    // An unknown region is not cached, because the service may report it later.
    if (region !== null) known.set(bucket, region);
    return region;
  };

  const shippedFor = async (
    connectionId: string,
    bucket: string | undefined,
  ): Promise<{ readonly list: PriceList | null; readonly isExample: boolean }> => {
    const connection = (await connections()).find(({ id }) => id === connectionId);
    if (connection === undefined)
      throw failure('not-found', 'There is no such connection.', { reason: 'no-such-connection' });
    if (connection.builtIn) return { list: examplePrices(), isExample: true };
    const { provider, region, endpoint } = connection;
    const hostname = URL.parse(endpoint)?.hostname ?? null;
    const ofBucket =
      bucket === undefined || !hasRegionalPrices(provider) ? null : await bucketRegion(connectionId, bucket);
    return {
      list: shippedPrices(provider, ofBucket ?? region ?? presetById(provider).defaultRegion, hostname),
      isExample: false,
    };
  };

  const of = async (connectionId: string, bucket?: string): Promise<ConnectionPrices> => {
    const { list: shipped, isExample } = await shippedFor(connectionId, bucket);
    const stored = priceListSchema.safeParse(values.get(nameOf(connectionId)));
    // The list was valid when it was stored. If this version rejects it, it is ignored.
    if (stored.success && checkPriceList(stored.data).length === 0)
      return { origin: 'own', list: stored.data, shipped };
    if (shipped === null) return { origin: 'none', list: null, shipped };
    return { origin: isExample ? 'example' : 'shipped', list: shipped, shipped };
  };

  return {
    of,
    set: async (connectionId, list) => {
      await shippedFor(connectionId, undefined);
      const [problem] = list === null ? [] : checkPriceList(list);
      if (problem !== undefined)
        throw failure('invalid-argument', `The price list was not stored: ${problemText(problem)}.`, {
          reason: 'bad-price-list',
          retry: 'after-fix',
        });
      values.set(nameOf(connectionId), list);
      onChanged();
      return await of(connectionId);
    },
    shipped: () => shippedLists.map(priceListOf),
    connectionChanged: (connectionId) => void regions.delete(connectionId),
    forget: (connectionId) => values.set(nameOf(connectionId), null),
  };
}

/** Returns an English text, for logs and the details of an error. */
function problemText({ fault, storageClass, figure }: PriceProblem): string {
  switch (fault) {
    case 'name':
      return 'it has no name';
    case 'currency':
      return 'the currency is not one of ISO 4217';
    case 'no-class':
      return 'it has no storage class';
    case 'class-empty':
      return 'a storage class has no name';
    case 'class-twice':
      return `the storage class ${storageClass} is there twice`;
    case 'negative':
      return `${figure ?? ''} of ${storageClass === '' ? 'the list' : storageClass} is not a number of 0 or more`;
    case 'too-large':
      return `${figure ?? ''} of ${storageClass === '' ? 'the list' : storageClass} is too large`;
    case 'steps':
      return `the price steps of ${figure ?? ''} are not in ascending order`;
    default:
      return fault satisfies never;
  }
}
