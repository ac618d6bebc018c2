import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { encryptedSecrets, type Encryption } from '../../../../electron/desktop/secrets/encrypted-secrets.ts';
import { unprotectedSecrets } from '../../../../electron/desktop/secrets/unavailable-store.ts';
import { memorySecrets } from '../../../support/core/memory-secrets.ts';
import { errorOf } from '../../../support/servers/s3-client.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** Returns a fake encryption that marks texts with the key's number. It can read old keys, and asks to re-encrypt such texts. */
function encryption(keyNumber: number): Encryption {
  return {
    encryptStringAsync: (plain) =>
      Promise.resolve(Buffer.from(`${String(keyNumber)}:${plain.toUpperCase()}`)),
    decryptStringAsync: (encrypted) => {
      const [number, text = ''] = encrypted.toString().split(':');
      if (Number(number) > keyNumber) return Promise.reject(new Error('unknown key'));
      return Promise.resolve({ result: text.toLowerCase(), shouldReEncrypt: Number(number) < keyNumber });
    },
  };
}

test('a stored secret is read also by the next start, and a deleted one is gone', async () => {
  const file = path.join(tempDir(), 'secrets');
  const secrets = encryptedSecrets(file, encryption(1));
  expect(await secrets.get('a')).toBeNull();
  await secrets.set('a', 'one');
  await secrets.set('b', 'two');
  const next = encryptedSecrets(file, encryption(1));
  expect([await next.get('a'), await next.get('b')]).toEqual(['one', 'two']);
  await next.delete('a');
  expect([await next.get('a'), await next.get('b')]).toEqual([null, 'two']);
});

test('concurrent changes of secrets lose nothing', async () => {
  const secrets = encryptedSecrets(path.join(tempDir(), 'secrets'), encryption(1));
  const names = Array.from({ length: 30 }, (_, index) => `name-${String(index)}`);
  await Promise.all(names.map((name) => secrets.set(name, `value of ${name}`)));
  await Promise.all(names.slice(0, 10).map((name) => secrets.delete(name)));
  const kept = await Promise.all(names.map((name) => secrets.get(name)));
  expect(kept).toEqual(names.map((name, index) => (index < 10 ? null : `value of ${name}`)));
});

test('the secrets file is readable only by its owner and holds no plain text', async () => {
  const file = path.join(tempDir(), 'secrets');
  await encryptedSecrets(file, encryption(1)).set('a', 'plain text');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).not.toContain('plain text');
});

test('secrets are re-encrypted after the system replaced its key', async () => {
  const file = path.join(tempDir(), 'secrets');
  await encryptedSecrets(file, encryption(1)).set('a', 'one');
  expect(await encryptedSecrets(file, encryption(2)).get('a')).toBe('one');
  await expect(encryptedSecrets(file, encryption(1)).get('a')).rejects.toMatchObject({
    error: { code: 'storage', reason: 'secret-unreadable', retry: 'after-fix' },
  });
});

test('the name of a built-in property does not count as a stored secret', async () => {
  const secrets = encryptedSecrets(path.join(tempDir(), 'secrets'), encryption(1));
  expect(await secrets.get('constructor')).toBeNull();
});

test('without a password store the first secret asks once for consent', async () => {
  let asked = 0;
  const plain = memorySecrets();
  const consentFile = path.join(tempDir(), 'consent');
  const secrets = unprotectedSecrets({
    consentFile,
    plain,
    askConsent: () => {
      asked += 1;
      return Promise.resolve(true);
    },
  });
  expect(secrets.protection).toBe('memory');
  await Promise.all([secrets.set('a', 'one'), secrets.set('b', 'two')]);
  expect(asked).toBe(1);
  expect(secrets.protection).toBe('plain-text');
  expect(await plain.get('b')).toBe('two');
  const next = unprotectedSecrets({
    consentFile,
    plain,
    askConsent: () => Promise.reject(new Error('asked again')),
  });
  expect(await next.get('a')).toBe('one');
});

test('without consent no secret reaches a file', async () => {
  const plain = memorySecrets();
  const secrets = unprotectedSecrets({
    consentFile: path.join(tempDir(), 'consent'),
    plain,
    askConsent: () => Promise.resolve(false),
  });
  await secrets.set('a', 'one');
  expect(await secrets.get('a')).toBe('one');
  expect(await plain.get('a')).toBeNull();
  expect(secrets.protection).toBe('memory');
});

test.each([
  ['garbage', (file: string) => writeFileSync(file, '{"version": 1, "values"')],
  ['empty', (file: string) => writeFileSync(file, '')],
  ['a folder', (file: string) => mkdirSync(file)],
])('a secrets file that is %s is named, left unchanged and not quoted', async (_what, spoil) => {
  const file = path.join(tempDir(), 'secrets');
  spoil(file);
  const secrets = encryptedSecrets(file, encryption(1));
  for (const work of [() => secrets.get('a'), () => secrets.set('a', 'one')]) {
    const error = await errorOf(work());
    expect(error).toMatchObject({ code: 'storage', reason: 'secrets-unreadable' });
    expect(error.message).toContain(file);
    expect(error.message).not.toContain('version');
  }
  expect(existsSync(file)).toBe(true);
});
