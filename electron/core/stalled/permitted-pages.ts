import type { AppError } from '../../../shared/errors.ts';
import type { StartPlace } from '../../../shared/models/connection.ts';
import { uploadPages } from '../multipart/list-uploads.ts';
import { denialOf, permittedPrefixes } from '../s3/listing/permitted-prefixes.ts';
import type { ListMultipartUploadsPage } from '../s3/model/multipart-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';

export interface PermittedOptions {
  /** The start folder of the connection; null if it has none. */
  readonly start: StartPlace | null;
  readonly setsAside?: boolean;
  /** Called if listing the whole place is denied, so that only the start folder is listed. */
  readonly onDenied: (error: AppError) => void;
}

/** Lists the uploads of a place. If that is denied, lists those below the start folder of the connection. */
export async function* permittedPages(
  client: S3Client,
  place: StartPlace,
  signal: AbortSignal,
  { start, setsAside = false, onDenied }: PermittedOptions,
): AsyncGenerator<ListMultipartUploadsPage> {
  const prefixes = permittedPrefixes(place, start);
  for (const [at, prefix] of prefixes.entries())
    try {
      yield* uploadPages(client, place.bucket, prefix, signal, { setsAside });
      return;
    } catch (thrown) {
      const denial = denialOf(thrown);
      if (denial === null || at === prefixes.length - 1) throw thrown;
      onDenied(denial);
    }
}
