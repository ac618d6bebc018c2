import { protocolFailure } from '../s3/errors.ts';
import { readListing } from '../s3/xml/listing.ts';
import { parseXml } from '../s3/xml/parse.ts';
import { toAppError, type AppError } from '../../../shared/errors.ts';
import type { PageSum } from './page-messages.ts';
import { ForeignKey, tallyObjects, type TallyOptions } from './page-tally.ts';

/**
 * Reads what the quick reader leaves alone, as the client itself would. Loaded when first wanted: with the library and all
 * it needs a thread takes 15 MB more.
 * Null: no listing. Throws AppFailure protocol for a damaged one.
 */
export function tallySlowly(bytes: Buffer, options: TallyOptions): PageSum | null {
  const root = parseXml(bytes);
  if (root.name !== 'ListBucketResult') return null;
  const listing = readListing(root);
  return tallyObjects(listing.objects, listing.isTruncated, options);
}

/** What went wrong with a page, for the main thread. */
export function errorOf(thrown: unknown): AppError {
  if (!(thrown instanceof ForeignKey)) return toAppError(thrown);
  const { error } = protocolFailure(
    'unexpected-answer',
    `The service listed a key that does not begin with the prefix that was asked for: "${thrown.message.slice(0, 100)}"`,
    { retry: 'after-fix' },
  );
  return error;
}
