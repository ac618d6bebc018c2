import { z } from 'zod/mini';
import { secretText } from './session.ts';

const secretTextSchema = z.string().check(z.regex(secretText));

/** The window's request to the browser host at `sessionPath`. shared/session.ts describes the protocol. */
export const sessionRequestSchema = z.strictObject({ code: secretTextSchema });

export const sessionResponseSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), token: secretTextSchema }),
  z.object({
    kind: z.literal('needs-code'),
    reason: z.enum(['used', 'expired', 'unknown', 'too-many-tries']),
  }),
]);

export type SessionRequest = Readonly<z.infer<typeof sessionRequestSchema>>;
export type SessionResponse = Readonly<z.infer<typeof sessionResponseSchema>>;
