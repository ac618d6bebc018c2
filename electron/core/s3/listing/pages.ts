import { failure } from '../../../../shared/errors.ts';
import type { ListVersionsInput, ListVersionsPage } from '../model/property-types.ts';
import type { ListObjectsInput, ListObjectsPage } from '../model/listing-types.ts';
import type { RequestOptions } from '../model/request-types.ts';
import type { S3Client } from '../model/s3-client.ts';

/**
 * Yields the pages of a listing, including empty ones, until there is no next page. Throws for a listing that never ends, because
 * page tokens detect repetitions (trail.ts).
 */
export async function* pagesOf<Page, Next>(
  /** Requests a page. `left` aborts when the caller stops reading, which cancels a page requested ahead. */
  ask: (next: Next | null, left: AbortSignal) => Promise<Page>,
  nextOf: (page: Page) => Next | null,
  options: { readonly from?: Next | null; readonly ahead?: boolean } = {},
): AsyncGenerator<Page, void, void> {
  const leaving = new AbortController();
  try {
    let coming = ask(options.from ?? null, leaving.signal);
    for (;;) {
      const page = await coming;
      const next = nextOf(page);
      // The next page is requested while the caller processes this one.
      if (options.ahead === true && next !== null) {
        coming = ask(next, leaving.signal);
        // If the caller stops here, nothing else awaits the next page.
        coming.catch(() => undefined);
      }
      yield page;
      if (next === null) return;
      if (options.ahead !== true) coming = ask(next, leaving.signal);
    }
  } finally {
    leaving.abort(failure('cancelled', 'The reader of this listing stopped.'));
  }
}

interface PagesOptions extends RequestOptions {
  readonly ahead?: boolean;
}

/** Yields all pages of ListObjectsV2, or of V1. */
export function objectPages(
  client: Pick<S3Client, 'listObjects'>,
  input: Omit<ListObjectsInput, 'pageToken'>,
  { ahead = false, ...options }: PagesOptions = {},
): AsyncGenerator<ListObjectsPage, void, void> {
  return pagesOf(
    async (pageToken: string | null, left) =>
      await client.listObjects(
        { ...input, ...(pageToken === null ? {} : { pageToken }) },
        { ...options, signal: options.signal === undefined ? left : AbortSignal.any([options.signal, left]) },
      ),
    (page) => page.nextPageToken,
    { ahead },
  );
}

/** Yields all pages of ListObjectVersions. */
export function versionPages(
  client: Pick<S3Client, 'listObjectVersions'>,
  input: Omit<ListVersionsInput, 'pageToken'>,
  options: RequestOptions = {},
): AsyncGenerator<ListVersionsPage, void, void> {
  return pagesOf(
    async (pageToken: string | null) =>
      await client.listObjectVersions({ ...input, ...(pageToken === null ? {} : { pageToken }) }, options),
    (page) => page.nextPageToken,
  );
}
