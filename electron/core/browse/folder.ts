import type { FolderPage } from '../../../shared/models/objects.ts';
import type { ListObjectsPage } from '../s3/model/listing-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { foreignOf } from '../s3/listing/prefixes.ts';

export interface FolderInput {
  readonly bucket: string;
  readonly prefix: string;
  readonly delimiter: '/' | null;
  readonly pageToken: string | null;
}

/** Lists one page of a folder, in the service's order. */
export async function listFolder(
  client: S3Client,
  input: FolderInput,
  signal: AbortSignal | undefined,
): Promise<FolderPage> {
  const page = await client.listObjects(
    {
      bucket: input.bucket,
      prefix: input.prefix,
      setsAside: true,
      ...(input.delimiter === null ? {} : { delimiter: input.delimiter }),
      ...(input.pageToken === null ? {} : { pageToken: input.pageToken }),
    },
    { signal },
  );
  return folderPageOf(page, input.prefix);
}

/**
 * Removes the zero-byte marker of the folder itself (rclone#753). Other keys that end in `/`, and one of this name with
 * data, are kept.
 */
export function folderPageOf(page: ListObjectsPage, prefix: string): FolderPage {
  const objects = [...page.objects];
  const at = prefix.endsWith('/') ? objects.findIndex(({ key }) => key === prefix) : -1;
  const hasPlaceholder = at !== -1 && objects[at]?.sizeBytes === 0;
  if (hasPlaceholder) objects.splice(at, 1);
  return {
    commonPrefixes: [...page.commonPrefixes],
    objects,
    nextPageToken: page.nextPageToken,
    hasPlaceholder,
    unreadable: page.unreadable.map((entry) => ({ ...entry })),
    foreign: foreignOf(page.foreign),
  };
}
