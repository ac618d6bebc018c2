import type { Encryption } from './encrypted-secrets.ts';

/**
 * The prefix of a ciphertext whose key is a constant in Chromium's source. Chromium uses it on Linux if no keyring responds.
 * Source: chromium/src components/os_crypt, `posix_key_provider.cc`; a keyring's key has `v11` or `v12`.
 */
const fixedKeyPrefix = 'v10';

/** Returns true for a ciphertext (base64) under the publicly known key. Occurs only on Linux. */
export function isObfuscatedOnly(encrypted: string, platform: NodeJS.Platform): boolean {
  return platform === 'linux' && hasFixedKey(Buffer.from(encrypted, 'base64'));
}

/**
 * Returns true if the system's password store responds and really protects secrets. Encrypts a test value to find out: on Linux
 * `getSelectedStorageBackend` returns the configured keyring even if it does not run, is locked, or denies access.
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
    // The store refused. The caller falls back to secrets without a password store, and informs the user.
    return false;
  }
}

function hasFixedKey(encrypted: Buffer): boolean {
  return encrypted.subarray(0, fixedKeyPrefix.length).toString('latin1') === fixedKeyPrefix;
}
