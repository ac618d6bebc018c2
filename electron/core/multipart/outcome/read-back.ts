import { toAppError, type AppError } from '../../../../shared/errors.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';

/** The result of reading the last byte of an object that HEAD describes. */
export type ReadBack =
  | { readonly kind: 'read' }
  /** It may not be read: the permission, a customer's key, an archive. Nothing is wrong with the object. */
  | { readonly kind: 'forbidden'; readonly error: AppError }
  | { readonly kind: 'failed'; readonly error: AppError };

/**
 * Reads the last byte. On Swift a part that comes after the Complete leaves an object that HEAD describes and GET refuses
 * (409, BrokenMPU). Throws only what says nothing about the object: new keys are needed, or the job was stopped.
 */
export async function readLastByte(
  client: S3Client,
  ref: { readonly bucket: string; readonly key: string },
  sizeBytes: number,
  signal: AbortSignal,
): Promise<ReadBack> {
  const last = sizeBytes - 1;
  try {
    const { bucket, key } = ref;
    const object = await client.getObject(
      { bucket, key, range: { firstByte: last, lastByte: last } },
      { signal },
    );
    await object.read(() => undefined);
    return { kind: 'read' };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'cancelled' || error.code === 'auth-expired') throw thrown;
    return { kind: isForbidden(error) ? 'forbidden' : 'failed', error };
  }
}

function isForbidden({ code, reason }: AppError): boolean {
  switch (code) {
    case 'access-denied':
    case 'unsupported':
      return true;
    case 'invalid-argument':
      // Such as a customer's key that is not known here. A range that is refused means a shorter object than HEAD says.
      return reason !== 'invalid-range';
    case 'conflict':
      return reason === 'object-archived';
    case 'protocol':
      // A service or a proxy that knows no ranges: the whole object is not fetched for one byte.
      return reason === 'range-ignored';
    default:
      return false;
  }
}
