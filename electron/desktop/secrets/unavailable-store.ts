import type { Secrets } from '../../core/ports.ts';
import { failure } from '../../../shared/errors.ts';
import {
  isObfuscatedOnly,
  encryptedSecrets,
  readEncryptedValues,
  type Encryption,
} from './encrypted-secrets.ts';

interface UnavailableStore {
  /** The file with secrets that an earlier start encrypted. */
  readonly file: string;
  readonly encryption: Encryption;
  readonly platform: NodeJS.Platform;
  /** The store for all secrets that are not in the file. */
  readonly unprotected: Secrets;
}

/**
 * Returns the store of secrets for a locked, denied or missing password store.
 *
 * Values that were encrypted with it earlier stay in their file. Reading or replacing one throws AppError('storage') with reason
 * `keyring-unavailable`. Values with Chromium's fixed key are as good as plain text: they can be read, count as plain text, and
 * leave the file when they are next set.
 */
export function secretsWithoutStore(options: UnavailableStore): Secrets {
  const { file, platform, unprotected } = options;
  const encrypted = encryptedSecrets(file, options.encryption);
  const isObfuscated = (value: string): boolean => isObfuscatedOnly(value, platform);
  const stored = (name: string): string | null => {
    const values = readEncryptedValues(file);
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return null;
    if (!isObfuscated(value)) throw keyringUnavailable();
    return value;
  };

  return {
    get protection() {
      return Object.values(readEncryptedValues(file)).some(isObfuscated)
        ? 'plain-text'
        : unprotected.protection;
    },
    get: async (name) => {
      const value = stored(name);
      return value === null ? unprotected.get(name) : encrypted.get(name);
    },
    set: async (name, value) => {
      const before = stored(name);
      await unprotected.set(name, value);
      if (before !== null) await encrypted.delete(name);
    },
    // Works without the password store, because deleting a secret needs no decryption.
    delete: async (name) => {
      if (Object.hasOwn(readEncryptedValues(file), name)) await encrypted.delete(name);
      await unprotected.delete(name);
    },
  };
}

function keyringUnavailable(): Error {
  return failure('storage', "The system's password store is locked, or refuses access.", {
    retry: 'after-fix',
    reason: 'keyring-unavailable',
  });
}
