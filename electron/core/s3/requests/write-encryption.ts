import { toAppError } from '../../../../shared/errors.ts';
import type { Executor } from '../http/executor.ts';
import { customerKeyHeaders } from '../http/customer-key-headers.ts';
import type { CustomerKey } from '../model/connection-types.ts';
import {
  asksForEncryption,
  encryptionHeaders,
  headersOfDefault,
  isServiceKey,
} from '../model/encryption-headers.ts';
import type { RequestOptions } from '../model/request-types.ts';
import { textOrNull } from '../xml/parse.ts';

type Headers = Readonly<Record<string, string>>;

/** A request that creates an object. */
export interface EncryptedWrite<T> {
  readonly bucket: string;
  readonly headers: Headers;
  /** Base64 MD5 of the customer key of this object. */
  readonly customerKeyMd5?: string | undefined;
  /** True if the user chose the encryption of this object, so that the connection's default is not added. */
  readonly isChosen: boolean;
  readonly send: (headers: Headers) => Promise<T>;
}

export interface EncryptedResult<T> {
  readonly sent: T;
  /** The customer key that was added to the headers of the write. */
  readonly key: CustomerKey | null;
}

/** The encryption that a write asks for, and why. */
interface Asked {
  readonly headers: Headers;
  readonly key: CustomerKey | null;
  /** True if the bucket's default may replace it, because no user chose it or it is copied from a source. */
  readonly isReplaceable: boolean;
}

/**
 * Sends a write with the encryption that its object has, or else with that of the connection. A bucket policy may demand
 * another one, so a denied write is repeated with the bucket's default encryption, which is remembered. If the default may not
 * be read, the denial stays. Throws `customer-key-needed` if the key to encrypt with is not stored.
 */
export async function sendEncrypted<T>(
  executor: Executor,
  write: EncryptedWrite<T>,
  options: RequestOptions | undefined,
): Promise<EncryptedResult<T>> {
  const { bucket, send } = write;
  const { headers, key, isReplaceable } = await askedFor(executor, write);
  try {
    return { sent: await send(headers), key };
  } catch (thrown) {
    const { code, reason } = toAppError(thrown);
    if (code !== 'access-denied' || reason !== 'denied' || !isReplaceable) throw thrown;
    const byDefault = await defaultOf(executor, bucket, options);
    if (byDefault === null) throw thrown;
    // If this is denied too, the headers were not the cause: the first error is the right one.
    const sent = await send({ ...headers, ...byDefault }).catch(() => {
      throw thrown;
    });
    executor.bucketEncryption.set(bucket, byDefault);
    return { sent, key };
  }
}

async function askedFor<T>(
  executor: Executor,
  { bucket, headers, customerKeyMd5, isChosen }: EncryptedWrite<T>,
): Promise<Asked> {
  const { bucketEncryption, config, keys } = executor;
  const underKey = async (md5: string): Promise<Asked> => {
    const key = await keys.named(md5, bucket);
    return { headers: { ...headers, ...customerKeyHeaders(key) }, key, isReplaceable: false };
  };
  if (customerKeyMd5 !== undefined) return await underKey(customerKeyMd5);
  // A copy may change only an encryption with the service's keys, which its source got by default.
  if (asksForEncryption(headers))
    return { headers, key: null, isReplaceable: !isChosen && isServiceKey(headers) };
  const demanded = bucketEncryption.get(bucket);
  if (demanded !== undefined || isChosen)
    return { headers: { ...headers, ...demanded }, key: null, isReplaceable: true };
  const byConnection = config.writeEncryption?.() ?? { kind: 'none' };
  if (byConnection.kind === 'customer') return await underKey(byConnection.keyMd5);
  const encryption = encryptionHeaders(byConnection);
  return { headers: { ...headers, ...encryption }, key: null, isReplaceable: !asksForEncryption(encryption) };
}

/** Returns the headers of a bucket's default encryption; null if it has none or may not be read. */
async function defaultOf(
  executor: Executor,
  bucket: string,
  options: RequestOptions | undefined,
): Promise<Headers | null> {
  try {
    return await executor.execute(
      {
        name: 'GetBucketEncryption',
        method: 'GET',
        bucket,
        query: { encryption: '' },
        effect: 'read',
        repeatable: 'always',
      },
      { ...options, maxTries: 1 },
      async (answer) => {
        const root = await answer.xml('ServerSideEncryptionConfiguration');
        const rule = root.first('Rule')?.first('ApplyServerSideEncryptionByDefault') ?? null;
        return headersOfDefault({
          algorithm: textOrNull(rule?.child('SSEAlgorithm')?.trim() ?? null),
          kmsKeyId: textOrNull(rule?.child('KMSMasterKeyID')?.trim() ?? null),
        });
      },
    );
  } catch (thrown) {
    if (options?.signal?.aborted === true) throw thrown;
    return null;
  }
}
