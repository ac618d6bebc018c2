import { PassThrough } from 'node:stream';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { offerAddresses } from '../../../electron/browser/main.ts';
import { writeRedirectFile, addressesOf, freshName, plainOf } from '../../../electron/browser/addresses.ts';
import { createSessionStore } from '../../../electron/browser/session-store.ts';
import { codeOfFragment } from '../../../shared/session.ts';
import { tempDir } from '../../support/temp-dir.ts';

const codeIn = (line: string): string => codeOfFragment(/#code=.*$/.exec(line)?.[0] ?? '') ?? 'none';

test('a one-time code expires after 10 minutes, and pressing Enter prints a new one', async () => {
  let nowMs = 1_000_000;
  const sessions = createSessionStore(() => nowMs);
  const printed: string[] = [];
  const keys = Object.assign(new PassThrough(), { isTTY: true });
  const fresh = () => addressesOf('name.localhost', 4000, sessions.issueCode());
  const first = fresh();
  const end = offerAddresses(keys, fresh, (line) => printed.push(line));
  nowMs += 10 * 60_000;
  expect(sessions.exchange(codeIn(first.named))).toEqual({ refused: 'expired' });
  keys.write('\n');
  await new Promise((resolve) => setImmediate(resolve));
  const last = printed.at(-1) ?? '';
  expect(last).toContain('http://name.localhost:4000/#code=');
  expect(sessions.exchange(codeIn(last))).toHaveProperty('token');
  end();
});

const plainAddress = () => addressesOf('n', 1, 'c');

test('without a terminal the program does not offer to print new addresses', () => {
  const printed: string[] = [];
  offerAddresses(new PassThrough(), plainAddress, (line) => printed.push(line))();
  expect(printed).toEqual([]);
});

test('each start has its own random name below localhost', () => {
  const names = Array.from({ length: 100 }, freshName);
  expect(new Set(names).size).toBe(100);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9]{15,62}\.localhost$/);
});

test('the plain form of an address has 127.0.0.1 and the same code', () => {
  const { named, plain } = addressesOf(freshName(), 4000, 'a-code-of-some-length');
  expect(plainOf(named)).toBe(plain);
  expect(plain).toBe('http://127.0.0.1:4000/#code=a-code-of-some-length');
  expect(plainOf(plain)).toBeNull();
});

test('the browser opens a file that only its owner can read, and its command line contains no code', () => {
  const dir = tempDir();
  const before = process.umask(0);
  const written = writeRedirectFile(
    path.join(dir, 'cooper'),
    addressesOf('n.localhost', 4000, 'the-secret-code'),
  );
  process.umask(before);
  expect(written.address).toMatch(/^file:/);
  expect(written.address).not.toContain('the-secret-code');
  const file = fileURLToPath(written.address);
  expect(readFileSync(file, 'utf8')).toContain('http://n.localhost:4000/#code=the-secret-code');
  const modes = [file, path.dirname(file)].map((target) => statSync(target).mode & 0o777);
  expect(process.platform === 'win32' ? [0o600, 0o700] : modes).toEqual([0o600, 0o700]);
  written.remove();
  expect(() => statSync(file)).toThrow('ENOENT');
});

test('a file planted by an attacker is replaced instead of written through', () => {
  const dir = tempDir();
  mkdirSync(path.join(dir, 'cooper'));
  const first = writeRedirectFile(path.join(dir, 'cooper'), addressesOf('n.localhost', 1, 'first-code'));
  const inode = statSync(fileURLToPath(first.address)).ino;
  const second = writeRedirectFile(path.join(dir, 'cooper'), addressesOf('n.localhost', 1, 'second-code'));
  expect(statSync(fileURLToPath(second.address)).ino).not.toBe(inode);
});
