import type { ThumbnailRequest } from './thumbnail-loader.ts';
import { thumbnailPolicy, type ThumbnailRow } from './thumbnail-policy.ts';

/** Returns whether and when a thumbnail is made for an object. With `asks`, it is made only at the user's request. */
export function thumbnailKind(row: ThumbnailRow): 'none' | 'makes' | 'asks' {
  const policy = thumbnailPolicy(row, Number.POSITIVE_INFINITY);
  return policy === 'none' || policy === 'makes' ? policy : 'asks';
}

/** Makes the thumbnails of these objects, even if reading them costs extra. */
export async function askForThumbnails(wishes: readonly ThumbnailRequest[]): Promise<void> {
  const { currentLoader } = await import('./thumbnails.ts');
  for (const wish of wishes) currentLoader()?.ask(wish);
}
