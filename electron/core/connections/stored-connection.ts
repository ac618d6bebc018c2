import { z } from 'zod';
import { connectionSchema, type Connection } from '../../../shared/models/connection.ts';

/** A connection as the database has it: without secrets; a proxy's password counts as one. */
export const storedConnectionSchema = connectionSchema.omit({ id: true, builtIn: true }).extend({
  hasProxyPassword: z.boolean(),
});

export type StoredConnection = Readonly<z.infer<typeof storedConnectionSchema>>;

/** The names under which a connection's secrets are kept. */
export const secretNames = (connectionId: string) => ({
  secret: `connection:${connectionId}:secret`,
  sessionToken: `connection:${connectionId}:session-token`,
  proxyPassword: `connection:${connectionId}:proxy-password`,
  customerKeys: `connection:${connectionId}:customer-keys`,
});

/** The secrets themselves. They live in the core only. */
export interface ConnectionSecrets {
  readonly secretAccessKey: string | null;
  readonly sessionToken: string | null;
  readonly proxyPassword: string | null;
}

export const noSecrets: ConnectionSecrets = {
  secretAccessKey: null,
  sessionToken: null,
  proxyPassword: null,
};

/** A stored connection as the window sees it. */
export function toConnection(id: string, stored: StoredConnection): Connection {
  const { hasProxyPassword: _hidden, ...rest } = stored;
  return { id, ...rest, builtIn: false };
}
