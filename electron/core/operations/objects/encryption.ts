import { toAppError } from '../../../../shared/errors.ts';
import type { ObjectAttributes, ObjectHead } from '../../s3/model/object-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import type { Absent } from './operation-deps.ts';
import type { CopyState } from '../../transfers/items/operation-record.ts';

/** An encryption key of KMS or of the user, beyond the encryption that the service applies to every object. */
export type ObjectKey = NonNullable<CopyState['encryption']>;

const algorithmHeader = 'x-amz-server-side-encryption';
const kmsKeyHeader = 'x-amz-server-side-encryption-aws-kms-key-id';
const customerAlgorithmHeader = 'x-amz-server-side-encryption-customer-algorithm';
const customerKeyHeader = 'x-amz-server-side-encryption-customer-key-md5';

/** Returns the key of KMS or of the user (SSE-C) that encrypts an object, as its HEAD names it; null: neither. */
export function keyOfHead({ headers }: Pick<ObjectHead, 'headers'>): ObjectKey | null {
  if (headers[customerAlgorithmHeader] !== undefined)
    return { algorithm: 'customer', keyId: headers[customerKeyHeader] ?? null };
  const algorithm = headers[algorithmHeader] ?? '';
  return algorithm.startsWith('aws:kms') ? { algorithm, keyId: headers[kmsKeyHeader] ?? null } : null;
}

/**
 * Returns the customer key that a multipart copy must be created with (API_CreateMultipartUpload). For single requests
 * the client adds it. Returns nothing if the object has no such key or its digest is unknown.
 */
export function customerKeyAttribute(
  head: Pick<ObjectHead, 'headers'>,
): Pick<ObjectAttributes, 'customerKeyMd5'> {
  const key = keyOfHead(head);
  return key?.algorithm === 'customer' && key.keyId !== null ? { customerKeyMd5: key.keyId } : {};
}

/**
 * Returns true if an object encrypted with a key is no longer encrypted with the same key and algorithm. An object
 * without one loses nothing: S3 encrypts its copy by the bucket's default.
 */
export function hasLostKey(before: ObjectKey | null, now: ObjectKey | null): boolean {
  if (before === null) return false;
  if (now === null || now.algorithm !== before.algorithm) return true;
  return before.keyId !== null && (now.keyId === null || !isSameKey(before.keyId, now.keyId));
}

/**
 * Returns true if the object must be copied in parts because a single CopyObject is refused, or would not encrypt the copy: Ceph
 * 16.2.15 ignores the customer key for the copy of an object that has none.
 */
export function hasToGoInParts(
  absent: Pick<Absent, 'keyedCopies'>,
  source: ObjectHead,
  target: Pick<S3Client, 'defaultEncryption'>,
): boolean {
  if (keyOfHead(source) !== null) return absent.keyedCopies;
  return target.defaultEncryption().kind === 'customer';
}

/** Returns true if CopyObject was refused for the encryption key, and remembers to copy such objects in parts. */
export function learnKeyedCopies(
  absent: Pick<Absent, 'keyedCopies'>,
  source: ObjectHead,
  thrown: unknown,
): boolean {
  if (toAppError(thrown).code !== 'unsupported' || keyOfHead(source) === null) return false;
  absent.keyedCopies = true;
  return true;
}

/** Compares two KMS keys, each named by its ARN or only by the id at the ARN's end. */
function isSameKey(left: string, right: string): boolean {
  if (isArn(left) && isArn(right)) return left === right;
  return idOf(left) === idOf(right);
}

function isArn(name: string): boolean {
  return name.startsWith('arn:');
}

function idOf(name: string): string {
  return isArn(name) ? name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1) : name;
}
