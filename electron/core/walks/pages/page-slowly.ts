import { readListing, requireReadable } from '../../s3/xml/listing-response.ts';
import { parseXml } from '../../s3/xml/parse.ts';
import { tallyFolder } from './folder-tally.ts';
import type { PageSum } from './page-messages.ts';
import { tallyObjects, type TallyOptions } from './page-tally.ts';

/**
 * Parses a page that the fast parser rejected, with the client's XML parser. Returns null if the body is not a listing. Loaded
 * lazily, because that parser takes 15 MB in each thread. Throws `AppError('protocol')` for a damaged listing.
 */
export function tallySlowly(bytes: Buffer, options: TallyOptions, isFolder: boolean): PageSum | null {
  const root = parseXml(bytes);
  if (root.name !== 'ListBucketResult') return null;
  const listing = readListing(root);
  requireReadable(listing.unreadable);
  if (isFolder) return tallyFolder(listing, options);
  return tallyObjects(listing.objects, listing.isTruncated, options);
}
