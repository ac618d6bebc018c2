import { z } from 'zod';

/** The name and MD5 of a customer key (SSE-C), but never the key itself. */
export const customerKeyNameSchema = z.object({
  name: z.string(),
  /** The key's MD5 in base64, by which services also identify the key. */
  md5: z.string(),
});

export type CustomerKeyName = Readonly<z.infer<typeof customerKeyNameSchema>>;
