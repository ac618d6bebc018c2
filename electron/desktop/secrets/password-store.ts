import type { Encryption } from './encrypted-secrets.ts';

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
