import { toAppError } from '../../../../shared/errors.ts';
import type { Executor } from '../http/executor.ts';
import { asksForEncryption, headersOfDefault } from '../model/encryption-headers.ts';
import type { RequestOptions } from '../model/request-types.ts';
import { textOrNull } from '../xml/parse.ts';

type Headers = Readonly<Record<string, string>>;

/** A write that makes an object. */
export interface EncryptedWrite<T> {
  readonly bucket: string;
  readonly headers: Headers;
  /** The user has chosen the encryption of this object; the connection's default is not added. */
  readonly isChosen: boolean;
  readonly send: (headers: Headers) => Promise<T>;
}

/**
 * Sends a write with the encryption headers that the connection asks for. A bucket policy may demand such headers: if a write without
 * them is denied, it is repeated with those of the bucket's default encryption, which is remembered.
 */
export async function sendEncrypted<T>(
  executor: Executor,
  { bucket, headers, isChosen, send }: EncryptedWrite<T>,
  options: RequestOptions | undefined,
): Promise<T> {
  if (asksForEncryption(headers)) return await send(headers);
  const demanded = executor.bucketEncryption.get(bucket);
  const encryption = demanded ?? (isChosen ? {} : (executor.config.writeEncryption?.() ?? {}));
  try {
    return await send({ ...headers, ...encryption });
  } catch (thrown) {
    const { code, reason } = toAppError(thrown);
    if (code !== 'access-denied' || reason !== 'denied' || asksForEncryption(encryption)) throw thrown;
    const byDefault = await defaultOf(executor, bucket, options);
    if (byDefault === null) throw thrown;
    // If this is denied too, the headers were not the cause: the first error is the right one.
    const sent = await send({ ...headers, ...byDefault }).catch(() => {
      throw thrown;
    });
    executor.bucketEncryption.set(bucket, byDefault);
    return sent;
  }
}

/** Returns the headers of a bucket's default encryption; null if it has none or does not tell. */
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
