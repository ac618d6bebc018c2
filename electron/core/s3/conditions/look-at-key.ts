import { AppFailure, toAppError, type AppError } from '../../../../shared/errors.ts';
import type { GetObjectInput, ObjectHead, ObjectRef } from '../model/object-types.ts';
import type { RequestOptions } from '../model/request-types.ts';
import type { S3Client } from '../model/s3-client.ts';

/** The object at a key, with all fields of its HEAD. */
export type Look =
  | { readonly kind: 'absent' }
  | { readonly kind: 'present'; readonly head: ObjectHead }
  | { readonly kind: 'unreadable'; readonly error: AppError };

type Looker = Pick<S3Client, 'headObject'>;
type Key = ObjectRef & Pick<GetObjectInput, 'checksums'>;

/** Reads the state of a key, which may be unreadable. Throws for expired credentials and a cancelled request. */
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

/** Reads the object's head; null if the object is absent. Throws if the key is unreadable. */
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
