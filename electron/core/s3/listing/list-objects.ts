import { z } from 'zod';
import { foreignNames } from './prefixes.ts';
import { compareUtf8 } from '../model/encode.ts';
import type { Executor } from '../http/executor.ts';
import { repeatable } from '../http/s3-operation.ts';
import { withFallback } from '../http/optional-parts.ts';
import { follow, noTrail, readPageToken, stuck, trailSchema } from './pages.ts';
import type { Trail, ListKeysInput, ListObjectsInput, ListObjectsPage } from '../model/listing-types.ts';
import type { BodyReader, RequestOptions } from '../model/request-types.ts';
import type { S3Client } from '../model/s3-client.ts';
import { readListing, requireReadable, type ListingResponse } from '../xml/listing-response.ts';

/** The position at which the next page starts. It is encoded in a page token, which other files do not read. */
const positionSchema = z.discriminatedUnion('v', [
  z.object({
    v: z.literal(2),
    token: z.string(),
    /** The greatest entry listed so far, after which a V1 listing can continue. */
    after: z.string(),
    seen: trailSchema,
  }),
  z.object({ v: z.literal(1), marker: z.string() }),
  /** After this key or common prefix. The page is listed in the version that the service supports. */
  z.object({ v: z.literal('after'), after: z.string() }),
]);

type Position = z.infer<typeof positionSchema>;

/** Returns the token of the page that starts after a key or a common prefix. */
export function tokenAfter(after: string): string {
  return JSON.stringify({ v: 'after', after } satisfies Position);
}

/**
 * Returns the greatest entry before the page of a token. Throws AppError('invalid-argument') if it is not a page token of this
 * client.
 */
export function afterOfToken(pageToken: string): string {
  const position = readPageToken(pageToken, positionSchema);
  return position.v === 1 ? position.marker : position.after;
}

/**
 * Returns the `start-after` value that continues a delimited listing after a common prefix. Some services would list that prefix
 * again; the greatest possible key below it makes all services skip it.
 */
export function startBehind(after: string, prefix: string): string {
  return after.length > prefix.length && after.endsWith('/') ? `${after}\u{10FFFF}` : after;
}

interface Listing extends ListingResponse {
  readonly foreign: readonly string[];
}

const versionTwo = 'ListObjectsV2';

/**
 * Creates the requests for listings. They use ListObjectsV2, or V1 if V2 is missing or broken; page tokens contain the version.
 */
export function createLister(executor: Executor): Pick<S3Client, 'listObjects' | 'listKeys'> {
  const { memory } = executor;

  /** Lists one page after a key. `start-after` of V2 and `marker` of V1 mean the same, so each page may use either version. */
  const listKeys: S3Client['listKeys'] = async (input, open, options) => {
    const ask = (by: 1 | 2) => async (tries: RequestOptions | undefined) =>
      await readPage(executor, input, by, open, tries);
    return await withFallback(memory, versionTwo, options, { first: ask(2), second: ask(1) });
  };

  const listObjects: S3Client['listObjects'] = async (input, options) => {
    const position = input.pageToken === undefined ? null : readPageToken(input.pageToken, positionSchema);
    if (position?.v === 'after') {
      const { pageToken: _, ...first } = input;
      const startAfter = startBehind(position.after, input.prefix ?? '');
      return await listObjects({ ...first, startAfter }, options);
    }
    if (position?.v === 1) return await pageV1(executor, input, position.marker, options);
    const second = async (tries: RequestOptions | undefined) =>
      await pageV1(executor, input, position?.after ?? input.startAfter, tries);
    const first = async (tries: RequestOptions | undefined) => await pageV2(executor, input, position, tries);
    const page =
      position === null
        ? await withFallback(memory, versionTwo, options, { first, second })
        : await first(options);
    if (page !== 'broken') return page;
    const listed = await second(options);
    memory.refuses(versionTwo);
    return listed;
  };
  return { listObjects, listKeys };
}

async function readPage<T>(
  executor: Executor,
  input: ListKeysInput,
  version: 1 | 2,
  open: () => BodyReader<T>,
  options: RequestOptions | undefined,
): Promise<T> {
  const { bucket, prefix, after, delimiter, namesOwners } = input;
  const query = {
    ...commonQuery({ bucket, prefix, maxKeys: 1000, ...(delimiter === undefined ? {} : { delimiter }) }),
    ...(version === 2 ? { 'list-type': '2' } : {}),
    ...(version === 2 && namesOwners === true ? { 'fetch-owner': 'true' } : {}),
    ...(after === null ? {} : { [version === 2 ? 'start-after' : 'marker']: after }),
  };
  const name = version === 2 ? 'ListObjectsV2' : 'ListObjects';
  return await executor.execute(
    repeatable({ name, method: 'GET', bucket, query }),
    options,
    async (response) => await response.readBy('ListBucketResult', open()),
  );
}

function commonQuery(input: ListObjectsInput): Record<string, string> {
  return {
    'encoding-type': 'url',
    ...(input.prefix ? { prefix: input.prefix } : {}),
    ...(input.delimiter ? { delimiter: input.delimiter } : {}),
    ...(input.maxKeys === undefined ? {} : { 'max-keys': String(input.maxKeys) }),
  };
}

async function request(
  executor: Executor,
  name: string,
  input: ListObjectsInput,
  query: Record<string, string>,
  options: RequestOptions | undefined,
): Promise<Listing> {
  return await executor.execute(
    repeatable({ name, method: 'GET', bucket: input.bucket, query }),
    options,
    async (response) => {
      const listing = readListing(await response.xml('ListBucketResult'), response.quote);
      if (input.setsAside !== true) requireReadable(listing.unreadable);
      return withoutForeign(listing, input.prefix ?? '');
    },
  );
}

/** Removes names outside the prefix, because no operation may touch them. */
function withoutForeign(listing: ListingResponse, prefix: string): Listing {
  const foreign = foreignNames([...listing.objects.map(({ key }) => key), ...listing.commonPrefixes], prefix);
  if (foreign.length === 0) return { ...listing, foreign };
  return {
    ...listing,
    objects: listing.objects.filter(({ key }) => key.startsWith(prefix)),
    commonPrefixes: listing.commonPrefixes.filter((name) => name.startsWith(prefix)),
    foreign,
  };
}

async function pageV2(
  executor: Executor,
  input: ListObjectsInput,
  position: (Position & { v: 2 }) | null,
  options: RequestOptions | undefined,
): Promise<ListObjectsPage | 'broken'> {
  const listing = await request(
    executor,
    'ListObjectsV2',
    input,
    {
      ...commonQuery(input),
      'list-type': '2',
      ...(input.namesOwners === true ? { 'fetch-owner': 'true' } : {}),
      ...(input.startAfter ? { 'start-after': input.startAfter } : {}),
      ...(position ? { 'continuation-token': position.token } : {}),
    },
    options,
  );
  if (!listing.isTruncated) return pageOf(listing, null);
  const token = listing.nextContinuationToken;
  // A truncated page without a continuation token is requested again in V1 (minio/mc#3067).
  if (token === null) return 'broken';
  if (token === position?.token) throw stuck();
  const seen = trailOf(position?.seen ?? noTrail, listing);
  const after = greater(greatestOf(listing), position?.after ?? input.startAfter ?? '');
  return pageOf(listing, { v: 2, token, after, seen });
}

async function pageV1(
  executor: Executor,
  input: ListObjectsInput,
  marker: string | undefined,
  options: RequestOptions | undefined,
): Promise<ListObjectsPage> {
  const listing = await request(
    executor,
    'ListObjects',
    input,
    { ...commonQuery(input), ...(marker ? { marker } : {}) },
    options,
  );
  // Some servers repeat the common prefix that was used as the marker.
  const fresh = { ...listing, commonPrefixes: listing.commonPrefixes.filter((prefix) => prefix !== marker) };
  if (!listing.isTruncated) return pageOf(fresh, null);
  // AWS sends NextMarker only with a delimiter, and some servers never do (boto3#2941).
  const greatest = greatestOf(listing);
  const next =
    listing.nextMarkers.find((marker) => marker === greatest) ?? listing.nextMarkers[0] ?? greatest;
  if (next === null || compareUtf8(next, marker ?? '') <= 0) throw stuck();
  return pageOf(fresh, { v: 1, marker: next });
}

function trailOf(before: Trail, { objects, commonPrefixes }: ListingResponse): Trail {
  const isEmpty = objects.length + commonPrefixes.length === 0;
  return follow(before, [objects.map(({ key }) => key), commonPrefixes], isEmpty);
}

function greater(a: string | null, b: string): string {
  return a !== null && compareUtf8(a, b) > 0 ? a : b;
}

function greatestOf({ objects, commonPrefixes }: ListingResponse): string | null {
  const names = [...objects.map(({ key }) => key), ...commonPrefixes];
  return names.reduce<string | null>((greatest, name) => greater(greatest, name), null);
}

function pageOf(listing: Listing, next: Position | null): ListObjectsPage {
  return {
    objects: listing.objects,
    commonPrefixes: listing.commonPrefixes,
    nextPageToken: next === null ? null : JSON.stringify(next),
    unreadable: listing.unreadable,
    foreign: listing.foreign,
  };
}
