import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { takeLock } from '../../../electron/host/lock.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { endsWithTest } from '../../support/test-child.ts';

const holder = fileURLToPath(new URL('lock-holder.ts', import.meta.url));

test('the lock is held by one holder until released', () => {
  const dir = tempDir();
  const first = takeLock(dir);
  expect(first).not.toBeNull();
  expect(takeLock(dir)).toBeNull();
  first?.release();
  const second = takeLock(dir);
  expect(second).not.toBeNull();
  second?.release();
});

test('another process cannot take a held lock', async () => {
  const dir = tempDir();
  const lock = takeLock(dir);
  expect(await ask(dir)).toBe('taken by another');
  lock?.release();
});

test('a lock survives garbage collection and ends when its holder is killed', async () => {
  const dir = tempDir();
  const child = endsWithTest(
    spawn(process.execPath, [holder, dir, 'stay'], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  await once(child.stdout, 'data');
  expect(takeLock(dir)).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = takeLock(dir);
  expect(lock).not.toBeNull();
  lock?.release();
});

test('garbage or a folder in place of the lock is set aside, and the lock is taken by one', async () => {
  for (const isFolder of [false, true]) {
    const dir = tempDir();
    const file = path.join(dir, 'lock.db');
    if (isFolder) mkdirSync(file);
    else writeFileSync(file, 'garbage '.repeat(100));
    const lock = takeLock(dir);
    expect(lock?.setAsideAs).toMatch(/lock\.db\.damaged-/);
    expect(existsSync(lock?.setAsideAs ?? '')).toBe(true);
    expect(await ask(dir)).toBe('taken by another');
    lock?.release();
  }
});

async function ask(dir: string): Promise<string> {
  const child = endsWithTest(
    spawn(process.execPath, [holder, dir], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  await once(child, 'close');
  return output.trim();
}
