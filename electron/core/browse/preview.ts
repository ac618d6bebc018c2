import type { ObjectRef, Preview } from '../../../shared/models/objects.ts';
import type { Tickets } from '../bytes/tickets.ts';
import type { ObjectHead } from '../s3/model/object-types.ts';
import { isArchived } from './details.ts';
import { mediaTypeOf } from '../bytes/media-type.ts';

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
  const encoding = contentEncodingOf(head);
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

/**
 * Returns the content encoding; null if none. Ignores `aws-chunked`, which some programs leave in the metadata and which encodes
 * nothing.
 */
function contentEncodingOf(head: ObjectHead): string | null {
  const codings = (head.headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity' && coding !== 'aws-chunked');
  return codings.length === 0 ? null : codings.join(', ');
}
