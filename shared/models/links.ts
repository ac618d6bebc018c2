import { z } from 'zod';
import { objectRefSchema } from './objects.ts';

export const longestLinkSeconds = 7 * 24 * 60 * 60;

export const linkInputSchema = objectRefSchema.extend({
  /** `plain`: the unsigned address, for publicly readable objects. */
  kind: z.enum(['get', 'put', 'plain']),
  expiresInSeconds: z.int().min(1).max(longestLinkSeconds),
  /** GET only: overrides the object's Content-Disposition in the response. */
  disposition: z.enum(['inline', 'attachment']).nullable(),
  contentType: z.string().max(255).nullable(),
});

export const linkSchema = z.object({
  url: z.string(),
  /** The time when the link actually expires. Null for a plain address, which never expires. */
  expiresAt: z.string().nullable(),
  /**
   * The reason why the link ends. `time`: the requested time. `keys`: the temporary access key that signed the link expires
   * sooner. `keys-unknown`: a temporary access key with an unknown expiry. `never`: a plain address. `anonymous`: the connection
   * has no access key to sign with.
   */
  endsWith: z.enum(['time', 'keys', 'keys-unknown', 'never', 'anonymous']),
});

export type LinkInput = Readonly<z.infer<typeof linkInputSchema>>;
export type Link = Readonly<z.infer<typeof linkSchema>>;

/** A link that waits for the user's confirmation. `decodedPrefix` is its alternative reading, or null. */
export const waitingLinkSchema = z.object({
  bucket: z.string(),
  prefix: z.string(),
  decodedPrefix: z.string().nullable(),
});

export type WaitingLink = Readonly<z.infer<typeof waitingLinkSchema>>;
