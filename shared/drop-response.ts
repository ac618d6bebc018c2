import { z } from 'zod/mini';
import { appErrorSchema } from './error-schema.ts';
import { fileEntrySchema } from './models/files.ts';

/** The desktop's answer to a dropped file: its handle, never its path. Not in desktop-bridge.ts, which the preload bundles. */
export const dropResponseSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), file: fileEntrySchema }),
  /** The page sends the bytes of a file without a path, such as an attachment dragged out of an e-mail. */
  z.object({ kind: z.literal('no-path') }),
  z.object({ kind: z.literal('refused'), error: appErrorSchema }),
]);

export type DropResponse = Readonly<z.infer<typeof dropResponseSchema>>;
