import { z } from 'zod';

/** A link that waits for the person's word; `decodedPrefix` is its other reading, where there is one. */
export const waitingLinkSchema = z.object({
  bucket: z.string(),
  prefix: z.string(),
  decodedPrefix: z.string().nullable(),
});

export type WaitingLink = Readonly<z.infer<typeof waitingLinkSchema>>;
