import { writeFileSync } from 'node:fs';
import type { Secrets } from '../../core/ports.ts';
import { setFolderAside } from '../../core/store/safe-files.ts';
import { failure } from '../../../shared/errors.ts';
import {
  isObfuscatedOnly,
  encryptedSecrets,
  readEncryptedValues,
  type Encryption,
} from './encrypted-secrets.ts';
import { readIfExists } from '../../host/problem.ts';

/**
 * Returns the store of secrets for systems without a password store. Asks the user once, when the first secret is stored. With
 * consent, secrets are written to a file that only this account can read. Otherwise they are kept in memory until Cooper ends,
 * and the next run asks again.
 */
export function unprotectedSecrets(options: {
  readonly consentFile: string;
  readonly plain: Secrets;
  readonly askConsent: () => Promise<boolean>;
}): Secrets {
  let kind: 'undecided' | 'plain-text' | 'memory' = hasConsented(options.consentFile)
    ? 'plain-text'
    : 'undecided';
  /** The open question. Secrets stored meanwhile wait for the same answer. */
  let asking: Promise<void> | null = null;
  const memory = new Map<string, string>();

  const decide = async (): Promise<void> => {
    if (await options.askConsent()) {
      setFolderAside(options.consentFile, Date.now());
      writeFileSync(options.consentFile, 'plain-text\n', { mode: 0o600 });
      kind = 'plain-text';
    } else {
      kind = 'memory';
    }
  };
  const askOnce = (): Promise<void> =>
    (asking ??= decide().finally(() => {
      asking = null;
    }));

  return {
    get protection() {
      return kind === 'plain-text' ? 'plain-text' : 'memory';
    },
    get: (name) =>
      kind === 'plain-text' ? options.plain.get(name) : Promise.resolve(memory.get(name) ?? null),
    set: async (name, value) => {
      if (kind === 'undecided') await askOnce();
      if (kind === 'plain-text') await options.plain.set(name, value);
      else memory.set(name, value);
    },
    delete: async (name) => {
      memory.delete(name);
      if (kind === 'plain-text') await options.plain.delete(name);
    },
  };
}

/** Returns true if an earlier start stored the consent. If the file cannot be read, the user is asked again. */
function hasConsented(consentFile: string): boolean {
  try {
    return readIfExists(consentFile) === 'plain-text';
  } catch {
    return false;
  }
}

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
  /** Returns false also if the file cannot be read, because the window must show the connections nevertheless. */
  const hasObfuscated = (): boolean => {
    try {
      return Object.values(readEncryptedValues(file)).some(isObfuscated);
    } catch {
      return false;
    }
  };

  return {
    get protection() {
      return hasObfuscated() ? 'plain-text' : unprotected.protection;
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
