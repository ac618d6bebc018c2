import { AppFailure, toAppError, type AppError } from '../../../../shared/errors.ts';
import type { GetObjectInput, ObjectHead, ObjectRef } from '../model/object-types.ts';
import type { RequestOptions } from '../model/request-types.ts';
import type { S3Client } from '../model/s3-client.ts';

/** The result of a HEAD request for a key. */
export type Look =
  | { readonly kind: 'absent' }
  | { readonly kind: 'present'; readonly head: ObjectHead }
  | { readonly kind: 'unreadable'; readonly error: AppError };

type Looker = Pick<S3Client, 'headObject'>;
type Key = ObjectRef & Pick<GetObjectInput, 'checksums'>;

/** Checks a key with HEAD. Most errors result in `unreadable`. Throws only for expired credentials and a cancelled request. */
export async function lookAtKey(client: Looker, ref: Key, options?: RequestOptions): Promise<Look> {
  try {
    return { kind: 'present', head: await client.headObject(ref, options) };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'cancelled' || error.code === 'auth-expired') throw thrown;
    if (error.code === 'not-found' && error.reason !== 'no-such-bucket') return { kind: 'absent' };
    return { kind: 'unreadable', error };
  }
}

/** Returns the response to HEAD; null if the key has no object. Throws if the state cannot be read. */
export async function headOrNull(
  client: Looker,
  ref: Key,
  options?: RequestOptions,
): Promise<ObjectHead | null> {
  const look = await lookAtKey(client, ref, options);
  switch (look.kind) {
    case 'present':
      return look.head;
    case 'absent':
      return null;
    case 'unreadable':
      throw new AppFailure(look.error);
    default:
      return look satisfies never;
  }
}
