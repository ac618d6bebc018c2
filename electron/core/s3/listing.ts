import { createHash } from 'node:crypto';
import { AppFailure, failure } from '../../../shared/errors.ts';
import { compareUtf8 } from './encode.ts';
import { protocolFailure } from './errors.ts';
import type { Executor } from './executor.ts';
import type {
  BodyReader,
  ListKeysInput,
  ListObjectsInput,
  ListObjectsPage,
  RequestOptions,
} from './types.ts';
import { readListing, type ListingAnswer } from './xml/listing.ts';

/** Where the next page begins. Opaque outside this file. */
type Position =
  | {
      readonly v: 2;
      readonly token: string;
      /** The greatest entry so far: where V1 would go on. */
      readonly after: string;
      readonly seen: SeenPage;
    }
  | { readonly v: 1; readonly marker: string };

/**
 * One earlier page, to know it again: a service that repeats pages under ever-new tokens would be listed for ever. It is
 * replaced at each power of two (R. P. Brent's way to find a cycle), so that a round of any length is noticed, though
 * the keys come in an order of the service's own.
 */
interface SeenPage {
  readonly digest: string;
  /** Pages so far. */
  readonly count: number;
  /** Pages without an entry, one after the other: some services leave out what they have read, but not for ever. */
  readonly idle: number;
}

const maxIdlePages = 1000;
const nothingSeen: SeenPage = { digest: '', count: 0, idle: 0 };

/** Takes a page that says that there is more into account; throws where the listing goes round in a circle. */
function see(before: SeenPage, listing: ListingAnswer): SeenPage {
  const count = before.count + 1;
  if (listing.objects.length + listing.commonPrefixes.length === 0) {
    if (before.idle >= maxIdlePages) throw stuck();
    return { digest: before.digest, count, idle: before.idle + 1 };
  }
  const names = [listing.objects.map(({ key }) => key), listing.commonPrefixes];
  const digest = createHash('sha256').update(JSON.stringify(names)).digest('base64url');
  if (digest === before.digest) throw stuck();
  const isPowerOfTwo = (count & (count - 1)) === 0;
  return { digest: isPowerOfTwo || before.digest === '' ? digest : before.digest, count, idle: 0 };
}

function readPosition(pageToken: string | undefined): Position | null {
  if (pageToken === undefined) return null;
  try {
    const value: unknown = JSON.parse(pageToken);
    if (isPosition(value)) return value;
  } catch {
    // Told below, as for any other text that is no token of ours.
  }
  throw failure('invalid-argument', 'The page token is not one that this client gave out.');
}

function isPosition(value: unknown): value is Position {
  if (typeof value !== 'object' || value === null || !('v' in value)) return false;
  if (value.v === 1) return 'marker' in value && typeof value.marker === 'string';
  return (
    value.v === 2 &&
    'token' in value &&
    typeof value.token === 'string' &&
    'after' in value &&
    typeof value.after === 'string' &&
    'seen' in value &&
    isSeenPage(value.seen)
  );
}

function isSeenPage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!('digest' in value) || !('count' in value) || !('idle' in value)) return false;
  return (
    typeof value.digest === 'string' && Number.isSafeInteger(value.count) && Number.isSafeInteger(value.idle)
  );
}

export interface Lister {
  listObjects(input: ListObjectsInput, options?: RequestOptions): Promise<ListObjectsPage>;
  listKeys<T>(input: ListKeysInput, open: () => BodyReader<T>, options?: RequestOptions): Promise<T>;
}

/** ListObjectsV2, or V1 where V2 is missing or broken; which one it was stays inside the page token. */
export function createLister(executor: Executor): Lister {
  let version: 1 | 2 = executor.quirks.listVersion;

  /** Each page by itself: `start-after` and `marker` mean the same, and no token leads from one to the next. */
  const listKeys: Lister['listKeys'] = async (input, open, options) => {
    const ask = async (by: 1 | 2) => await readPage(executor, input, by, open, options);
    if (version === 1) return await ask(1);
    try {
      return await ask(2);
    } catch (thrown) {
      if (!speaksOnlyV1(thrown)) throw thrown;
      const value = await ask(1).catch((second: unknown) => {
        throw speaksOnlyV1(second) ? thrown : second;
      });
      version = 1;
      return value;
    }
  };

  const listObjects: Lister['listObjects'] = async (input, options) => {
    const position = readPosition(input.pageToken);
    if (position?.v === 1 || (position === null && version === 1)) {
      return await pageV1(executor, input, position?.v === 1 ? position.marker : input.startAfter, options);
    }
    const after = position?.after ?? input.startAfter;
    try {
      const page = await pageV2(executor, input, position, options);
      if (page !== 'broken') return page;
    } catch (thrown) {
      if (!speaksOnlyV1(thrown) || position !== null) throw thrown;
      return await fallBack(thrown);
    }
    return await fallBack(null);

    async function fallBack(reason: unknown): Promise<ListObjectsPage> {
      try {
        const page = await pageV1(executor, input, after, options);
        version = 1;
        return page;
      } catch (thrown) {
        // When V1 is refused in the same way the parameter was not the matter: the first answer is the true one.
        throw reason !== null && speaksOnlyV1(thrown) ? reason : thrown;
      }
    }
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
  const { bucket, prefix, after } = input;
  const query = {
    ...commonQuery({ bucket, prefix, maxKeys: 1000 }),
    ...(version === 2 ? { 'list-type': '2' } : {}),
    ...(after === null ? {} : { [version === 2 ? 'start-after' : 'marker']: after }),
  };
  const name = version === 2 ? 'ListObjectsV2' : 'ListObjects';
  return await executor.execute(
    { name, method: 'GET', bucket, query, effect: 'read', repeatable: 'always' },
    options,
    async (answer) => await answer.readBy('ListBucketResult', open()),
  );
}

function speaksOnlyV1(thrown: unknown): boolean {
  if (!(thrown instanceof AppFailure)) return false;
  const { code } = thrown.error.s3 ?? {};
  return code === 'NotImplemented' || code === 'InvalidArgument' || thrown.error.code === 'unsupported';
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
  bucket: string,
  query: Record<string, string>,
  options: RequestOptions | undefined,
): Promise<{ readonly listing: ListingAnswer; readonly requestId: string | null }> {
  return await executor.execute(
    { name, method: 'GET', bucket, query, effect: 'read', repeatable: 'always' },
    options,
    async (answer) => ({
      listing: readListing(await answer.xml('ListBucketResult')),
      requestId: answer.requestId,
    }),
  );
}

async function pageV2(
  executor: Executor,
  input: ListObjectsInput,
  position: (Position & { v: 2 }) | null,
  options: RequestOptions | undefined,
): Promise<ListObjectsPage | 'broken'> {
  const { listing, requestId } = await request(
    executor,
    'ListObjectsV2',
    input.bucket,
    {
      ...commonQuery(input),
      'list-type': '2',
      ...(input.startAfter ? { 'start-after': input.startAfter } : {}),
      ...(position ? { 'continuation-token': position.token } : {}),
    },
    options,
  );
  if (!listing.isTruncated) return pageOf(listing, null, requestId);
  const token = listing.nextContinuationToken;
  // minio/mc#3067: a truncated page that does not say where to go on. The page is asked for again in V1.
  if (token === null) return 'broken';
  if (token === position?.token) throw stuck();
  const seen = see(position?.seen ?? nothingSeen, listing);
  const after = greater(greatestOf(listing), position?.after ?? input.startAfter ?? '');
  return pageOf(listing, { v: 2, token, after, seen }, requestId);
}

async function pageV1(
  executor: Executor,
  input: ListObjectsInput,
  marker: string | undefined,
  options: RequestOptions | undefined,
): Promise<ListObjectsPage> {
  const { listing, requestId } = await request(
    executor,
    'ListObjects',
    input.bucket,
    { ...commonQuery(input), ...(marker ? { marker } : {}) },
    options,
  );
  // A server that does not skip the common prefix that is the marker would list it twice.
  const fresh = { ...listing, commonPrefixes: listing.commonPrefixes.filter((prefix) => prefix !== marker) };
  if (!listing.isTruncated) return pageOf(fresh, null, requestId);
  // NextMarker is there only with a delimiter on AWS, and never on some servers (boto3#2941).
  const greatest = greatestOf(listing);
  const next =
    listing.nextMarkers.find((marker) => marker === greatest) ?? listing.nextMarkers[0] ?? greatest;
  if (next === null || compareUtf8(next, marker ?? '') <= 0) throw stuck();
  return pageOf(fresh, { v: 1, marker: next }, requestId);
}

function stuck(): AppFailure {
  return protocolFailure(
    'listing-stuck',
    'The service says that there is more, but gives no way to go on: the list is not complete.',
    { retry: 'after-fix' },
  );
}

function greater(a: string | null, b: string): string {
  return a !== null && compareUtf8(a, b) > 0 ? a : b;
}

function greatestOf(listing: ListingAnswer): string | null {
  let greatest: string | null = null;
  for (const { key } of listing.objects) {
    if (greatest === null || compareUtf8(key, greatest) > 0) greatest = key;
  }
  for (const prefix of listing.commonPrefixes) {
    if (greatest === null || compareUtf8(prefix, greatest) > 0) greatest = prefix;
  }
  return greatest;
}

function pageOf(listing: ListingAnswer, next: Position | null, requestId: string | null): ListObjectsPage {
  return {
    objects: listing.objects,
    commonPrefixes: listing.commonPrefixes,
    nextPageToken: next === null ? null : JSON.stringify(next),
    keyCount: listing.objects.length + listing.commonPrefixes.length,
    requestId,
  };
}

/**
 * Takes out the zero-byte object that stands for the folder itself (rclone#753), and only that one: other keys that end
 * in `/`, and one of this name that holds data, stay.
 */
export function withoutPlaceholder(page: ListObjectsPage, prefix: string): ListObjectsPage {
  if (!prefix.endsWith('/')) return page;
  const objects = page.objects.filter((object) => object.key !== prefix || object.sizeBytes > 0);
  return objects.length === page.objects.length
    ? page
    : { ...page, objects, keyCount: objects.length + page.commonPrefixes.length };
}
