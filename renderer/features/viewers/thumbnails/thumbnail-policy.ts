import { archiveClasses, isPaidClass } from '../../../../shared/models/storage-classes.ts';

/** Number of bytes read first. They contain the thumbnail that a camera embeds near the beginning, or many images as a whole. */
export const thumbnailHeadBytes = 128 * 1024;

/** The extensions of images. Objects with any other extension are not read for thumbnails. */
const extensions: ReadonlySet<string> = new Set(
  'jpg jpeg jfif png apng gif webp avif bmp ico tif tiff heic heif'.split(' '),
);

export interface ThumbnailRow {
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly storageClass: string | null;
}

export type ThumbnailPolicy =
  | 'makes'
  /** The object is not an image or is empty, or thumbnails are turned off. */
  | 'none'
  /** Reading it costs extra. */
  | 'asks-paid'
  /** It has to be restored first. */
  | 'asks-archived';

/** Returns how to get the thumbnail of an object, judged by the listing. */
export function thumbnailPolicy(
  { key, sizeBytes, storageClass }: ThumbnailRow,
  imageBytes: number,
): ThumbnailPolicy {
  const extension = /\.([^./]+)$/.exec(key)?.[1]?.toLowerCase() ?? '';
  if (imageBytes === 0 || sizeBytes === 0 || !extensions.has(extension)) return 'none';
  if (archiveClasses.has(storageClass ?? '')) return 'asks-archived';
  return isPaidClass(storageClass) ? 'asks-paid' : 'makes';
}

/** Returns true if an image without a thumbnail in its beginning is small enough to be read whole. */
export function readsWhole(sizeBytes: number, imageBytes: number): boolean {
  return sizeBytes <= imageBytes;
}
