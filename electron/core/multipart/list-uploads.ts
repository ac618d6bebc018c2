import { pagesOf } from '../s3/listing/pages.ts';
import type { ListMultipartUploadsPage, UploadRef } from '../s3/model/multipart-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';

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
