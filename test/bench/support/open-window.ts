import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test';
import { findChromium, isRoot } from '../../support/window/chromium.ts';
import { startCooper } from '../../support/window/start-cooper.ts';
import { addBenchConnection } from './bench-connection.ts';

export interface OpenedWindow {
  readonly page: Page;
  readonly devtools: CDPSession;
  /** The process id of the program. */
  readonly pid: number;
  readonly close: () => Promise<void>;
}

export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

/** Starts the program with a connection to this service, and opens its window in a real browser. */
export async function openWindow(
  endpoint: string,
  viewport: WindowSize = { width: 1280, height: 800 },
): Promise<OpenedWindow> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'cooper-bench-'));
  await addBenchConnection(dataDir, endpoint);
  const cooper = await startCooper({ dataDir });
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await page.goto(cooper.address);
  return {
    page,
    devtools: await context.newCDPSession(page),
    pid: cooper.pid,
    close: async () => {
      await browser.close();
      await cooper.end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function launchBrowser(): Promise<Browser> {
  const found = await findChromium();
  return await chromium.launch({
    executablePath: found.file,
    env: { ...process.env, ...found.env },
    args: isRoot ? ['--no-sandbox'] : [],
  });
}

/** Opens the connection's bucket, and waits for a row with this name. */
export async function openBucket(page: Page, row: RegExp): Promise<void> {
  await page.getByRole('treeitem', { name: 'Bench' }).click();
  await page
    .getByRole('button', { name: 'bench', exact: true })
    .or(page.getByText('bench', { exact: true }))
    .first()
    .dblclick();
  await page.getByRole('row', { name: row }).waitFor();
}

/** Returns the milliseconds from Enter in the address field until the folder's first row is visible. */
export async function openFolder(page: Page, prefix: string, firstRow: string): Promise<number> {
  await page.keyboard.press('Control+l');
  const field = page.getByLabel('Address: bucket/prefix');
  await field.fill(`bench/${prefix}`);
  await page.evaluate((wanted) => {
    const started = { atMs: 0 };
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Enter') started.atMs = performance.now();
      },
      { capture: true, once: true },
    );
    globalThis.benchFirstRows = new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (!document.body.textContent.includes(wanted)) return;
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - started.atMs));
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
  }, firstRow);
  await field.press('Enter');
  return await page.evaluate(() => globalThis.benchFirstRows);
}

declare global {
  var benchFirstRows: Promise<number>;
}

/** Returns the page's heap after a garbage collection, including array buffers. */
export async function heapBytes(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize + backingStorageSize;
}
