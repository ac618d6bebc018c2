import { z } from 'zod';

/** A key of the user's own (SSE-C), as the window knows it: never the key itself. */
export const customerKeyNameSchema = z.object({
  name: z.string(),
  /** Base64; services name the key by it too. */
  md5: z.string(),
});

export type CustomerKeyName = Readonly<z.infer<typeof customerKeyNameSchema>>;
