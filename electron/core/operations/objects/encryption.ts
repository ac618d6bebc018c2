import { toAppError } from '../../../../shared/errors.ts';
import type { ObjectAttributes, ObjectHead } from '../../s3/model/object-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import type { Absent } from './operation-deps.ts';
import type { CopyState } from '../../transfers/items/operation-record.ts';
import type { ItemNote } from '../../../../shared/models/transfers.ts';

/** The key of KMS or of the user (SSE-C) that encrypts an object. The service's default encryption has none. */
export type ObjectKey = NonNullable<CopyState['encryption']>;

const algorithmHeader = 'x-amz-server-side-encryption';
const kmsKeyHeader = 'x-amz-server-side-encryption-aws-kms-key-id';
const customerAlgorithmHeader = 'x-amz-server-side-encryption-customer-algorithm';
const customerKeyHeader = 'x-amz-server-side-encryption-customer-key-md5';

/** Returns the encryption key that HEAD names, of KMS or of the user (SSE-C); null if it names none. */
export function keyOfHead({ headers }: Pick<ObjectHead, 'headers'>): ObjectKey | null {
  if (headers[customerAlgorithmHeader] !== undefined)
    return { algorithm: 'customer', keyId: headers[customerKeyHeader] ?? null };
  const algorithm = headers[algorithmHeader] ?? '';
  return algorithm.startsWith('aws:kms') ? { algorithm, keyId: headers[kmsKeyHeader] ?? null } : null;
}

/**
 * Returns the customer's key for creating a copy in parts (API_CreateMultipartUpload); {} if the object has none or its digest is
 * unknown. In single requests, the client adds the key.
 */
export function customerKeyAttribute(
  head: Pick<ObjectHead, 'headers'>,
): Pick<ObjectAttributes, 'customerKeyMd5'> {
  const key = keyOfHead(head);
  return key?.algorithm === 'customer' && key.keyId !== null ? { customerKeyMd5: key.keyId } : {};
}

/**
 * Returns true if an object had an encryption key and now has another key, another algorithm or none. An object without a key
 * loses nothing, because S3 encrypts its copy by the bucket's default.
 */
export function hasLostKey(before: ObjectKey | null, now: ObjectKey | null): boolean {
  if (before === null) return false;
  if (now === null || now.algorithm !== before.algorithm) return true;
  return before.keyId !== null && (now.keyId === null || !isSameKey(before.keyId, now.keyId));
}

/**
 * Returns true if the object must be copied in parts, because CopyObject would fail or leave the copy unencrypted. (Ceph 16.2.15
 * ignores the customer's key for a copy whose source has none.)
 */
export function hasToGoInParts(
  absent: Pick<Absent, 'keyedCopies'>,
  source: ObjectHead,
  target: Pick<S3Client, 'defaultEncryption'>,
): boolean {
  if (keyOfHead(source) !== null) return absent.keyedCopies;
  return target.defaultEncryption().kind === 'customer';
}

/**
 * Returns true if CopyObject was refused because of the object's encryption key. From then on, such objects are copied in parts.
 */
export function learnKeyedCopies(
  absent: Pick<Absent, 'keyedCopies'>,
  source: ObjectHead,
  thrown: unknown,
): boolean {
  const { code, reason } = toAppError(thrown);
  if (code !== 'unsupported' || reason === 'acl-not-carried' || keyOfHead(source) === null) return false;
  absent.keyedCopies = true;
  return true;
}

/** Returns true if two names mean the same KMS key. A name is an ARN or only the id at its end. */
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

type Note = ItemNote | null;

/**
 * Returns the note that the ACL could not be read. It replaces any other note, except that it is combined with that of a changed
 * encryption.
 */
export function notedAclUnread(note: Note): Note {
  return isOfEncryption(note) ? 'acl-unread-encryption-changed' : 'acl-unread';
}

/**
 * Adds the note of a changed encryption, or removes it, because an earlier copy may have been encrypted differently. Keeps the
 * note of an unread ACL.
 */
export function notedEncryption(note: Note, isLost: boolean): Note {
  const isUnread = note === 'acl-unread' || note === 'acl-unread-encryption-changed';
  if (isLost) return isUnread ? 'acl-unread-encryption-changed' : 'encryption-changed';
  if (!isOfEncryption(note)) return note;
  return isUnread ? 'acl-unread' : null;
}

function isOfEncryption(note: Note): boolean {
  return note === 'encryption-changed' || note === 'acl-unread-encryption-changed';
}
