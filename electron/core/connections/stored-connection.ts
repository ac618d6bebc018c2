import { z } from 'zod';
import { connectionSchema, type Connection } from '../../../shared/models/connection.ts';

/** A connection as stored in the database, without secrets. A proxy password is a secret too. */
export const storedConnectionSchema = connectionSchema.omit({ id: true, builtIn: true }).extend({
  hasProxyPassword: z.boolean(),
});

export type StoredConnection = Readonly<z.infer<typeof storedConnectionSchema>>;

/** Returns the names of a connection's secrets. */
export const secretNames = (connectionId: string) => ({
  secret: `connection:${connectionId}:secret`,
  sessionToken: `connection:${connectionId}:session-token`,
  proxyPassword: `connection:${connectionId}:proxy-password`,
  customerKeys: `connection:${connectionId}:customer-keys`,
});

/** The secrets of a connection. They never leave the core. */
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

/** Returns a stored connection as the window shows it. */
export function toConnection(id: string, stored: StoredConnection): Connection {
  const { hasProxyPassword: _hidden, ...rest } = stored;
  return { id, ...rest, builtIn: false };
}
