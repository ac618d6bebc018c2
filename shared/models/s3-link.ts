import { z } from 'zod';

/** A link that waits for the user's confirmation. `decodedPrefix` is its alternative reading, or null. */
export const waitingLinkSchema = z.object({
  bucket: z.string(),
  prefix: z.string(),
  decodedPrefix: z.string().nullable(),
});

export type WaitingLink = Readonly<z.infer<typeof waitingLinkSchema>>;
