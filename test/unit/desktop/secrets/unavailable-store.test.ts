import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  hasPasswordStore,
  isObfuscatedOnly,
  type Encryption,
} from '../../../../electron/desktop/secrets/encrypted-secrets.ts';
import {
  secretsWithoutStore,
  unprotectedSecrets,
} from '../../../../electron/desktop/secrets/unavailable-store.ts';
import { memorySecrets } from '../../../support/core/memory-secrets.ts';
import { errorOf } from '../../../support/servers/s3-client.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** Simulates encryption with Chromium's fixed key (prefix `v10`). Cannot decrypt a keyring's ciphertext (`v11`). */
const fixedKey: Encryption = {
  encryptStringAsync: (plain) => Promise.resolve(Buffer.from(`v10${plain}`)),
  decryptStringAsync: (encrypted) =>
    encrypted.toString().startsWith('v10')
      ? Promise.resolve({ result: encrypted.toString().slice(3), shouldReEncrypt: false })
      : Promise.reject(new Error('temporarily unavailable')),
};

function lockedStore(values: Readonly<Record<string, string>>) {
  const file = path.join(tempDir(), 'secrets');
  const encoded = Object.entries(values).map(([name, value]) => [
    name,
    Buffer.from(value).toString('base64'),
  ]);
  writeFileSync(file, JSON.stringify({ version: 1, values: Object.fromEntries(encoded) as object }));
  const unprotected = memorySecrets();
  const secrets = secretsWithoutStore({ file, encryption: fixedKey, platform: 'linux', unprotected });
  return { file, unprotected, secrets, bytes: () => readFileSync(file, 'utf8') };
}

test('a secret encrypted with a locked keyring is neither read nor replaced, and stays in its file', async () => {
  const { secrets, bytes } = lockedStore({ a: 'v11hidden' });
  const before = bytes();
  for (const work of [() => secrets.get('a'), () => secrets.set('a', 'new')])
    expect(await errorOf(work())).toMatchObject({ code: 'storage', reason: 'keyring-unavailable' });
  expect(bytes()).toBe(before);
});

test("a secret encrypted with Chromium's fixed key is read, counts as plain text, and leaves the file when set", async () => {
  const { secrets, unprotected, bytes } = lockedStore({ a: 'v10known', b: 'v11hidden' });
  expect(secrets.protection).toBe('plain-text');
  expect(await secrets.get('a')).toBe('known');
  await secrets.set('a', 'new');
  expect([await secrets.get('a'), await unprotected.get('a')]).toEqual(['new', 'new']);
  expect(bytes()).not.toContain(Buffer.from('v10known').toString('base64'));
  expect(bytes()).toContain(Buffer.from('v11hidden').toString('base64'));
});

test('a damaged file does not hide how other secrets are protected', async () => {
  const { file, secrets } = lockedStore({ a: 'v10known' });
  writeFileSync(file, 'damaged');
  expect(secrets.protection).toBe('memory');
  expect(await errorOf(secrets.get('a'))).toMatchObject({ reason: 'secrets-unreadable' });
});

test('other secrets go to the fallback store, and a locked one can be deleted', async () => {
  const { secrets, unprotected } = lockedStore({ a: 'v11hidden' });
  await secrets.set('c', 'three');
  expect(await unprotected.get('c')).toBe('three');
  await secrets.delete('a');
  expect(await secrets.get('a')).toBeNull();
});

test.each([
  ['a keyring', 'v11', 'linux', true],
  ['a portal', 'v12', 'linux', true],
  ['the fixed key', 'v10', 'linux', false],
  ['the keychain, whose prefix is the same', 'v10', 'darwin', true],
] as const)(
  'a probe encrypted with %s (%s on %s) shows whether secrets are protected: %s',
  async (_name, prefix, platform, holds) => {
    const encryption = {
      ...fixedKey,
      isAsyncEncryptionAvailable: () => Promise.resolve(true),
      encryptStringAsync: (plain: string) => Promise.resolve(Buffer.from(`${prefix}${plain}`)),
    };
    expect(await hasPasswordStore(encryption, platform)).toBe(holds);
    expect(isObfuscatedOnly(Buffer.from(prefix).toString('base64'), platform)).toBe(!holds);
  },
);

test('a store that fails the probe, or has no encryption, protects nothing', async () => {
  const refusing = {
    ...fixedKey,
    isAsyncEncryptionAvailable: () => Promise.resolve(true),
    encryptStringAsync: () => Promise.reject(new Error('denied')),
  };
  expect(await hasPasswordStore(refusing, 'darwin')).toBe(false);
  const none = { ...fixedKey, isAsyncEncryptionAvailable: () => Promise.resolve(false) };
  expect(await hasPasswordStore(none, 'win32')).toBe(false);
});

test('a folder in the place of the consent file counts as no consent yet, and is set aside', async () => {
  const consentFile = path.join(tempDir(), 'consent');
  mkdirSync(consentFile);
  const plain = memorySecrets();
  const secrets = unprotectedSecrets({ consentFile, plain, askConsent: () => Promise.resolve(true) });
  expect(secrets.protection).toBe('memory');
  await secrets.set('a', 'one');
  expect(await plain.get('a')).toBe('one');
  expect(readFileSync(consentFile, 'utf8')).toBe('plain-text\n');
});

test('the user is asked for consent again after the question failed', async () => {
  const consentFile = path.join(tempDir(), 'consent');
  const plain = memorySecrets();
  const replies = [() => Promise.reject(new Error('no dialog')), () => Promise.resolve(true)];
  const askConsent = () => replies.shift()?.() ?? Promise.resolve(false);
  const secrets = unprotectedSecrets({ consentFile, plain, askConsent });
  await expect(secrets.set('a', 'one')).rejects.toThrow('no dialog');
  await secrets.set('a', 'one');
  expect(await plain.get('a')).toBe('one');
});
