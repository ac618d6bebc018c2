import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endsWithTest } from '../../support/test-child.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };

let dir: string;
let prefix: string;
let cooper: string;
/** PATH with this Node first. */
const path24 = `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`;

beforeAll(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-install-'));
  prefix = path.join(dir, 'prefix');
  mkdirSync(prefix);
  run(process.execPath, [path.join(root, 'build/scripts/run.mjs'), 'pack'], {
    cwd: root,
    env: { COOPER_DIST_OUTPUT: dir },
  });
  const file = path.join(dir, `cooper-${version}.tgz`);
  const flags = ['--prefix', prefix, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  run('npm', ['install', '--global', ...flags, file], { cwd: dir });
  cooper = path.join(prefix, 'bin', 'cooper');
}, 240_000);
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string | undefined>> } = {},
): string {
  const { npm_lifecycle_event: _npm, NODE_ENV: _env, VITEST: _vitest, ...env } = process.env;
  const ran = spawnSync(command, [...args], {
    cwd: options.cwd ?? dir,
    env: { ...env, PATH: path24, ...options.env },
    encoding: 'utf8',
    timeout: 200_000,
  });
  if (ran.status !== 0)
    throw new Error(`${command} ended with ${String(ran.status)}\n${ran.stdout}${ran.stderr}`);
  return ran.stdout;
}

/** Returns a Node on this machine that is too old for Cooper; null if there is none. */
function oldNode(): string | null {
  const dirs = (process.env['PATH'] ?? '').split(path.delimiter);
  for (const file of dirs.map((dir) => path.join(dir, 'node')).filter((dir) => existsSync(dir))) {
    const found = spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout;
    if (Number(/^v(\d+)/.exec(found)?.[1] ?? '24') < 24) return file;
  }
  return null;
}

describe.skipIf(process.platform === 'win32')('the installed command', () => {
  test('prints its version and its flags under its own name', () => {
    expect(run(cooper, ['--version'])).toBe(`Cooper ${version}\n`);
    const help = run(cooper, ['--help']);
    expect(help).toContain('Usage: cooper [flags]');
    expect(help).not.toContain('npm start');
  });

  test('has every flag of its help in the installed manual page', () => {
    const page = readFileSync(path.join(prefix, 'share/man/man1/cooper.1'), 'utf8').replaceAll('\\-', '-');
    const flags = run(cooper, ['--help']).match(/--[a-z-]+/g) ?? [];
    expect(flags.length).toBeGreaterThan(5);
    for (const flag of flags) expect(page).toContain(flag);
  });

  test('ends with status 2 and its own name for an unknown flag', () => {
    const ran = spawnSync(cooper, ['--colour'], { encoding: 'utf8', env: { ...process.env, PATH: path24 } });
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain('`cooper --help`');
  });

  test('needs no other package and contains no source', () => {
    const installed = path.join(prefix, 'lib/node_modules/cooper');
    const modules = path.join(installed, 'node_modules');
    const brought = existsSync(modules) ? readdirSync(modules).filter((name) => !name.startsWith('.')) : [];
    expect(brought.filter((name) => !/^node-(?:linux|win)-/.test(name))).toEqual([]);
    expect(
      readdirSync(installed)
        .filter((name) => name !== 'node_modules')
        .toSorted(),
    ).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'docs', 'package.json'].toSorted());
  });

  test('serves the window in the browser and ends when asked to', async () => {
    expect(await serveOnce(cooper, [], path24)).toEqual({ page: true, status: 0 });
  }, 60_000);

  test('explains with --desktop how to get Electron', () => {
    const ran = spawnSync(cooper, ['--desktop', '--data-dir', path.join(dir, 'd')], {
      encoding: 'utf8',
      env: { ...process.env, PATH: path24 },
    });
    expect(ran.status).toBe(2);
    expect(ran.stderr).toContain('npm install -g electron');
  });

  test.skipIf(oldNode() === null || process.platform === 'darwin')(
    'runs on its bundled Node if the installed one is too old',
    async (context) => {
      const installed = path.join(prefix, 'lib/node_modules/cooper');
      context.skip(
        !existsSync(path.join(installed, 'node_modules')),
        'the registry did not give the pinned Node',
      );
      const script = path.join(installed, 'bin/cooper.mjs');
      expect(run(oldNode() ?? '', [script, '--version'])).toBe(`Cooper ${version}\n`);
      expect(await serveOnce(oldNode() ?? '', [script], process.env['PATH'] ?? '')).toEqual({
        page: true,
        status: 0,
      });
    },
    60_000,
  );

  test.skipIf(oldNode() === null)('names the Node version it needs if it finds only an old one', () => {
    const alone = path.join(dir, 'alone', 'bin');
    mkdirSync(alone, { recursive: true });
    cpSync(path.join(root, 'bin/cooper.mjs'), path.join(alone, 'cooper.mjs'));
    const ran = spawnSync(oldNode() ?? '', [path.join(alone, 'cooper.mjs')], { encoding: 'utf8' });
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/^Cooper needs Node 24 or later; this is Node /);
  });
});

/** Starts the command with the browser host, requests its page, and ends it. */
async function serveOnce(
  command: string,
  args: readonly string[],
  searchPath: string,
): Promise<{ readonly page: boolean; readonly status: number | null }> {
  const { npm_lifecycle_event: _npm, ...env } = process.env;
  const data = mkdtempSync(path.join(dir, 'data-'));
  const child = endsWithTest(
    spawn(command, [...args, '--browser', '--no-open', '--data-dir', data], {
      env: { ...env, PATH: searchPath, COOPER_SAMPLE_LOGS: '5' },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const found = /^Cooper is ready at (http:\S+\/)#/m.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => {
      reject(new Error(`Cooper ended before it was ready:\n${text}`));
      return undefined;
    });
  });
  // Browsers resolve names below localhost themselves; Node leaves that to the system.
  const response = await fetch(address.replace(/\/\/[^:/]+/u, '//127.0.0.1'));
  const page = response.status === 200 && (await response.text()).includes('<div id="root">');
  child.kill('SIGTERM');
  const [status] = await exited;
  return { page, status };
}
