import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, expect, test, type ElectronApplication, type Page } from '@playwright/test';

const root = fileURLToPath(new URL('../..', import.meta.url));
let dataDir: string;
let electron: ElectronApplication;
let page: Page;

test.beforeEach(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'cooper-electron-'));
  electron = await launch();
  page = await electron.firstWindow();
});
test.afterEach(async () => {
  await electron.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function launch(): Promise<ElectronApplication> {
  return _electron.launch({
    executablePath: process.env['COOPER_TEST_ELECTRON'] ?? '',
    // Root cannot have Chromium's sandbox.
    args: [root, `--data-dir=${dataDir}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...definedEnv(), COOPER_SAMPLE_LOGS: '200' },
  });
}

test('the window opens on the program’s own page and lists the sample buckets', async () => {
  expect(page.url()).toMatch(/^cooper:\/\/app\//);
  await expect(page.getByText('Sample buckets').first()).toBeVisible();
});

test('the page has no Node and nothing of Electron but the one function', async () => {
  const found = await page.evaluate(() => ({
    require: 'require' in globalThis,
    process: 'process' in globalThis,
    bridge: Object.keys(Reflect.get(globalThis, 'cooper') as object),
  }));
  expect(found).toEqual({ require: false, process: false, bridge: ['connect'] });
});

test('the page cannot leave, open a window, or reach another place', async () => {
  await expect(page.getByText('Sample buckets').first()).toBeVisible();
  const opened = await page.evaluate(() => window.open('http://127.0.0.1:1/') === null);
  expect(opened).toBe(true);
  await page.evaluate(() => {
    window.location.href = 'https://example.com/';
  });
  await expect(page.getByText('Sample buckets').first()).toBeVisible();
  expect(page.url()).toMatch(/^cooper:\/\/app\//);
  const reached = await page.evaluate(() =>
    fetch('http://127.0.0.1:1/').then(
      () => true,
      () => false,
    ),
  );
  expect(reached).toBe(false);
});

test('a second start ends by itself and brings the first window to the front', async () => {
  await expect(page.getByText('Sample buckets').first()).toBeVisible();
  const second = await launch();
  await second.waitForEvent('close');
  expect(electron.windows()).toHaveLength(1);
});

test('the window opens again where it was left', async () => {
  await electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 60, y: 70, width: 900, height: 640 });
  });
  await electron.close();
  electron = await launch();
  page = await electron.firstWindow();
  const size = await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize());
  expect(size).toEqual([900, 640]);
});

function definedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
