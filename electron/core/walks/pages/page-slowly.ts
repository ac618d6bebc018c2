import { readListing, requireReadable } from '../../s3/xml/listing-answer.ts';
import { parseXml } from '../../s3/xml/parse.ts';
import { tallyFolder } from './folder-tally.ts';
import type { PageSum } from './page-messages.ts';
import { tallyObjects, type TallyOptions } from './page-tally.ts';

/**
 * Reads what the quick reader leaves alone, as the client itself would. Loaded when first wanted: with the library and all
 * it needs a thread takes 15 MB more.
 * Null: no listing. Throws AppFailure protocol for a damaged one.
 */
export function tallySlowly(bytes: Buffer, options: TallyOptions, isFolder: boolean): PageSum | null {
  const root = parseXml(bytes);
  if (root.name !== 'ListBucketResult') return null;
  const listing = readListing(root);
  requireReadable(listing.unreadable);
  if (isFolder) return tallyFolder(listing, options);
  return tallyObjects(listing.objects, listing.isTruncated, options);
}
