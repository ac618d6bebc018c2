import { startBehind } from '../../s3/listing/list-objects.ts';
import { foreignOf } from '../../s3/listing/prefixes.ts';
import { pagesOf } from '../../s3/listing/pages.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import type { PageSum, PageOptions } from '../pages/page-messages.ts';
import type { PagePool } from '../pages/page-pool.ts';
import type { WalkLister } from './walker.ts';
import type { ListedObject } from '../../s3/model/listing-types.ts';

export interface PageListerDeps {
  readonly client: S3Client;
  readonly pool: PagePool;
  readonly bucket: string;
  readonly pageOptions: PageOptions;
  /** Called before each request. */
  readonly onRequest: () => void;
}

/** A walk must be complete, so it waits as long as the service asks, within the client's retry budget. */
const walkPatienceMs = Number.POSITIVE_INFINITY;

/** Creates a lister that requests pages through the client, including its retries, and parses them in threads. */
export function createPageLister(deps: PageListerDeps): WalkLister {
  const { client, pool, bucket, pageOptions } = deps;
  const { prefix } = pageOptions;
  const owners = pageOptions.isForMap === true ? { namesOwners: true } : {};

  return {
    list: async (after, bound, take, signal) => {
      deps.onRequest();
      let consumerError: { readonly thrown: unknown } | null = null as { readonly thrown: unknown } | null;
      const startAfter =
        after !== null && pageOptions.delimiter !== undefined ? startBehind(after, prefix) : after;
      const delimiter = pageOptions.delimiter === undefined ? {} : { delimiter: pageOptions.delimiter };
      await client.listKeys(
        { bucket, prefix, after: startAfter, ...delimiter, ...owners },
        () => {
          const pageBody = pool.createBody(pageOptions, signal);
          const end = async (): Promise<true | null> => {
            for (;;) {
              const page = await pageBody.read({ after, through: bound() });
              if (page === null) return null;
              // An error thrown by the consumer must not look like a failed request, because the client would retry it.
              try {
                if (take(page)) return true;
              } catch (thrown) {
                consumerError = { thrown };
                return true;
              }
            }
          };
          return {
            write: (chunk) => pageBody.write(chunk),
            bytes: () => pageBody.bytes(),
            release: () => pageBody.release(),
            end,
          };
        },
        { signal, patienceMs: walkPatienceMs },
      );
      if (consumerError !== null) throw consumerError.thrown;
    },

    listFromEndToEnd: async function* (signal): AsyncGenerator<PageSum, void, void> {
      const pages = pagesOf(
        async (pageToken: string | null) => {
          deps.onRequest();
          return await client.listObjects(
            { bucket, prefix, maxKeys: 1000, ...owners, ...(pageToken === null ? {} : { pageToken }) },
            { signal, patienceMs: walkPatienceMs },
          );
        },
        (page) => page.nextPageToken,
      );
      const recent = new RecentKeys();
      for await (const page of pages) {
        const sum = await pool.tally(recent.fresh(page.objects), pageOptions, null, signal);
        yield { ...sum, foreign: foreignOf(page.foreign) };
      }
    },

    folders: async (folder, signal) => {
      deps.onRequest();
      const page = await client.listObjects(
        { bucket, prefix: folder, delimiter: '/', maxKeys: 1000 },
        { signal, maxTries: 1 },
      );
      return page.commonPrefixes;
    },
  };
}

/** The minimum number of recent keys to remember. Up to twice as many are held in memory. */
const rememberedKeys = 100_000;

/**
 * Removes repeated keys from an unordered listing. Remembers only recent keys, because services repeat a key within a short
 * distance. So memory is limited for buckets of any size.
 */
class RecentKeys {
  #recent = new Set<string>();
  #older = new Set<string>();

  /** Returns the objects whose keys were not seen recently. Also drops repetitions within the list. */
  fresh(objects: readonly ListedObject[]): readonly ListedObject[] {
    return objects.filter(({ key }) => {
      if (this.#recent.has(key) || this.#older.has(key)) return false;
      if (this.#recent.size >= rememberedKeys) {
        this.#older = this.#recent;
        this.#recent = new Set();
      }
      this.#recent.add(key);
      return true;
    });
  }
}
