import { z } from 'zod';
import { failure } from '../../../shared/errors.ts';
import type { CustomerKeyName } from '../../../shared/models/transfers.ts';
import type { Secrets } from '../ports.ts';
import { parseCustomerKey } from '../s3/http/customer-key-headers.ts';
import type { CustomerKey } from '../s3/model/connection-types.ts';
import { secretNames } from './stored-connection.ts';

/** Stores the user's keys for a connection (SSE-C), only in the secret storage. */
export interface CustomerKeys {
  /** Returns the keys that were used in the bucket or added for it. For the core only. */
  ofBucket(connectionId: string, bucket: string): Promise<readonly CustomerKey[]>;
  /** Returns the key and remembers that the bucket uses it; null if it is not stored. For the core only. */
  use(connectionId: string, md5: string, bucket: string): Promise<CustomerKey | null>;
  list(connectionId: string): Promise<CustomerKeyName[]>;
  /** Adds a key. A known key gets the new name and keeps its buckets. Throws `AppError('invalid-argument')` if the key is invalid. */
  add(input: {
    readonly connectionId: string;
    readonly name: string;
    readonly key: string;
    readonly bucket?: string | undefined;
  }): Promise<CustomerKeyName>;
  remove(input: { readonly connectionId: string; readonly md5: string }): Promise<void>;
}

const storedKeysSchema = z.array(
  z.object({
    name: z.string(),
    key: z.string(),
    /**
     * The endpoint for which the key was added. No other endpoint receives the key. Absent in records of earlier versions, which
     * were bound to the endpoint of that time.
     */
    endpoint: z.string().optional(),
    /** The buckets that use the key. Absent in records of earlier versions, which apply to all buckets. */
    buckets: z.array(z.string()).optional(),
  }),
);
type StoredCustomerKeys = z.infer<typeof storedKeysSchema>;

/** The last change of each store. Changes run one after another, because each rewrites all keys of a connection. */
const lastChanges = new WeakMap<Secrets, Promise<unknown>>();

/** Creates the store of SSE-C keys. `endpointOf` returns the stored endpoint of a connection. */
export function createCustomerKeys(
  secrets: Secrets,
  endpointOf: (connectionId: string) => Promise<string>,
): CustomerKeys {
  const read = async (connectionId: string): Promise<StoredCustomerKeys> =>
    parseStoredKeys(await secrets.get(secretNames(connectionId).customerKeys));
  const write = async (connectionId: string, storedKeys: StoredCustomerKeys): Promise<void> => {
    const name = secretNames(connectionId).customerKeys;
    if (storedKeys.length === 0) await secrets.delete(name);
    else await secrets.set(name, JSON.stringify(storedKeys));
  };
  const readForEndpoint = async (connectionId: string): Promise<StoredCustomerKeys> => {
    const [storedKeys, endpoint] = await Promise.all([read(connectionId), endpointOf(connectionId)]);
    return storedKeys.filter((entry) => entry.endpoint === undefined || entry.endpoint === endpoint);
  };
  const inTurn = async <T>(change: () => Promise<T>): Promise<T> => {
    const before = lastChanges.get(secrets);
    const done = (async () => {
      await before;
      return await change();
    })();
    lastChanges.set(
      secrets,
      done.catch(() => undefined),
    );
    return await done;
  };

  return {
    ofBucket: async (connectionId, bucket) =>
      (await readForEndpoint(connectionId))
        .filter(({ buckets }) => buckets?.includes(bucket) ?? true)
        .map(({ key }) => parseCustomerKey(key))
        .filter((key) => key !== null),
    use: async (connectionId, md5, bucket) =>
      await inTurn(async () => {
        const found = (await readForEndpoint(connectionId)).find(
          ({ key }) => parseCustomerKey(key)?.md5 === md5,
        );
        if (found === undefined) return null;
        if (found.buckets?.includes(bucket) === false) {
          const used = { ...found, buckets: [...found.buckets, bucket] };
          const all = await read(connectionId);
          await write(
            connectionId,
            all.map((storedKey) => (isSame(storedKey, found) ? used : storedKey)),
          );
        }
        return parseCustomerKey(found.key);
      }),
    list: async (connectionId) =>
      (await readForEndpoint(connectionId)).flatMap(({ name, key }) => {
        const md5 = parseCustomerKey(key)?.md5;
        return md5 === undefined ? [] : [{ name, md5 }];
      }),
    add: async ({ connectionId, name, key, bucket }) =>
      await inTurn(async () => {
        const customerKey = parseCustomerKey(key.trim());
        if (customerKey === null)
          throw failure('invalid-argument', 'A customer key is 32 bytes in Base64.', {
            reason: 'customer-key-invalid',
            retry: 'after-fix',
          });
        const endpoint = await endpointOf(connectionId);
        const known = (await readForEndpoint(connectionId)).find(
          (storedKey) => storedKey.key === customerKey.key,
        );
        const others = (await read(connectionId)).filter(
          (storedKey) => known === undefined || !isSame(storedKey, known),
        );
        const added = bucket === undefined ? [] : [bucket];
        const isForAllBuckets = known !== undefined && known.buckets === undefined;
        const buckets = isForAllBuckets ? undefined : [...new Set([...(known?.buckets ?? []), ...added])];
        await write(connectionId, [...others, { name, key: customerKey.key, endpoint, buckets }]);
        return { name, md5: customerKey.md5 };
      }),
    remove: async ({ connectionId, md5 }) => {
      await inTurn(async () => {
        const removedKeys = (await readForEndpoint(connectionId)).filter(
          ({ key }) => parseCustomerKey(key)?.md5 === md5,
        );
        const storedKeys = await read(connectionId);
        await write(
          connectionId,
          storedKeys.filter((entry) => !removedKeys.some((other) => isSame(entry, other))),
        );
      });
    },
  };
}

/**
 * Binds a connection's stored keys to its former endpoint, so that no other endpoint receives them. Returns null if there are
 * none. Throws `AppError('storage')` if the keys cannot be read.
 */
export function boundToEndpoint(text: string | null, endpoint: string): string | null {
  return text === null
    ? null
    : JSON.stringify(parseStoredKeys(text).map((storedKey) => ({ endpoint, ...storedKey })));
}

function parseStoredKeys(text: string | null): StoredCustomerKeys {
  if (text === null) return [];
  try {
    return storedKeysSchema.parse(JSON.parse(text));
  } catch {
    // The cause is omitted, because it would quote the keys. The stored text is never overwritten, because `add` fails here too.
    throw failure('storage', 'The customer keys of this connection cannot be read.', {
      reason: 'secrets-unreadable',
      retry: 'after-fix',
    });
  }
}

function isSame(entry: StoredCustomerKeys[number], other: StoredCustomerKeys[number]): boolean {
  return entry.key === other.key && entry.endpoint === other.endpoint;
}
