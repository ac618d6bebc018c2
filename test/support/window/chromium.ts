import { execFile, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface TestBrowser {
  readonly file: string;
  /** `Chromium 156.0.8078.79`. */
  readonly version: string;
  readonly source: 'system' | 'package';
  /** Variables to add to the environment in which the process is started. */
  readonly env: Readonly<Record<string, string>>;
}

/** The names to try, in order. The first draws no browser window around the page, which halves the work. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** True for root, for whom Chromium's sandbox must be disabled. No other protection is ever disabled. */
export const isRoot = process.getuid?.() === 0;

/** Returns the system's Chromium, or else the one in @sparticuz/chromium. All processes of a run use the first one found. */
export async function findChromium(): Promise<TestBrowser> {
  const known = process.env['COOPER_TEST_BROWSER'];
  if (known !== undefined) return JSON.parse(known) as TestBrowser;
  const found = systemChromium() ?? (await packagedChromium());
  process.env['COOPER_TEST_BROWSER'] = JSON.stringify(found);
  return found;
}

function systemChromium(): TestBrowser | null {
  if (process.env['COOPER_TEST_PACKAGED_BROWSER'] === '1') return null;
  const dirs = (process.env['PATH'] ?? '').split(path.delimiter);
  for (const file of names.flatMap((name) => dirs.map((dir) => path.join(dir, name)))) {
    if (!canRun(file)) continue;
    const version = versionOf(file, {});
    if (version !== null) return { file, version, source: 'system', env: {} };
  }
  return null;
}

async function packagedChromium(): Promise<TestBrowser> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-chromium-'));
  process.once('exit', () => {
    rmSync(dir, { recursive: true, force: true });
  });
  const script = fileURLToPath(new URL('unpack-chromium.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [script], { env: { ...process.env, TMPDIR: dir }, cwd: root });

  const file = path.join(dir, 'chromium');
  // A bare machine lacks NSS and fonts. The package contains both.
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: path.join(dir, 'fonts') };
  const libraries = { LD_LIBRARY_PATH: path.join(dir, 'al2023', 'lib') };
  for (const env of [fonts, { ...fonts, ...libraries }]) {
    const version = versionOf(file, env);
    if (version === null) continue;
    const expected = packagedMajor();
    if (!version.includes(` ${expected}.`)) {
      throw new Error(`The unpacked browser is ${version}, not the ${expected} that was installed.`);
    }
    return { file, version, source: 'package', env };
  }
  throw new Error('The Chromium inside @sparticuz/chromium does not run here.');
}

function packagedMajor(): string {
  const manifest = path.join(root, 'node_modules/@sparticuz/chromium/package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version.split('.', 1)[0] ?? '';
}

function versionOf(file: string, env: Readonly<Record<string, string>>): string | null {
  const response = spawnSync(file, ['--version', ...(isRoot ? ['--no-sandbox'] : [])], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 20_000,
  });
  return /Chrom\S+ [\d.]+/.exec(response.stdout)?.[0] ?? null;
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // Any error means that it cannot be run.
  }
}
