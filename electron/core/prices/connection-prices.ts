import { failure } from '../../../shared/errors.ts';
import type { Connection } from '../../../shared/models/connection.ts';
import { priceListSchema, type ConnectionPrices, type PriceList } from '../../../shared/models/prices.ts';
import { checkPriceList, type PriceProblem } from '../../../shared/pricing/check.ts';
import { examplePrices, priceListOf, shippedLists, shippedPrices } from '../../../shared/pricing/shipped.ts';
import { presetById } from '../../../shared/providers/providers.ts';
import type { Values } from '../store/values.ts';

export interface ConnectionPricesDeps {
  readonly values: Values;
  readonly connections: () => Promise<
    readonly Pick<Connection, 'id' | 'provider' | 'region' | 'endpoint' | 'builtIn'>[]
  >;
  readonly onChanged: () => void;
}

/** The prices of each connection's service: the user's own list, else the one that Cooper ships. */
export interface Prices {
  of(connectionId: string): Promise<ConnectionPrices>;
  /**
   * Stores a price list for the connection. null: the shipped list, if there is one, applies again. Throws
   * AppError('invalid-argument') for a list with a fault.
   */
  set(connectionId: string, list: PriceList | null): Promise<ConnectionPrices>;
  /** Returns all shipped lists, as starting points for the user's own. */
  shipped(): PriceList[];
  /** Deletes the list of a removed connection. */
  forget(connectionId: string): void;
}

const nameOf = (connectionId: string): string => `prices:${connectionId}`;

export function createPrices({ values, connections, onChanged }: ConnectionPricesDeps): Prices {
  const shippedFor = async (
    connectionId: string,
  ): Promise<{ readonly list: PriceList | null; readonly isExample: boolean }> => {
    const connection = (await connections()).find(({ id }) => id === connectionId);
    if (connection === undefined)
      throw failure('not-found', 'There is no such connection.', { reason: 'no-such-connection' });
    if (connection.builtIn) return { list: examplePrices(), isExample: true };
    const { provider, region, endpoint } = connection;
    const hostname = URL.parse(endpoint)?.hostname ?? null;
    return {
      list: shippedPrices(provider, region ?? presetById(provider).defaultRegion, hostname),
      isExample: false,
    };
  };

  const of = async (connectionId: string): Promise<ConnectionPrices> => {
    const { list: shipped, isExample } = await shippedFor(connectionId);
    const stored = priceListSchema.safeParse(values.get(nameOf(connectionId)));
    // The list was valid when stored; one that a newer version rejects is ignored.
    if (stored.success && checkPriceList(stored.data).length === 0)
      return { origin: 'own', list: stored.data, shipped };
    if (shipped === null) return { origin: 'none', list: null, shipped };
    return { origin: isExample ? 'example' : 'shipped', list: shipped, shipped };
  };

  return {
    of,
    set: async (connectionId, list) => {
      await shippedFor(connectionId);
      const [problem] = list === null ? [] : checkPriceList(list);
      if (problem !== undefined)
        throw failure('invalid-argument', `The price list was not kept: ${problemText(problem)}.`, {
          reason: 'bad-price-list',
          retry: 'after-fix',
        });
      values.set(nameOf(connectionId), list);
      onChanged();
      return await of(connectionId);
    },
    shipped: () => shippedLists.map(priceListOf),
    forget: (connectionId) => values.set(nameOf(connectionId), null),
  };
}

/** Returns English text, for logs and the details of an error. */
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
    default:
      return fault satisfies never;
  }
}
