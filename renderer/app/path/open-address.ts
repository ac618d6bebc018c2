import type { Address } from '../../../shared/keys/s3-link.ts';
import type { CoreClient } from '../../../shared/contract/index.ts';
import { folderPlace, type FolderWindowPlace } from '../places/places.ts';

/**
 * Resolves a typed address. `bucket/photos` may mean the folder `photos/` or all names that start with `photos`. Asks the
 * service, and returns the folder if it exists.
 */
export async function findPlace(
  core: CoreClient,
  connectionId: string,
  { bucket, prefix }: Address,
): Promise<FolderWindowPlace> {
  const typed = folderPlace(connectionId, bucket, prefix);
  if (typed.startsWith === '') return typed;
  const asFolder = folderPlace(connectionId, bucket, `${prefix}/`);
  try {
    const page = await core.objects.list({
      connectionId,
      bucket,
      prefix: `${prefix}/`,
      delimiter: '/',
      pageToken: null,
    });
    const folderExists = page.hasPlaceholder || page.commonPrefixes.length > 0 || page.objects.length > 0;
    return folderExists ? asFolder : typed;
  } catch {
    // After an error, opens the folder, whose page reports the error and offers a retry.
    return asFolder;
  }
}
