import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { electronSupport } from '../../../build/scripts/release/audit-report.ts';
import { tempDir } from '../../support/temp-dir.ts';

const { load } = createRequire(import.meta.url)('js-yaml') as { readonly load: (text: string) => unknown };
const script = 'build/scripts/audit.ts';
const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const { devDependencies } = JSON.parse(read('package.json')) as {
  readonly devDependencies: Readonly<Record<'electron', string>>;
};
const pinned = devDependencies.electron;
const majorsLater = (count: number): string => `${String(Number.parseInt(pinned, 10) + count)}.0.0`;

const clean = JSON.stringify({ metadata: { vulnerabilities: { high: 0, total: 0 } } });
const vulnerable = JSON.stringify({ metadata: { vulnerabilities: { high: 1, total: 1 } } });

/** Runs the release's audit script with a fake npm that prints these responses. */
function audit(replies: { readonly audit: string; readonly newest: string }) {
  const dir = tempDir();
  const reply = `process.stdout.write(process.argv[2] === 'audit' ? ${JSON.stringify(replies.audit)} : ${JSON.stringify(replies.newest)});`;
  writeFileSync(path.join(dir, 'npm'), `#!${process.execPath}\n${reply}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${dir}${path.delimiter}${process.env['PATH'] ?? ''}` };
  const { status, stdout } = spawnSync(process.execPath, [path.join(root, script)], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout };
}

test('Electron is an exact version of the three newest majors, and a release fails otherwise', () => {
  expect(pinned).toMatch(/^\d+\.\d+\.\d+$/);
  expect(electronSupport('45.4.1', '45.9.0')).toBe('supported');
  expect(electronSupport('45.4.1', '47.0.0\n')).toBe('supported');
  expect(electronSupport('45.4.1', '48.0.0')).toBe('out-of-support');
  expect(electronSupport('45.4.1', '')).toBe('unanswered');
  expect(electronSupport('45.4.1', '{"error":1}')).toBe('unanswered');
  const workflow = load(read('.github/workflows/release.yml')) as {
    readonly jobs: { readonly test: { readonly steps: readonly object[] } };
  };
  // A step in the first job, without a condition. The jobs that package and publish depend on its success.
  expect(workflow.jobs.test.steps).toContainEqual({ name: expect.any(String), run: `node ${script}` });
});

test.skipIf(process.platform === 'win32').each([
  [
    'a supported Electron without known problems passes',
    { audit: clean, newest: majorsLater(2) },
    0,
    'gets fixes',
  ],
  ['an Electron three majors old fails', { audit: clean, newest: majorsLater(3) }, 1, 'no longer gets fixes'],
  ['a known problem fails', { audit: vulnerable, newest: majorsLater(0) }, 1, '1 known problems'],
  [
    'a registry without a response is skipped',
    { audit: '', newest: '' },
    0,
    'Skipped: whether Electron is supported',
  ],
])('the release audit of %s', (_what, replies, status, words) => {
  const ran = audit(replies);
  expect(ran.stdout).toContain(words);
  expect(ran.status).toBe(status);
});
