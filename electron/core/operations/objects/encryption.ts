import { toAppError } from '../../../../shared/errors.ts';
import type { ObjectAttributes, ObjectHead } from '../../s3/model/object-types.ts';
import type { Absent } from './operation-deps.ts';
import type { CopyState } from '../../transfers/items/operation-record.ts';

/** A key that protects an object beyond what the service does for every object. */
export type ObjectKey = NonNullable<CopyState['encryption']>;

const algorithmHeader = 'x-amz-server-side-encryption';
const kmsKeyHeader = 'x-amz-server-side-encryption-aws-kms-key-id';
const customerAlgorithmHeader = 'x-amz-server-side-encryption-customer-algorithm';
const customerKeyHeader = 'x-amz-server-side-encryption-customer-key-md5';

/** The key of KMS, or of the user (SSE-C), that an object is encrypted with, as its HEAD names it; null: none of them. */
export function keyOfHead({ headers }: Pick<ObjectHead, 'headers'>): ObjectKey | null {
  if (headers[customerAlgorithmHeader] !== undefined)
    return { algorithm: 'customer', keyId: headers[customerKeyHeader] ?? null };
  const algorithm = headers[algorithmHeader] ?? '';
  return algorithm.startsWith('aws:kms') ? { algorithm, keyId: headers[kmsKeyHeader] ?? null } : null;
}

/**
 * A copy in parts has to be begun with the customer key that its bytes come with (API_CreateMultipartUpload); one by one
 * request gets it from the client. Nothing where the object has none, or its digest is not told.
 */
export function customerKeyAttribute(
  head: Pick<ObjectHead, 'headers'>,
): Pick<ObjectAttributes, 'customerKeyMd5'> {
  const key = keyOfHead(head);
  return key?.algorithm === 'customer' && key.keyId !== null ? { customerKeyMd5: key.keyId } : {};
}

/**
 * Whether what was under such a key is not under the same one, in the same way, any more. What had none loses nothing: as
 * everywhere on S3, its copy is encrypted as the bucket says.
 */
export function hasLostKey(before: ObjectKey | null, now: ObjectKey | null): boolean {
  if (before === null) return false;
  if (now === null || now.algorithm !== before.algorithm) return true;
  return before.keyId !== null && (now.keyId === null || !isSameKey(before.keyId, now.keyId));
}

/** Whether an object has to be copied in parts, since the service refuses to copy it by one request. */
export function hasToGoInParts(absent: Pick<Absent, 'keyedCopies'>, source: ObjectHead): boolean {
  return absent.keyedCopies && keyOfHead(source) !== null;
}

/** By the answer to a CopyObject: whether it is refused for the key, and the object goes in parts from now on. */
export function learnKeyedCopies(
  absent: Pick<Absent, 'keyedCopies'>,
  source: ObjectHead,
  thrown: unknown,
): boolean {
  if (toAppError(thrown).code !== 'unsupported' || keyOfHead(source) === null) return false;
  absent.keyedCopies = true;
  return true;
}

/** A key is named by its ARN, or by its id alone, which is the end of it. */
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
