import { z } from 'zod';
import { connectionSchema } from './connection.ts';

/** A connection in a file: everything except its secrets. */
export const filedConnectionSchema = connectionSchema.omit({ id: true, builtIn: true, auth: true }).extend({
  auth: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('keys'), accessKeyId: z.string().trim().min(1) }),
    z.object({ kind: z.literal('anonymous') }),
    z.object({ kind: z.literal('aws-profile'), profile: z.string().min(1) }),
  ]),
});

/** The contents of a file, before importing. */
export const filedEntrySchema = z.object({
  /** The entry's index in the file. */
  index: z.int(),
  name: z.string(),
  endpoint: z.string(),
  /** The user has to type the secret key before the connection can be used. */
  needsKeys: z.boolean(),
  /** The id of an existing connection with the same settings, or null. */
  duplicateOf: z.string().nullable(),
  /** The reason why the entry cannot be imported, as the schema's English message. Null if it can be. */
  problem: z.string().nullable(),
});

export const connectionFileSchema = z.object({ fileName: z.string(), text: z.string(), count: z.int() });

export type FiledConnection = Readonly<z.infer<typeof filedConnectionSchema>>;
export type FiledEntry = Readonly<z.infer<typeof filedEntrySchema>>;
export type ConnectionFile = Readonly<z.infer<typeof connectionFileSchema>>;
