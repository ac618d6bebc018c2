import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';

/** An object that is open in another program of this computer, or was edited in the window. */
export const editSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  bucket: z.string(),
  key: z.string(),
  state: z.enum([
    'fetching',
    /** The file's content is in the bucket, or about to be sent. */
    'open',
    'sending',
    /** The object has changed, or is gone, since it was fetched: nothing is sent before the person has said what holds. */
    'conflict',
    /** The last save has not reached the bucket; it is in the file, and is kept. */
    'failed',
  ]),
  /** The ETag of the object the copy was made from, or was last sent to. */
  etag: z.string().nullable(),
  /** When a save last reached the bucket; null: none did yet. */
  sentAt: z.string().nullable(),
  error: z.nullable(appErrorSchema),
});

export type Edit = Readonly<z.infer<typeof editSchema>>;
/** Larger ones are downloaded and uploaded as ever. */
export const largestEditBytes = 128 * 1024 * 1024;
/** A text of at most this size is edited in the window. */
export const largestTextBytes = 5_000_000;

export const editPlaceSchema = z.object({ connectionId: z.string(), bucket: z.string(), key: z.string() });

export type EditPlace = Readonly<z.infer<typeof editPlaceSchema>>;

/** A text that was typed in the window. */
export const savedTextSchema = editPlaceSchema.extend({
  /** The copy that an earlier save of the same editor has made; null: this is the first one. */
  editId: z.string().nullable(),
  /** The ETag of the object the text was made from. */
  etag: z.string(),
  contentBase64: z.base64().max(Math.ceil(largestTextBytes / 3) * 4),
});

export type SavedText = Readonly<z.infer<typeof savedTextSchema>>;
