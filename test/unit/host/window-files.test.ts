import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { noncePlaceholder } from '../../../electron/host/csp.ts';
import { loadWindowFiles, type WindowFiles } from '../../../electron/host/window-files.ts';
import { tempDir } from '../../support/temp-dir.ts';

function files(): WindowFiles {
  const outer = tempDir();
  const dir = path.join(outer, 'window');
  mkdirSync(path.join(dir, 'assets'), { recursive: true });
  writeFileSync(path.join(outer, 'secret.txt'), 'secret');
  symlinkSync(path.join(outer, 'secret.txt'), path.join(dir, 'link.txt'));
  writeFileSync(path.join(dir, 'index.html'), `<meta property="csp-nonce" nonce="${noncePlaceholder}">`);
  writeFileSync(path.join(dir, 'assets', 'main-abc.js'), 'void 0;');
  writeFileSync(path.join(dir, 'favicon.svg'), '<svg/>');
  return loadWindowFiles(dir);
}

test('each response of the page has a fresh nonce in page and policy', () => {
  const served = files();
  const nonces = [1, 2].map(() => {
    const { body, headers, status } = served.answer('/', []);
    expect(status).toBe(200);
    const nonce = /nonce="([\w-]{20,})"/.exec(String(body))?.[1] ?? 'none';
    expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`);
    return nonce;
  });
  expect(new Set(nonces).size).toBe(2);
});

test('the policy allows no inline script, eval, frame or foreign origin', () => {
  const policy = files().answer('/', ['ws://127.0.0.1:1']).headers['content-security-policy'] ?? '';
  const directives = new Map(policy.split('; ').map((part) => [part.split(' ', 1)[0], part]));
  expect(directives.get('default-src')).toBe("default-src 'none'");
  expect(directives.get('script-src')).toBe("script-src 'self'");
  expect(directives.get('connect-src')).toBe("connect-src 'self' ws://127.0.0.1:1");
  expect(directives.get('frame-ancestors')).toBe("frame-ancestors 'none'");
  expect(directives.get('base-uri')).toBe("base-uri 'none'");
  expect(directives.get('form-action')).toBe("form-action 'none'");
  expect(policy).not.toMatch(/unsafe-eval|\*|https?:/);
});

test('files with a hash in their name are cached, the page never', () => {
  const served = files();
  expect(served.answer('/', []).headers['cache-control']).toBe('no-store');
  expect(served.answer('/assets/main-abc.js', []).headers['cache-control']).toContain('immutable');
  expect(served.answer('/favicon.svg', []).headers['cache-control']).toBe('no-cache');
});

test.each([
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/assets/../../secret.txt',
  String.raw`/..\secret.txt`,
  '//secret.txt',
  '/assets',
  '/assets/',
  '/link.txt',
  '/INDEX.HTML',
  '/favicon.svg/',
  '/favicon.svg\0',
  '',
])('the path %j is not found', (pathname) => {
  expect(files().answer(pathname, []).status).toBe(404);
});

test('every response forbids type sniffing', () => {
  const served = files();
  for (const pathname of ['/', '/assets/main-abc.js', '/favicon.svg', '/nothing']) {
    expect(served.answer(pathname, []).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
});

test('WebAssembly is allowed only in the workers that decode HEIC, PDF, xz and SQLite', () => {
  const outer = tempDir();
  mkdirSync(path.join(outer, 'assets'));
  writeFileSync(path.join(outer, 'index.html'), '');
  const decoders = [
    'heic-worker-a_B-9.js',
    'sqlite-worker-a_B-9.js',
    'unpack-worker-a_B-9.js',
    'pdf.worker.min-a_B-9.mjs',
  ];
  const names = [
    ...decoders,
    'heic-view-abc.js',
    'image-worker-abc.js',
    'table-worker-abc.js',
    'my-heic-worker-abc.js',
    'pdf.worker.min-abc.js',
    'pdf-abc.mjs',
  ];
  for (const name of names) writeFileSync(path.join(outer, 'assets', name), 'void 0;');
  const served = loadWindowFiles(outer);
  const allowed = names.filter((name) =>
    served.answer(`/assets/${name}`, []).headers['content-security-policy']?.includes('wasm'),
  );
  expect(allowed).toEqual(decoders);
  expect(served.answer('/', []).headers['content-security-policy']).not.toContain('wasm');
});
