import { answerRequests } from '../../../ui/asked-worker.ts';
import { imageTypeOf } from '../image/parts/image-type.ts';
import { exifIn } from '../image/worker/exif-item.ts';
import { heifTurn } from '../image/worker/heif-boxes.ts';
import { isTurned, orientationMatrix, type Size } from '../image/parts/orientation.ts';
import { statedSize } from '../image/parts/stated-size.ts';
import { statedOrientation, withoutExif } from '../image/worker/stated-orientation.ts';
import {
  type Crop,
  maxEmbeddedPixels,
  maxThumbnailPixels,
  thumbnailSize,
  withoutBars,
} from './thumbnail-layout.ts';

const noThumbnail: ThumbnailResponse = { kind: 'none' };
/** Image types with EXIF at the beginning. */
const withExif: ReadonlySet<string> = new Set(['image/jpeg', 'image/tiff', 'image/heic']);

async function answerTo({ bytes, isWhole }: ThumbnailQuestion): Promise<ThumbnailResponse> {
  const type = imageTypeOf(bytes);
  // An SVG keeps its icon, since drawing one would block the page for an unlimited time.
  if (type === null || type === 'image/svg+xml') return noThumbnail;
  if (isWhole && type !== 'image/heic') {
    const made = type === 'image/tiff' ? await fromTiff(bytes) : await fromImage(bytes, type);
    if (made !== null) return { kind: 'made', picture: made };
  }
  const embedded = withExif.has(type) ? await fromEmbedded(bytes, type) : null;
  if (embedded !== null) return { kind: 'made', picture: embedded };
  return isWhole || type === 'image/heic' || isTooLarge(statedSize(bytes), maxThumbnailPixels)
    ? noThumbnail
    : { kind: 'wants-whole' };
}

/** Returns null if the image may not be decoded. */
async function fromImage(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Blob | null> {
  const size = statedSize(bytes);
  // Checked before decoding, since a small file may claim any size.
  if (size === null || isTooLarge(size, maxThumbnailPixels)) return null;
  const { orientation, isApplied } = statedOrientation(bytes, type);
  return await drawn(await createImageBitmap(new Blob([bytes], { type })), isApplied ? 1 : orientation);
}

async function fromTiff(bytes: Uint8Array<ArrayBuffer>): Promise<Blob | null> {
  const size = statedSize(bytes);
  if (size !== null && isTooLarge(size, maxThumbnailPixels)) return null;
  const { decodeTiff } = await import('../image/worker/tiff.ts');
  const response = decodeTiff(bytes, 0);
  if (response.kind !== 'picture') return null;
  const { rgba, width, height } = response.picture;
  return await drawn(await createImageBitmap(new ImageData(rgba, width, height)));
}

/** Returns the thumbnail that a camera has embedded in the image, or null if it is missing or unusable. */
async function fromEmbedded(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Blob | null> {
  const exif = exifIn(bytes);
  if (exif === null) return null;
  const { thumbnail } = await import('exifr');
  const found = await orNull(thumbnail(exif));
  if (!(found instanceof Uint8Array) || imageTypeOf(found) !== 'image/jpeg') return null;
  const size = statedSize(found);
  if (size === null || isTooLarge(size, maxEmbeddedPixels)) return null;
  const turn = type === 'image/heic' ? heifTurn(bytes) : statedOrientation(bytes, type).orientation;
  // Removes the thumbnail's own EXIF, since the orientation of the image applies. The option `none` would not help, as it means
  // the same as `from-image` (HTML, ImageBitmapOptions).
  const bitmap = await orNull(createImageBitmap(new Blob([withoutExif(found)], { type: 'image/jpeg' })));
  return bitmap === null ? null : await drawn(bitmap, turn, withoutBars(bitmap, statedSize(bytes)));
}

async function drawn(
  bitmap: ImageBitmap,
  orientation = 1,
  crop: Crop = { x: 0, y: 0, width: bitmap.width, height: bitmap.height },
): Promise<Blob> {
  try {
    const size = thumbnailSize(crop);
    const canvas = isTurned(orientation)
      ? new OffscreenCanvas(size.height, size.width)
      : new OffscreenCanvas(size.width, size.height);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('The canvas has no context.');
    context.imageSmoothingQuality = 'high';
    context.setTransform(...orientationMatrix(orientation, size));
    context.drawImage(bitmap, crop.x, crop.y, crop.width, crop.height, 0, 0, size.width, size.height);
    return await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
  } finally {
    bitmap.close();
  }
}

function isTooLarge(size: Size | null, max: number): boolean {
  return size !== null && !(size.width * size.height <= max);
}

async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch {
    // The libraries throw arbitrary errors for damaged files, which then count as having no thumbnail.
    return null;
  }
}

answerRequests(answerTo, noThumbnail);

/** Messages from the window to the worker that makes thumbnails. */
export interface ThumbnailQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True if the bytes are the whole image, false if they are its beginning. */
  readonly isWhole: boolean;
}

export type ThumbnailResponse =
  | { readonly kind: 'made'; readonly picture: Blob }
  /** The beginning has no embedded thumbnail, so the whole image is needed. */
  | { readonly kind: 'wants-whole' }
  /** The image is damaged, too large, or in a format that the engine does not draw. */
  | { readonly kind: 'none' };
