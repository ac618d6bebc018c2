import { etagIn, sameEtag, strongEtag } from '../model/etag.ts';
import type { AppFailure } from '../../../../shared/errors.ts';
import type { HttpResponse, ObjectContent } from '../http/http-response.ts';
import { protocolFailure } from '../model/s3-errors.ts';
import type { ByteRange, ObjectHead } from '../model/object-types.ts';
import { parseTime } from '../xml/parse.ts';
import { metadataOf } from './attribute-headers.ts';
import type { ServiceMemory } from '../model/service-memory.ts';

/** An object as one response describes it. `sizeBytes` is null if the response does not state the length. */
export type AnsweredObject = Omit<ObjectHead, 'sizeBytes'> & { readonly sizeBytes: number | null };

/** The content of an object from one response. */
export interface OpenedObject {
  readonly head: AnsweredObject & { readonly contentRange: string | null };
  readonly content: ObjectContent;
  /** The expected number of bytes; null if only the end of the body shows it. */
  readonly expectedBytes: number | null;
}

/**
 * Returns the properties of an object from a response's headers. Throws `AppError('protocol')` if the response has neither ETag
 * nor Last-Modified, because it is not about an object then.
 */
export function describedIn(reply: HttpResponse): Omit<ObjectHead, 'sizeBytes'> {
  const etag = etagIn(reply.header('etag'));
  const lastModified = parseTime(reply.header('last-modified'));
  // Every object has both headers (API_HeadObject). The page of a proxy or sign-in portal has neither, although its status is
  // 200.
  if (reply.header('etag') === null && lastModified === null)
    throw protocolFailure(
      'unexpected-answer',
      (quote) =>
        `The response is not an object (${quote(reply.header('content-type') ?? 'of no type')}). A proxy or a sign-in page may be in the way.`,
      { retry: 'backoff' },
    );
  return {
    etag,
    lastModified,
    contentType: reply.header('content-type'),
    storageClass: reply.header('x-amz-storage-class'),
    versionId: reply.header('x-amz-version-id'),
    metadata: metadataOf(reply.headers),
    headers: reply.headers,
  };
}

/**
 * Returns the Content-Length; null if it is missing, as from proxies that send chunks. Throws `AppError('protocol')` if it is not
 * a number.
 */
export function lengthIn(reply: HttpResponse): number | null {
  const text = reply.header('content-length');
  if (text === null) return null;
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw protocolFailure('unexpected-answer', 'The Content-Length of the response is not a number.');
}

/**
 * Opens the content of a whole object, or of exactly the requested range. Throws if the response is for another range
 * (aws-c-s3#226).
 */
export function openObject(
  reply: HttpResponse,
  range: ByteRange | null,
  isAborted: () => boolean,
): OpenedObject {
  if (range === null) {
    if (reply.status !== 200) throw wrongRange(`the status is ${reply.status} instead of 200`);
    const sizeBytes = lengthIn(reply);
    return {
      head: { ...describedIn(reply), sizeBytes, contentRange: null },
      content: reply.content(sizeBytes, isAborted),
      expectedBytes: sizeBytes,
    };
  }
  const contentRange = reply.header('content-range');
  const match = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(contentRange ?? '');
  if (reply.status !== 206 || !match)
    throw wrongRange(`the response has the status ${reply.status} and does not describe a range`);
  const [firstByte, lastByte] = [Number(match[1]), Number(match[2])];
  const totalBytes = match[3] === '*' ? null : Number(match[3]);
  const expectedLastByte = totalBytes === null ? range.lastByte : Math.min(range.lastByte, totalBytes - 1);
  if (firstByte !== range.firstByte || lastByte !== expectedLastByte) {
    throw wrongRange(`bytes ${firstByte}-${lastByte} instead of ${range.firstByte}-${range.lastByte}`);
  }
  const expectedBytes = lastByte - firstByte + 1;
  const contentLength = reply.header('content-length');
  if (contentLength !== null && Number(contentLength) !== expectedBytes)
    throw wrongRange(`${contentLength} bytes for ${contentRange}`);
  return {
    head: { ...describedIn(reply), sizeBytes: totalBytes, contentRange },
    content: reply.content(expectedBytes, isAborted),
    expectedBytes,
  };
}

function wrongRange(why: string): AppFailure {
  return protocolFailure('range-ignored', `The service did not return the requested bytes: ${why}.`);
}

type Headers = Readonly<Record<string, string>>;

const plain: Headers = {};
/**
 * Accepts all usual content codings. Without this header, some services decompress objects that are stored compressed (RFC 9110,
 * 12.5.3).
 */
const coded: Headers = { 'accept-encoding': 'gzip, br, deflate, zstd' };

const feature = 'objects as stored';

interface StoredRead<T> {
  readonly memory: ServiceMemory;
  /** True if the service is known to decompress objects. */
  readonly decompresses: boolean;
  /** The length from a listing or a HEAD; undefined if unknown. */
  readonly sizeBytes: number | undefined;
  /** Sends the request. If `takes` rejects the response, drops its body and returns null. */
  readonly send: (headers: Headers, takes: (reply: HttpResponse) => boolean) => Promise<T | null>;
}

/**
 * Reads an object in its stored coding. A service that decompresses objects sends no length; the object is then requested again
 * with Accept-Encoding. That header is not sent at first, because with it a proxy would compress other objects. If neither
 * response has the stored length, the one without the header is used.
 */
export async function readAsStored<T>({ memory, decompresses, sizeBytes, send }: StoredRead<T>): Promise<T> {
  const takeAny = async (): Promise<T> => {
    const any = await send(plain, () => true);
    if (any === null) throw new Error('A response was dropped although all are accepted.');
    return any;
  };
  if (!memory.allows(feature)) return await takeAny();
  const [first, second] =
    decompresses || memory.verdictOn(feature) === 'accepted' ? [coded, plain] : [plain, coded];
  let etag: string | null = null;
  let hasLength = true;
  const expected = await send(first, (reply) => {
    etag = reply.header('etag');
    hasLength = lengthOf(reply) !== null;
    return hasLength && isLength(reply, sizeBytes);
  });
  if (expected !== null) return expected;
  const better = await send(second, (reply) => isStored(reply, sizeBytes, etag));
  if (better === null) {
    // A different length may also mean that the object changed after it was listed, which says nothing about the service.
    if (!hasLength) memory.refuses(feature, 'failure');
    return await takeAny();
  }
  if (second === coded) memory.accepts(feature);
  return better;
}

/**
 * Returns true if the response contains the object as stored. An object compressed by a proxy is another representation (RFC
 * 9110, 8.8.3).
 */
function isStored(reply: HttpResponse, sizeBytes: number | undefined, etag: string | null): boolean {
  if (lengthOf(reply) === null || !isLength(reply, sizeBytes)) return false;
  const replyEtag = reply.header('etag');
  return (
    sizeBytes !== undefined ||
    (strongEtag(replyEtag) !== null && (etag === null || sameEtag(replyEtag, etag)))
  );
}

function isLength(reply: HttpResponse, sizeBytes: number | undefined): boolean {
  return sizeBytes === undefined || lengthOf(reply) === sizeBytes;
}

/** Returns the length of the whole object; null if the response does not state it. */
function lengthOf(reply: HttpResponse): number | null {
  const range = /\/(\d+)$/.exec(reply.header('content-range') ?? '')?.[1];
  const text = reply.status === 206 ? range : (reply.header('content-length') ?? undefined);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}
