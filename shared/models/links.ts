import { z } from 'zod';
import { objectRefSchema } from './objects.ts';

export const longestLinkSeconds = 7 * 24 * 60 * 60;

export const linkInputSchema = objectRefSchema.extend({
  /** `plain`: the address itself, for objects that everybody may read. */
  kind: z.enum(['get', 'put', 'plain']),
  expiresInSeconds: z.int().min(1).max(longestLinkSeconds),
  /** GET only: overrides the object's Content-Disposition in the response. */
  disposition: z.enum(['inline', 'attachment']).nullable(),
  contentType: z.string().max(255).nullable(),
});

export const linkSchema = z.object({
  url: z.string(),
  /** When it truly ends; null for a plain address, which does not. */
  expiresAt: z.string().nullable(),
  /**
   * `time`: as asked for. `keys`: with the temporary keys it was signed with, which is sooner. `keys-unknown`: with keys
   * that are temporary and do not say until when. `never`: a plain address. `anonymous`: there is no key to sign with, so
   * this is the plain address.
   */
  endsWith: z.enum(['time', 'keys', 'keys-unknown', 'never', 'anonymous']),
});

export type LinkInput = Readonly<z.infer<typeof linkInputSchema>>;
export type Link = Readonly<z.infer<typeof linkSchema>>;
