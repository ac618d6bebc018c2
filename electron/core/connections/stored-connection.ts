import { z } from 'zod';
import { connectionSchema, type Connection } from '../../../shared/models/connection.ts';
import { failure } from '../../../shared/errors.ts';
import type { TidyInput } from './validate.ts';

/** A connection as stored in the database, without secrets. A proxy password is a secret too. */
export const storedConnectionSchema = connectionSchema
  .omit({ id: true, builtIn: true })
  .extend({ hasProxyPassword: z.boolean() });

export type StoredConnection = Readonly<z.infer<typeof storedConnectionSchema>>;

/** Returns the names of a connection's secrets. */
export const secretNames = (connectionId: string) => ({
  secretAccessKey: `connection:${connectionId}:secret`,
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

export interface StoredWithSecrets {
  readonly stored: StoredConnection | null;
  readonly secrets: ConnectionSecrets;
}

export const noStoredConnection: StoredWithSecrets = { stored: null, secrets: noSecrets };

/**
 * Returns the record and secrets after an edit. Null keeps a stored secret; '' removes a stored token. Throws
 * `AppError('invalid-argument')` if the secret access key is missing.
 */
export function mergeConnection(
  { input, proxyPassword }: TidyInput,
  before: StoredWithSecrets,
): { readonly stored: StoredConnection; readonly secrets: ConnectionSecrets } {
  const { auth, ...rest } = input;
  // Keys typed for one service are never sent to another, and those typed for TLS never without TLS.
  const reusableSecrets = input.endpoint === before.stored?.endpoint ? before.secrets : noSecrets;
  const reusableProxyPassword = sameProxy(input.proxy, before.stored?.proxy ?? null)
    ? before.secrets.proxyPassword
    : null;
  const proxy = { proxyPassword: proxyPassword ?? reusableProxyPassword };
  const hasProxyPassword = proxy.proxyPassword !== null;
  if (auth.kind !== 'keys')
    return { stored: { ...rest, auth, hasProxyPassword }, secrets: { ...noSecrets, ...proxy } };
  const secretAccessKey = auth.secretAccessKey ?? reusableSecrets.secretAccessKey;
  // A token belongs to its access key, so a new secret typed without a token needs none.
  const reusableToken = auth.secretAccessKey === null ? reusableSecrets.sessionToken : null;
  const sessionToken = auth.sessionToken === '' ? null : (auth.sessionToken ?? reusableToken);
  if (secretAccessKey === null) {
    throw failure('invalid-argument', 'The secret access key is missing.', {
      retry: 'after-fix',
      reason: 'secret-missing',
    });
  }
  return {
    stored: {
      ...rest,
      auth: {
        kind: 'keys',
        accessKeyId: auth.accessKeyId,
        hasSecret: true,
        hasSessionToken: sessionToken !== null,
      },
      hasProxyPassword,
    },
    secrets: { secretAccessKey, sessionToken, ...proxy },
  };
}

function sameProxy(a: Connection['proxy'], b: Connection['proxy'] | null): boolean {
  return a.kind === 'url' && b?.kind === 'url' && a.url === b.url;
}

/** Returns "Photos (copy)", "Photos (copy 2)", and so on, within the length limit. */
export function copyName(name: string, takenNames: readonly string[]): string {
  const base = name.slice(0, 85);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? `${base} (copy)` : `${base} (copy ${number})`;
    if (!takenNames.includes(candidate)) return candidate;
  }
}
