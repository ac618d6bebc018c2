import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Secrets } from '../../core/ports.ts';
import { failure } from '../../../shared/errors.ts';
import { writeFileAtomically } from '../../core/store/safe-files.ts';
import { errnoOf } from '../../host/problem.ts';

/** The functions of Electron's safeStorage that are used. */
export interface Encryption {
  encryptStringAsync(plainText: string): Promise<Buffer>;
  decryptStringAsync(
    encrypted: Buffer,
  ): Promise<{ readonly result: string; readonly shouldReEncrypt: boolean }>;
}

const fileSchema = z.object({ version: z.literal(1), values: z.record(z.string(), z.base64()) });
/** The ciphertexts in Base64 by the names of the secrets. */
export type EncryptedValues = Readonly<Record<string, string>>;

/** Returns a store that encrypts secrets with a key in the system's password store. The file alone is useless. */
export function encryptedSecrets(file: string, encryption: Encryption): Secrets {
  // Changes run one after another, because each writes the whole file.
  let last: Promise<unknown> = Promise.resolve();
  const change = (decide: (values: EncryptedValues) => EncryptedValues): Promise<void> => {
    const done = last.then(() => write(file, decide(readEncryptedValues(file))));
    last = done.catch(() => undefined);
    return done;
  };
  const set = async (name: string, value: string): Promise<void> => {
    const encrypted = (await encryption.encryptStringAsync(value)).toString('base64');
    await change((values) => ({ ...values, [name]: encrypted }));
  };

  return {
    protection: 'system',
    get: async (name) => {
      await last;
      const values = readEncryptedValues(file);
      const stored = Object.hasOwn(values, name) ? values[name] : undefined;
      if (stored === undefined) return null;
      const { result, shouldReEncrypt } = await decrypt(encryption, stored);
      // The system changed its encryption key and may soon delete the old one, so the secret is encrypted again.
      if (shouldReEncrypt) await set(name, result);
      return result;
    },
    set,
    delete: (name) =>
      change((values) => Object.fromEntries(Object.entries(values).filter(([key]) => key !== name))),
  };
}

async function decrypt(encryption: Encryption, stored: string) {
  try {
    return await encryption.decryptStringAsync(Buffer.from(stored, 'base64'));
  } catch (thrown) {
    throw failure(
      'storage',
      "A stored secret could not be decrypted: the system's encryption key has changed.",
      { retry: 'after-fix', reason: 'secret-unreadable', cause: thrown },
    );
  }
}

/**
 * Returns the encrypted values by name; {} if the file does not exist. Throws `AppError('storage')` with reason
 * `secrets-unreadable` if the file cannot be read.
 */
export function readEncryptedValues(file: string): EncryptedValues {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).values;
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return {};
    // The cause is omitted, because it would quote the file.
    throw failure(
      'storage',
      `The file of secrets (${file}) cannot be read. Repair it or move it away, and enter the keys again.`,
      { retry: 'after-fix', reason: 'secrets-unreadable' },
    );
  }
}

async function write(file: string, values: EncryptedValues): Promise<void> {
  try {
    await writeFileAtomically(file, JSON.stringify({ version: 1, values }), { suffix: randomUUID() });
  } catch (thrown) {
    throw failure('storage', `A secret could not be stored in ${file}.`, {
      retry: 'after-fix',
      cause: thrown,
    });
  }
}

/**
 * The prefix of a ciphertext whose key is a constant in Chromium's source. Chromium uses this key on Linux if no keyring
 * responds. Ciphertexts with a keyring's key start with `v11` or `v12`. Source: chromium/src components/os_crypt,
 * `posix_key_provider.cc`.
 */
const fixedKeyPrefix = 'v10';

/** Returns true for a ciphertext (Base64) with the publicly known key, which occurs only on Linux. */
export function isObfuscatedOnly(encrypted: string, platform: NodeJS.Platform): boolean {
  return platform === 'linux' && hasFixedKey(Buffer.from(encrypted, 'base64'));
}

/**
 * Returns true if the system's password store responds and really protects secrets. Encrypts a test value to find out, because on
 * Linux `getSelectedStorageBackend` returns the configured keyring even if it does not run, is locked, or denies access.
 */
export async function hasPasswordStore(
  encryption: Encryption & { isAsyncEncryptionAvailable(): Promise<boolean> },
  platform: NodeJS.Platform,
): Promise<boolean> {
  if (!(await encryption.isAsyncEncryptionAvailable())) return false;
  try {
    const probe = await encryption.encryptStringAsync('probe');
    return platform !== 'linux' || !hasFixedKey(probe);
  } catch {
    // The store refused. The caller then uses secrets without a password store and informs the user.
    return false;
  }
}

function hasFixedKey(encrypted: Buffer): boolean {
  return encrypted.subarray(0, fixedKeyPrefix.length).toString('latin1') === fixedKeyPrefix;
}
