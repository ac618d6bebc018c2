import { readListing, requireReadable } from '../../s3/xml/listing-answer.ts';
import { parseXml } from '../../s3/xml/parse.ts';
import { tallyFolder } from './folder-tally.ts';
import type { PageSum } from './page-messages.ts';
import { tallyObjects, type TallyOptions } from './page-tally.ts';

/**
 * Parses pages that the fast parser rejects, as the client itself would. Loaded lazily, because the library takes 15 MB in each
 * thread. Returns null if the body is no listing. Throws AppError('protocol') for a damaged one.
 */
export function tallySlowly(bytes: Buffer, options: TallyOptions, isFolder: boolean): PageSum | null {
  const root = parseXml(bytes);
  if (root.name !== 'ListBucketResult') return null;
  const listing = readListing(root);
  requireReadable(listing.unreadable);
  if (isFolder) return tallyFolder(listing, options);
  return tallyObjects(listing.objects, listing.isTruncated, options);
}
