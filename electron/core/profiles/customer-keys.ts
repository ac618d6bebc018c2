import { z } from 'zod';
import { failure } from '../../../shared/errors.ts';
import type { CustomerKeyName } from '../../../shared/models/customer-keys.ts';
import type { Secrets } from '../ports.ts';
import { customerKeyOf, type CustomerKey } from '../s3/customer-keys.ts';
import { secretNames } from './stored-connection.ts';

/** The keys with which a connection's service encrypts for the user (SSE-C). They are kept among the secrets and nowhere else. */
export interface CustomerKeys {
  /** For the core alone. */
  all(connectionId: string): Promise<readonly CustomerKey[]>;
  list(connectionId: string): Promise<CustomerKeyName[]>;
  /** Throws invalid-argument where it is no key. One that is kept already gets the new name. */
  add(input: {
    readonly connectionId: string;
    readonly name: string;
    readonly key: string;
  }): Promise<CustomerKeyName>;
  remove(input: { readonly connectionId: string; readonly md5: string }): Promise<void>;
}

const keptSchema = z.array(z.object({ name: z.string(), key: z.string() }));
type Kept = z.infer<typeof keptSchema>;

export function createCustomerKeys(secrets: Secrets): CustomerKeys {
  const read = async (connectionId: string): Promise<Kept> => {
    const text = await secrets.get(secretNames(connectionId).customerKeys);
    if (text === null) return [];
    try {
      return keptSchema.parse(JSON.parse(text));
    } catch {
      // The cause would quote the keys. They are not written over: `add` fails here too.
      throw failure('storage', 'The customer keys of this connection cannot be read.', {
        reason: 'secrets-unreadable',
        retry: 'after-fix',
      });
    }
  };
  const write = async (connectionId: string, kept: Kept): Promise<void> => {
    const name = secretNames(connectionId).customerKeys;
    if (kept.length === 0) await secrets.delete(name);
    else await secrets.set(name, JSON.stringify(kept));
  };
  return {
    all: async (connectionId) =>
      (await read(connectionId)).map(({ key }) => customerKeyOf(key)).filter((key) => key !== null),
    list: async (connectionId) =>
      (await read(connectionId)).flatMap(({ name, key }) => {
        const md5 = customerKeyOf(key)?.md5;
        return md5 === undefined ? [] : [{ name, md5 }];
      }),
    add: async ({ connectionId, name, key }) => {
      const made = customerKeyOf(key.trim());
      if (made === null)
        throw failure('invalid-argument', 'A customer key is 32 bytes in Base64.', {
          reason: 'customer-key-invalid',
          retry: 'after-fix',
        });
      const others = (await read(connectionId)).filter((kept) => kept.key !== made.key);
      await write(connectionId, [...others, { name, key: made.key }]);
      return { name, md5: made.md5 };
    },
    remove: async ({ connectionId, md5 }) => {
      const kept = await read(connectionId);
      await write(
        connectionId,
        kept.filter(({ key }) => customerKeyOf(key)?.md5 !== md5),
      );
    },
  };
}
