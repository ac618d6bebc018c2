import type { ObjectRef, Preview, ObjectDetails } from '../../../shared/models/objects.ts';
import type { ObjectHead } from '../s3/model/object-types.ts';
import { mediaTypeOf, type Tickets } from '../bytes/tickets.ts';
import { archiveClasses } from '../../../shared/models/storage-classes.ts';
import { codingsOf } from '../s3/http/decoded-body.ts';
import { redactHeaders } from '../s3/model/redact.ts';
import { missingMetadata, shownMetadata, unreadableMetadata } from '../s3/requests/attribute-headers.ts';

export interface PreviewDeps {
  readonly tickets: Tickets;
  /** The maximum size to preview, in bytes; 0 turns previews off. */
  readonly limitBytes: number;
}

/**
 * Returns the metadata of an object to preview and a ticket for its bytes, for any size. The window decides how to show it and
 * how much to read.
 */
export function previewOf(ref: ObjectRef, head: ObjectHead, { tickets, limitBytes }: PreviewDeps): Preview {
  if (limitBytes === 0) return { kind: 'none', why: 'off' };
  if (head.sizeBytes === 0) return { kind: 'none', why: 'empty' };
  if (isArchived(head)) return { kind: 'none', why: 'archived' };
  const { sizeBytes, etag, lastModified, contentType } = head;
  const encoding = codingsOf(head.headers['content-encoding'] ?? null).join(', ') || null;
  const media = encoding === null ? mediaTypeOf(ref.key, contentType) : null;
  const shownAs = media ?? 'application/octet-stream';
  const path = tickets.issue({ ref, etag, sizeBytes, lastModified, shownAs });
  return {
    kind: 'object',
    path,
    sizeBytes,
    etag,
    lastModified,
    contentType,
    contentEncoding: encoding,
    storageClass: head.storageClass,
    isPlayable: media !== null,
    limitBytes,
  };
}

export function detailsOf(head: ObjectHead): ObjectDetails {
  return {
    sizeBytes: head.sizeBytes,
    etag: head.etag,
    lastModified: head.lastModified,
    contentType: head.contentType,
    storageClass: head.storageClass,
    versionId: head.versionId,
    encryption: encryptionOf(head.headers),
    metadata: shownMetadata(head.metadata),
    unreadableMetadata: [...unreadableMetadata(head.headers)],
    missingMetadata: missingMetadata(head.headers),
    headers: { ...redactHeaders(head.headers) },
  };
}

/** Returns how an object is encrypted, or null if it is not: https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html */
function encryptionOf(headers: Readonly<Record<string, string>>): string | null {
  const customer = headers['x-amz-server-side-encryption-customer-algorithm'];
  if (customer !== undefined) return `${customer}, key of the customer`;
  const algorithm = headers['x-amz-server-side-encryption'];
  if (algorithm === undefined) return null;
  const key = headers['x-amz-server-side-encryption-aws-kms-key-id'];
  return key === undefined ? algorithm : `${algorithm}, key ${key}`;
}

export function isArchived(head: Pick<ObjectHead, 'storageClass' | 'headers'>): boolean {
  // INTELLIGENT_TIERING reports the archive state in its own header.
  const archived =
    archiveClasses.has(head.storageClass ?? '') || head.headers['x-amz-archive-status'] !== undefined;
  return archived && !/ongoing-request="false"/.test(head.headers['x-amz-restore'] ?? '');
}
