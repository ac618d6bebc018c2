import type { Archive, ObjectProperties } from '../../../shared/models/properties.ts';
import { detailsOf, isArchived } from '../browse/details.ts';
import type { ObjectHead } from '../s3/model/object-types.ts';
import { missingMetadata, shownMetadata, unreadableMetadata } from '../s3/requests/attribute-headers.ts';

/** Returns the properties from a HEAD response; tags need a separate request. */
export function propertiesOf(head: ObjectHead): Omit<ObjectProperties, 'tags' | 'tagsError'> {
  const { headers } = head;
  const text = (name: string): string | null => headers[name] ?? null;
  return {
    contentType: head.contentType,
    cacheControl: text('cache-control'),
    contentDisposition: text('content-disposition'),
    contentEncoding: text('content-encoding'),
    contentLanguage: text('content-language'),
    expires: timeOf(text('expires')),
    storageClass: head.storageClass ?? 'STANDARD',
    metadata: shownMetadata(head.metadata),
    unreadableMetadata: [...unreadableMetadata(headers)],
    missingMetadata: missingMetadata(headers),
    encryption: detailsOf(head).encryption,
    archive: archiveOf(head),
  };
}

/**
 * x-amz-restore is `ongoing-request="true"`, or `ongoing-request="false", expiry-date="Fri, 21 Dec 2012 00:00:00 GMT"`.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
 */
export function archiveOf(head: Pick<ObjectHead, 'storageClass' | 'headers'>): Archive {
  const restore = head.headers['x-amz-restore'] ?? '';
  if (/ongoing-request="true"/.test(restore)) return { state: 'being-restored' };
  if (/ongoing-request="false"/.test(restore)) {
    const [, until] = /expiry-date="([^"]*)"/.exec(restore) ?? [];
    return { state: 'restored', until: timeOf(until ?? null) };
  }
  return isArchived(head) ? { state: 'archived' } : { state: 'readable' };
}

function timeOf(text: string | null): string | null {
  const atMs = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}
