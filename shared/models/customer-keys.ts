import { z } from 'zod';

/** The name and MD5 of a customer key (SSE-C); never the key itself. */
export const customerKeyNameSchema = z.object({
  name: z.string(),
  /** In base64; services also identify the key by its MD5. */
  md5: z.string(),
});

export type CustomerKeyName = Readonly<z.infer<typeof customerKeyNameSchema>>;
