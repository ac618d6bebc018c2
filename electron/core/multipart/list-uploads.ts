import { pagesOf } from '../s3/listing/pages.ts';
import type {
  ListMultipartUploadsPage,
  UploadRef,
  ListedPart,
  ListPartsPage,
} from '../s3/model/multipart-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { sortParts } from './parts/part-list.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { StartPlace } from '../../../shared/models/connection.ts';
import { denialOf, permittedPrefixes } from '../s3/listing/prefixes.ts';

/** The upload's entry in the list of uploads; `unknown` if the service does not list uploads. */
export type ListedState =
  | { readonly kind: 'listed'; readonly initiatedAt: string | null }
  | { readonly kind: 'not-listed' }
  | { readonly kind: 'unknown' };

/** Finds an upload in the list of uploads. No other request returns its start time. */
export async function listedState(
  client: S3Client,
  ref: UploadRef,
  signal: AbortSignal,
): Promise<ListedState> {
  try {
    for await (const page of uploadPages(client, ref.bucket, ref.key, signal))
      for (const upload of page.uploads) {
        if (upload.key === ref.key && upload.uploadId === ref.uploadId)
          return { kind: 'listed', initiatedAt: upload.initiatedAt };
        // Keys are sorted, so keys that only start with this key come after it.
        if (upload.key !== ref.key) return { kind: 'not-listed' };
      }
    return { kind: 'not-listed' };
  } catch (thrown) {
    signal.throwIfAborted();
    // A service that refuses to list uploads may still list parts (minio#20989).
    if (thrown instanceof Error) return { kind: 'unknown' };
    throw thrown;
  }
}

export function initiationIn(state: ListedState): string | null {
  return state.kind === 'listed' ? state.initiatedAt : null;
}

/** Yields all pages of ListMultipartUploads. Each request carries both markers of the previous page (riak_cs#464). */
export function uploadPages(
  client: S3Client,
  bucket: string,
  prefix: string,
  signal?: AbortSignal,
  { setsAside = false, maxTries }: { readonly setsAside?: boolean; readonly maxTries?: number } = {},
): AsyncGenerator<ListMultipartUploadsPage> {
  return pagesOf(
    async (next: ListMultipartUploadsPage['next']) =>
      await client.listMultipartUploads(
        { bucket, setsAside, ...(prefix === '' ? {} : { prefix }), ...next },
        { ...(signal === undefined ? {} : { signal }), ...(maxTries === undefined ? {} : { maxTries }) },
      ),
    (page) => page.next,
  );
}

export interface ListedUpload {
  /** The parts, sorted by number. */
  readonly parts: readonly ListedPart[];
  readonly storageClass: string | null;
  readonly initiator: string | null;
  readonly checksumAlgorithm: string | null;
  readonly checksumType: string | null;
}

/** Lists all stored parts of an upload, over all pages of ListParts (s3cmd#346). */
export async function listAllParts(
  client: S3Client,
  ref: UploadRef,
  signal: AbortSignal,
): Promise<ListedUpload> {
  const found: ListedPart[] = [];
  const { bucket, key, uploadId } = ref;
  const pages = pagesOf(
    async (marker: string | null) =>
      await client.listParts(
        { bucket, key, uploadId, ...(marker === null ? {} : { partNumberMarker: marker }) },
        { signal },
      ),
    (page) => page.nextPartNumberMarker,
  );
  let last: ListPartsPage | null = null;
  for await (const page of pages) {
    found.push(...page.parts);
    last = page;
  }
  const initiator = last?.initiator ?? last?.owner;
  return {
    parts: sortParts(found),
    storageClass: last?.storageClass ?? null,
    initiator: initiator?.displayName ?? initiator?.id ?? null,
    checksumAlgorithm: last?.checksumAlgorithm ?? null,
    checksumType: last?.checksumType ?? null,
  };
}

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
