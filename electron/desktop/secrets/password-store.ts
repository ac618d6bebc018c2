import type { Encryption } from './encrypted-secrets.ts';

/**
 * Marks a ciphertext whose key is a constant of Chromium's source. Chromium uses it on Linux where no keyring answers.
 * Source: chromium/src components/os_crypt, `posix_key_provider.cc`; a keyring's key has `v11` or `v12`.
 */
const fixedKeyPrefix = 'v10';

/** Returns true for a ciphertext (base64) under the publicly known key. Occurs only on Linux. */
export function isObfuscatedOnly(encrypted: string, platform: NodeJS.Platform): boolean {
  return platform === 'linux' && hasFixedKey(Buffer.from(encrypted, 'base64'));
}

/**
 * Returns true when the system's password store answers and protects what it is given.
 *
 * It encrypts a probe: on Linux `getSelectedStorageBackend` names the keyring that is configured, not one that runs, is
 * unlocked and allows access.
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
    // A refusal: the caller falls back to secrets without a password store, and says so.
    return false;
  }
}

function hasFixedKey(encrypted: Buffer): boolean {
  return encrypted.subarray(0, fixedKeyPrefix.length).toString('latin1') === fixedKeyPrefix;
}
