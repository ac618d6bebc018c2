import { pagesOf } from '../s3/listing/pages.ts';
import type { ListMultipartUploadsPage, UploadRef } from '../s3/model/multipart-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';

/** When an upload began, which only the listing of uploads tells; null where it does not (a typed upload id). */
export async function initiationOf(
  client: S3Client,
  ref: UploadRef,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    for await (const page of uploadPages(client, ref.bucket, ref.key, signal))
      for (const upload of page.uploads) {
        if (upload.key === ref.key && upload.uploadId === ref.uploadId) return upload.initiatedAt;
        // Keys come in order: those that only begin like this one come behind it.
        if (upload.key !== ref.key) return null;
      }
    return null;
  } catch (thrown) {
    signal.throwIfAborted();
    // A service that does not list uploads still lists parts (minio#20989); the beginning is only shown.
    if (thrown instanceof Error) return null;
    throw thrown;
  }
}

/** ListMultipartUploads, paged to the end with both markers (riak_cs#464). */
export function uploadPages(
  client: S3Client,
  bucket: string,
  prefix: string,
  signal?: AbortSignal,
  { setsAside = false }: { readonly setsAside?: boolean } = {},
): AsyncGenerator<ListMultipartUploadsPage> {
  return pagesOf(
    async (next: ListMultipartUploadsPage['next']) =>
      await client.listMultipartUploads(
        { bucket, setsAside, ...(prefix === '' ? {} : { prefix }), ...next },
        signal === undefined ? undefined : { signal },
      ),
    (page) => page.next,
  );
}
