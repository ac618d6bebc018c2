import { createHash } from 'node:crypto';
import { z } from 'zod';
import { failure, type AppFailure } from '../../../../shared/errors.ts';
import type { ListVersionsInput, ListVersionsPage } from '../model/property-types.ts';
import type { ListObjectsInput, ListObjectsPage, Trail } from '../model/listing-types.ts';
import type { RequestOptions } from '../model/request-types.ts';
import type { S3Client } from '../model/s3-client.ts';
import { protocolFailure } from '../model/s3-errors.ts';

export const noTrail: Trail = { digest: '', digestAt: 0, count: 0, idle: 0 };

/** The maximum number of consecutive pages without an entry. */
export const maxIdlePages = 1000;

/**
 * Returns the trail after a page that is not the last. `names` identifies the page. Throws `listing-stuck` if the listing repeats
 * itself.
 */
export function follow(before: Trail, names: readonly unknown[], isEmpty: boolean): Trail {
  const count = before.count + 1;
  if (isEmpty) {
    if (before.idle >= maxIdlePages) throw stuck('only empty pages');
    return { ...before, count, idle: before.idle + 1 };
  }
  const digest = createHash('sha256').update(JSON.stringify(names)).digest('base64url');
  if (digest === before.digest) throw stuck('the same pages again');
  // When the number of pages has doubled, this page replaces the recorded one. An empty page cannot, so the next page with
  // entries does.
  return count >= 2 * before.digestAt
    ? { digest, digestAt: count, count, idle: 0 }
    : { ...before, count, idle: 0 };
}

/** The form of a trail in a page token. */
export const trailSchema = z.object({ digest: z.string(), digestAt: z.int(), count: z.int(), idle: z.int() });

/** Returns the position in a page token. Throws AppError('invalid-argument') for a text that this client did not issue. */
export function readPageToken<Position>(pageToken: string, schema: z.ZodType<Position>): Position {
  try {
    return schema.parse(JSON.parse(pageToken));
  } catch {
    throw failure('invalid-argument', 'The page token was not issued by this client.');
  }
}

/**
 * Returns the error for a listing that claims to have more entries but never sends them. The entries so far are correct but
 * incomplete.
 */
export function stuck(gives = 'no token of a later page'): AppFailure {
  return protocolFailure(
    'listing-stuck',
    `The list is truncated and incomplete: the service returned ${gives}.`,
  );
}

/**
 * Yields the pages of a listing, including empty ones, until there is no next page. Throws for a listing that never ends, because
 * page tokens detect repetitions.
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
