import { z } from 'zod';
import { appErrorSchema } from '../error-schema.ts';
import { placeSchema } from './objects.ts';

export const editPlaceSchema = placeSchema.extend({ key: z.string() });

export type EditPlace = Readonly<z.infer<typeof editPlaceSchema>>;

/** An object that is open in another program on this computer, or that was edited in the window. */
export const editSchema = editPlaceSchema.extend({
  id: z.string(),
  state: z.enum([
    'fetching',
    /** The file's content is in the bucket, or will be sent next. */
    'open',
    'sending',
    /** The object changed or was deleted after it was fetched. Nothing is sent until the user decides. */
    'conflict',
    /** The last save did not reach the bucket. The local file contains its text. */
    'failed',
  ]),
  /** The ETag of the object when the local copy was fetched or last sent. */
  etag: z.string().nullable(),
  /** The time when a save last reached the bucket, or null. */
  sentAt: z.string().nullable(),
  error: z.nullable(appErrorSchema),
});

export type Edit = Readonly<z.infer<typeof editSchema>>;
/** Maximum size for editing. Larger objects cannot be opened for editing, only downloaded and uploaded as files. */
export const largestEditBytes = 128 * 1024 * 1024;
/** The maximum size of a text that is edited in the window. */
export const largestTextBytes = 5 * 1024 * 1024;

/** A text edited in the window. */
export const savedTextSchema = editPlaceSchema.extend({
  /** The local copy from an earlier save in the same editor, or null for the first save. */
  editId: z.string().nullable(),
  /** The ETag of the object that the text is based on. */
  etag: z.string(),
  contentBase64: z.base64().max(Math.ceil(largestTextBytes / 3) * 4),
});

export type SavedText = Readonly<z.infer<typeof savedTextSchema>>;
