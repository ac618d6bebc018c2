import type { Answer } from '../http/answer.ts';
import type { ServiceMemory } from '../model/service-memory.ts';
import { sameEtag, strongEtag } from '../model/etag.ts';

type Headers = Readonly<Record<string, string>>;

const plain: Headers = {};
/**
 * Accepts all usual content codings. Without this header, some services decompress objects that are stored compressed (RFC 9110,
 * 12.5.3).
 */
const coded: Headers = { 'accept-encoding': 'gzip, br, deflate, zstd' };

const feature = 'objects as stored';

export interface StoredRead<T> {
  readonly memory: ServiceMemory;
  /** True if the service is known to decompress objects. */
  readonly decompresses: boolean;
  /** The length from a listing or a HEAD; undefined if unknown. */
  readonly sizeBytes: number | undefined;
  /** Sends the request. If `takes` rejects the response, drops its body and returns null. */
  readonly send: (headers: Headers, takes: (answer: Answer) => boolean) => Promise<T | null>;
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
  const expected = await send(first, (answer) => {
    etag = answer.header('etag');
    hasLength = lengthOf(answer) !== null;
    return hasLength && isLength(answer, sizeBytes);
  });
  if (expected !== null) return expected;
  const better = await send(second, (answer) => isStored(answer, sizeBytes, etag));
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
function isStored(answer: Answer, sizeBytes: number | undefined, etag: string | null): boolean {
  if (lengthOf(answer) === null || !isLength(answer, sizeBytes)) return false;
  const replyEtag = answer.header('etag');
  return (
    sizeBytes !== undefined ||
    (strongEtag(replyEtag) !== null && (etag === null || sameEtag(replyEtag, etag)))
  );
}

function isLength(answer: Answer, sizeBytes: number | undefined): boolean {
  return sizeBytes === undefined || lengthOf(answer) === sizeBytes;
}

/** Returns the length of the whole object; null if the response does not state it. */
function lengthOf(answer: Answer): number | null {
  const range = /\/(\d+)$/.exec(answer.header('content-range') ?? '')?.[1];
  const text = answer.status === 206 ? range : (answer.header('content-length') ?? undefined);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}
