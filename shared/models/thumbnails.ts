import { z } from 'zod';
import { placeSchema } from './objects.ts';

/** One version of an object, as listed. */
export const thumbnailObjectSchema = placeSchema.extend({
  key: z.string().max(4096),
  etag: z.string().max(1024).nullable(),
  sizeBytes: z.number().min(1),
});

/** Increased when windows generate other thumbnails for the same objects, so that stored ones are generated again. */
export const thumbnailVersion = 2;

/** Generated thumbnails are far smaller. */
export const maxThumbnailBytes = 512 * 1024;

export const madeThumbnailSchema = thumbnailObjectSchema.extend({
  /** WebP, or the fallback format of the browser engine. */
  contentBase64: z.base64().max(Math.ceil(maxThumbnailBytes / 3) * 4),
});

export const foundThumbnailSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('kept'), contentBase64: z.string() }),
  /** `path`: a short-lived address of the object's bytes. */
  z.object({ kind: z.literal('object'), path: z.string() }),
]);

export const thumbnailUseSchema = z.object({ count: z.int(), sizeBytes: z.number() });

export type ThumbnailObject = Readonly<z.infer<typeof thumbnailObjectSchema>>;
export type FoundThumbnail = Readonly<z.infer<typeof foundThumbnailSchema>>;
export type ThumbnailUse = Readonly<z.infer<typeof thumbnailUseSchema>>;
