import { archiveClasses, isPaidClass } from '../../../../shared/models/storage-classes.ts';
import type { MakeThumbnail } from './thumbnail-maker.ts';

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
  /** Made only at the user's request, since reading it costs extra. */
  | 'paid'
  /** Made only at the user's request, since it has to be restored first. */
  | 'archived';

/** Returns how to get the thumbnail of an object, judged by the listing. */
export function thumbnailPolicy(
  { key, sizeBytes, storageClass }: ThumbnailRow,
  imageBytes: number,
): ThumbnailPolicy {
  const extension = /\.([^./]+)$/.exec(key)?.[1]?.toLowerCase() ?? '';
  if (imageBytes === 0 || sizeBytes === 0 || !extensions.has(extension)) return 'none';
  if (archiveClasses.has(storageClass ?? '')) return 'archived';
  return isPaidClass(storageClass) ? 'paid' : 'makes';
}

export type ReadObject = (
  path: string,
  offset: number,
  lengthBytes: number,
  signal: AbortSignal,
) => Promise<Uint8Array<ArrayBuffer>>;

interface FewBytes {
  readonly path: string;
  readonly sizeBytes: number;
  readonly imageBytes: number;
  /** Reads at most this many bytes of the object from an offset. */
  readonly read: ReadObject;
  readonly make: MakeThumbnail;
}

/** Makes a thumbnail from as few bytes as possible. Returns null if the object has no thumbnail. */
export async function makeFromFewBytes(
  { path, sizeBytes, imageBytes, read, make }: FewBytes,
  signal: AbortSignal,
): Promise<Blob | null> {
  const head = await read(path, 0, Math.min(thumbnailHeadBytes, sizeBytes), signal);
  const isWhole = sizeBytes <= thumbnailHeadBytes;
  // Passes a copy if the bytes are needed again, since posting transfers them to the worker.
  const first = await make(isWhole ? head : head.slice(), isWhole, signal);
  if (first.kind === 'made') return first.picture;
  if (first.kind === 'none' || sizeBytes > imageBytes) return null;
  const whole = new Uint8Array(sizeBytes);
  whole.set(head);
  const rest = await read(path, thumbnailHeadBytes, sizeBytes - thumbnailHeadBytes, signal);
  whole.set(rest, thumbnailHeadBytes);
  const second = await make(whole, true, signal);
  return second.kind === 'made' ? second.picture : null;
}
