import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileSecrets } from '../../../../electron/core/connections/file-secrets.ts';
import { memorySecrets } from '../../../support/core/memory-secrets.ts';
import type { Secrets } from '../../../../electron/core/ports.ts';
import { errorOf } from '../../../support/servers/s3-client.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const at = (dir: string) => path.join(dir, 'secrets.json');

const kinds: readonly (readonly [string, () => Secrets])[] = [
  ['file', () => fileSecrets(tempDir())],
  ['memory', memorySecrets],
];

describe.each(kinds)('secrets in %s', (kind, make) => {
  test('return values that were set and null after deletion', async () => {
    const secrets = make();
    expect(secrets.protection).toBe(kind);
    expect(await secrets.get('a')).toBeNull();
    await secrets.set('a', 'one');
    await secrets.set('a', 'two');
    await secrets.set('b', '');
    expect([await secrets.get('a'), await secrets.get('b')]).toEqual(['two', '']);
    await secrets.delete('a');
    await secrets.delete('never there');
    expect(await secrets.get('a')).toBeNull();
  });

  test('accept names such as __proto__ and constructor', async () => {
    const secrets = make();
    expect(await secrets.get('constructor')).toBeNull();
    await secrets.set('__proto__', 'x');
    expect(await secrets.get('toString')).toBeNull();
    expect(await secrets.get('__proto__')).toBe('x');
  });
});

describe('the secrets file', () => {
  test('persists and is readable only by its owner', async () => {
    const dir = tempDir();
    await fileSecrets(dir).set('a', 'kept');
    expect(await fileSecrets(dir).get('a')).toBe('kept');
    expect(statSync(at(dir)).mode & 0o777).toBe(0o600);
  });

  test('loses nothing on concurrent writes', async () => {
    const dir = tempDir();
    const secrets = fileSecrets(dir);
    await Promise.all(Array.from({ length: 40 }, (_, index) => secrets.set(`n${index}`, String(index))));
    const again = fileSecrets(dir);
    for (let index = 0; index < 40; index++) expect(await again.get(`n${index}`)).toBe(String(index));
  });

  test('gets its narrow permissions back before it is read', async () => {
    const dir = tempDir();
    await fileSecrets(dir).set('a', 'x');
    chmodSync(at(dir), 0o644);
    expect(await fileSecrets(dir).get('a')).toBe('x');
    expect(statSync(at(dir)).mode & 0o777).toBe(0o600);
  });

  test('is not overwritten if unreadable, and the error does not quote it', async () => {
    const dir = tempDir();
    writeFileSync(at(dir), '{"version":1,"values":{"a":"s3cr3t"', { mode: 0o600 });
    const secrets = fileSecrets(dir);
    const error = await errorOf(secrets.set('b', 'new'));
    expect(error).toMatchObject({ code: 'storage', reason: 'secrets-unreadable' });
    expect(JSON.stringify(error)).not.toMatch(/s3cr3t/);
    expect(readFileSync(at(dir), 'utf8')).toMatch(/s3cr3t/);
  });

  test('is written again after a failed write', async () => {
    const dir = tempDir();
    writeFileSync(at(dir), 'broken', { mode: 0o600 });
    const secrets = fileSecrets(dir);
    await errorOf(secrets.set('a', '1'));
    writeFileSync(at(dir), '{"version":1,"values":{}}');
    await secrets.set('a', '2');
    expect(await secrets.get('a')).toBe('2');
  });
});
