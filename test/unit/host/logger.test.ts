import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileLogger, knownSecrets, recordingSecrets } from '../../../electron/host/logger.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { memorySecrets } from '../../support/core/memory-secrets.ts';

test('secrets are known for redaction once set or read, including the parts of records', async () => {
  const kept = memorySecrets();
  await kept.set('before', 'a-secret-of-before');
  const known = knownSecrets();
  const secrets = recordingSecrets(kept, known);
  expect(known.all).toEqual([]);
  await secrets.set('now', 'a-secret-of-now');
  expect(await secrets.get('before')).toBe('a-secret-of-before');
  await secrets.set('keys', JSON.stringify([{ name: 'Mine', key: 'a-customer-key' }]));
  await secrets.set('odd', '{not a record');
  await secrets.delete('now');
  expect(await kept.get('now')).toBeNull();
  expect(known.all).toEqual(
    expect.arrayContaining(['a-secret-of-now', 'a-secret-of-before', 'a-customer-key', '{not a record']),
  );
  // A deleted secret stays known, since a later log line may still contain it.
  expect(known.all).toContain('a-secret-of-now');
  // Common words are not treated as secrets, or the log would be full of gaps.
  expect(known.all).not.toContain('Mine');
});

test('secret fields never reach the log, at the top or one level down', () => {
  const dir = tempDir();
  const logger = fileLogger(dir);
  logger.info('connected', {
    secretAccessKey: 'hush-1',
    connection: { sessionToken: 'hush-2', name: 'mine' },
  });
  logger.close();
  const log = readFileSync(path.join(dir, 'cooper.log'), 'utf8');
  expect(log).toContain('connected');
  expect(log).toContain('mine');
  expect(log).not.toContain('hush');
});

test('a known secret never reaches the log in a message or an error', () => {
  const dir = tempDir();
  const known: string[] = [];
  const logger = fileLogger(dir, () => known);
  known.push('kept-secret/7f3a');
  const err = Object.assign(new Error('refused kept-secret/7f3a'), { deep: { er: ['kept-secret%2F7f3a'] } });
  logger.error('Broken by kept-secret/7f3a', { err });
  logger.close();
  const log = readFileSync(path.join(dir, 'cooper.log'), 'utf8');
  expect(JSON.parse(log)).toMatchObject({ err: { type: 'Error', deep: {} } });
  expect(log).not.toMatch(/kept-secret|7f3a/);
});

test('the log is readable only by its owner, and a long one is rotated', () => {
  const dir = tempDir();
  writeFileSync(path.join(dir, 'cooper.log'), 'x'.repeat(6 * 1024 * 1024));
  const logger = fileLogger(dir);
  logger.warn('begun anew');
  logger.close();
  expect(statSync(path.join(dir, 'cooper.log')).size).toBeLessThan(1000);
  expect(statSync(path.join(dir, 'cooper.log')).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(dir, 'cooper.log.1')).size).toBe(6 * 1024 * 1024);
});

test('a folder in place of the log or the rotated log is set aside with its contents', () => {
  const dir = tempDir();
  for (const name of ['cooper.log', 'cooper.log.1']) {
    mkdirSync(path.join(dir, name));
    writeFileSync(path.join(dir, name, 'mine.txt'), 'mine');
  }
  const logger = fileLogger(dir);
  logger.warn('begun anew');
  logger.close();
  expect(readFileSync(path.join(dir, 'cooper.log'), 'utf8')).toContain('begun anew');
  const aside = readdirSync(dir).filter((name) => name.includes('.damaged-'));
  expect(aside.map((name) => readFileSync(path.join(dir, name, 'mine.txt'), 'utf8'))).toEqual([
    'mine',
    'mine',
  ]);
});

test('a log that cannot be written ends the start with a message that names it', () => {
  const dir = path.join(tempDir(), 'gone');
  expect(() => fileLogger(dir)).toThrow(path.join(dir, 'cooper.log'));
});
