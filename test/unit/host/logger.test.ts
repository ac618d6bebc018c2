import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileLogger } from '../../../electron/host/logger.ts';
import { tempDir } from '../../support/temp-dir.ts';

test('secrets never reach the log, at the top or one level down', () => {
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

test('the log is for this account alone, and a long one makes room', () => {
  const dir = tempDir();
  writeFileSync(path.join(dir, 'cooper.log'), 'x'.repeat(6 * 1024 * 1024));
  const logger = fileLogger(dir);
  logger.warn('begun anew');
  logger.close();
  expect(statSync(path.join(dir, 'cooper.log')).size).toBeLessThan(1000);
  expect(statSync(path.join(dir, 'cooper.log')).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(dir, 'cooper.log.1')).size).toBe(6 * 1024 * 1024);
});
