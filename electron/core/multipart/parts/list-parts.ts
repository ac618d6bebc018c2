import { pagesOf } from '../../s3/listing/pages.ts';
import type { ListedPart, ListPartsPage, UploadRef } from '../../s3/model/multipart-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { sortParts } from './part-list.ts';

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
