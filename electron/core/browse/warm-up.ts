import { folderPageSchema } from '../../../shared/models/objects.ts';
import type { Clock } from '../ports.ts';
import { folderPageOf } from './folder.ts';
import { readListing } from '../s3/xml/listing-response.ts';
import { parseXml } from '../s3/xml/parse.ts';

/** The delay in ms until the user's first request is in flight. */
const beginAfterMs = 150;
const betweenMs = 10;
const rounds = 4;
const rowsPerKind = 500;

/**
 * Parses a made-up listing a few times once the first connection is in use, so that the JIT compiles the parser. Otherwise the
 * first large folder takes 20 ms longer than later ones. Pauses between rounds. Rejects only if `sleep` does, because the listing
 * is valid.
 */
export async function warmUpListings(clock: Pick<Clock, 'sleep'>): Promise<void> {
  await clock.sleep(beginAfterMs);
  const bytes = Buffer.from(madeUpListing(), 'utf8');
  for (let round = 0; round < rounds; round += 1) {
    const listing = readListing(parseXml(bytes));
    const page = folderPageOf({ ...listing, nextPageToken: null, foreign: [] }, 'warm/');
    JSON.stringify(folderPageSchema.parse(page));
    await clock.sleep(betweenMs);
  }
}

function madeUpListing(): string {
  const rows = Array.from(
    { length: rowsPerKind },
    (_, index) =>
      `<Contents><Key>warm/${index}.txt</Key><LastModified>2026-01-01T08:30:00.000Z</LastModified>` +
      `<ETag>&quot;${String(index).padStart(32, '0')}&quot;</ETag><Size>${index}</Size>` +
      `<StorageClass>STANDARD</StorageClass></Contents><CommonPrefixes><Prefix>warm/${index}/</Prefix></CommonPrefixes>`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">` +
    `<Prefix>warm/</Prefix><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>${rows.join('')}</ListBucketResult>`
  );
}
