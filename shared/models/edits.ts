import { z } from 'zod';
import { appErrorSchema } from '../errors.ts';

/** An object that is open in another program of this computer. */
export const editSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  bucket: z.string(),
  key: z.string(),
  state: z.enum([
    'fetching',
    /** What is in the file is what is in the bucket, or is about to be sent. */
    'open',
    'sending',
    /** The object has changed, or is gone, since it was fetched: nothing is sent before the person has said what holds. */
    'conflict',
    /** The last save has not reached the bucket; it is in the file, and is kept. */
    'failed',
  ]),
  /** When a save last reached the bucket; null: none did yet. */
  sentAt: z.string().nullable(),
  error: appErrorSchema.nullable(),
});

export type Edit = Readonly<z.infer<typeof editSchema>>;
/** Larger ones are downloaded and uploaded as ever. */
export const largestEditBytes = 128 * 1024 * 1024;
