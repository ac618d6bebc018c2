import { toAppError } from '../../../../shared/errors.ts';
import type { Executor } from '../http/executor.ts';
import { repeatable } from '../http/s3-operation.ts';
import { customerKeyHeaders } from '../http/customer-key-headers.ts';
import type { CustomerKey } from '../model/connection-types.ts';
import { asksForEncryption, encryptionHeaders, headersOfDefault, isServiceKey } from './attribute-headers.ts';
import type { RequestOptions } from '../model/request-types.ts';
import { textOrNull } from '../xml/parse.ts';

type Headers = Readonly<Record<string, string>>;

/** A request that creates an object, with the encryption chosen for it. */
export interface EncryptedWrite<T> {
  readonly bucket: string;
  readonly headers: Headers;
  /** The MD5 in Base64 of the customer's key for this object. */
  readonly customerKeyMd5?: string | undefined;
  /** True if the user chose the encryption of this object. The connection's default is then not added. */
  readonly isChosen: boolean;
  readonly send: (headers: Headers) => Promise<T>;
}

export interface EncryptedResult<T> {
  readonly sent: T;
  /** The customer's key that was added to the request; null if none. */
  readonly key: CustomerKey | null;
}

/** The encryption that a request specifies, and whether it may be changed. */
interface RequestEncryption {
  readonly headers: Headers;
  readonly key: CustomerKey | null;
  /** True if the bucket's default encryption may replace this one, because neither the user nor the source of a copy chose it. */
  readonly isReplaceable: boolean;
}

/**
 * Sends a write with the encryption of its object, or else of the connection. A bucket policy may require another one, so a
 * denied write is repeated with the bucket's default encryption, which is remembered. If that cannot be read, throws the denial.
 * Throws `customer-key-needed` if the key is not stored.
 */
export async function sendEncrypted<T>(
  executor: Executor,
  write: EncryptedWrite<T>,
  options: RequestOptions | undefined,
): Promise<EncryptedResult<T>> {
  const { bucket, send } = write;
  const { headers, key, isReplaceable } = await chooseEncryption(executor, write);
  try {
    return { sent: await send(headers), key };
  } catch (thrown) {
    if (!isDenial(thrown) || !isReplaceable) throw thrown;
    const byDefault = await defaultOf(executor, bucket, options);
    if (byDefault === null) throw thrown;
    // If this is denied too, the encryption was not the cause, so the first error is thrown. Any other error is about this
    // request, which may even have been applied.
    const sent = await send({ ...headers, ...byDefault }).catch((again: unknown) => {
      throw isDenial(again) && toAppError(again).outcome === 'not-applied' ? thrown : again;
    });
    executor.bucketEncryption.set(bucket, byDefault);
    return { sent, key };
  }
}

function isDenial(thrown: unknown): boolean {
  const { code, reason } = toAppError(thrown);
  return code === 'access-denied' && reason === 'denied';
}

async function chooseEncryption<T>(
  executor: Executor,
  { bucket, headers, customerKeyMd5, isChosen }: EncryptedWrite<T>,
): Promise<RequestEncryption> {
  const { bucketEncryption, config, keys } = executor;
  const underKey = async (md5: string): Promise<RequestEncryption> => {
    const key = await keys.named(md5, bucket);
    return { headers: { ...headers, ...customerKeyHeaders(key) }, key, isReplaceable: false };
  };
  if (customerKeyMd5 !== undefined) return await underKey(customerKeyMd5);
  // For a copy, only encryption with a key of the service may be changed, because the source may have got that by default.
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
      repeatable({ name: 'GetBucketEncryption', method: 'GET', bucket, query: { encryption: '' } }),
      { ...options, maxTries: 1 },
      async (response) => {
        const root = await response.xml('ServerSideEncryptionConfiguration');
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
