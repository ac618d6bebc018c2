import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CDPSession, Page } from '@playwright/test';
import { disableNetworkDomain } from '../support/network-domain.ts';
import { heapBytes, openBucket, openFolder, openWindow } from '../support/open-window.ts';
import { buildChild } from '../support/build-child.ts';
import { median, type Figure } from '../report.ts';
import { startServer, walkInChild } from '../walks/walks.ts';

const keyCount = 1_000_000;
const latencyMs = 25;
/** The fraction of the rows' memory that may remain after leaving the folder, since its first rows are kept. */
const maxLeft = 0.15;
const betweenLooksMs = 1000;
const giveUpAfterMs = 120_000;

const walkRounds = 3;

/**
 * Measures loading a folder with a million objects completely in the real window, which sorting requires. The lower bound is the
 * same walk by the core without a window.
 */
export async function wholeFolderBench(): Promise<readonly Figure[]> {
  const server = await startServer({ shape: 'flat', keyCount, latencyMs });
  const walkSeconds = await secondsOfWalk(server);
  const opened = await openWindow(server.endpoint);
  try {
    const { page, devtools } = opened;
    await openBucket(page, /events/);
    const before = await heapBytes(devtools);
    await openFolder(page, 'events/', 'event-00000000');
    await server.work(latencyMs);
    await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').first().click();
    const load = page.getByRole('button', { name: 'Load and sort' });
    await load.waitFor();
    await watchWhole(page, '1,000,000 items');
    await disableNetworkDomain(page);
    await load.click();
    const { loadedMs, sortedMs } = await page.evaluate(() => globalThis.benchWhole);
    const { requests } = await server.work(latencyMs);
    const whole = await heapBytes(devtools);
    const givenBack = await leave(page, devtools, before + (whole - before) * maxLeft);
    return [
      { name: 'all of a folder of 1,000,000 objects, loaded, 25 ms', value: loadedMs / 1000, unit: 's' },
      { name: 'all of a folder of 1,000,000 objects, sorted, 25 ms', value: sortedMs / 1000, unit: 's' },
      { name: 'the walk of those objects without a window', value: walkSeconds, unit: 's' },
      {
        name: 'all of a folder of 1,000,000 objects: sorted over the walk without a window',
        value: sortedMs / 1000 / walkSeconds,
        unit: 'x',
        limit: { kind: 'at-most', value: 2 },
      },
      {
        name: 'all of a folder of 1,000,000 objects: sorted over loaded',
        value: sortedMs / loadedMs,
        unit: 'x',
        limit: { kind: 'at-most', value: 2 },
      },
      { name: 'all of a folder of 1,000,000 objects: requests', value: requests, unit: '' },
      {
        name: 'heap at 1,000,000 rows',
        value: whole / 1e6,
        unit: 'MB',
        limit: { kind: 'at-most', value: 80 },
      },
      {
        name: 'heap of 1,000,000 rows given back after the folder is left',
        value: givenBack.seconds,
        unit: 's',
        limit: { kind: 'at-most', value: 20 },
      },
      { name: 'heap then', value: givenBack.heap / 1e6, unit: 'MB' },
    ];
  } finally {
    await opened.close();
    await server.stop();
  }
}

/** Returns the seconds of a walk of the folder in a separate process. */
async function secondsOfWalk(server: Awaited<ReturnType<typeof startServer>>): Promise<number> {
  const program = await buildChild(new URL('../walks/walks-child.ts', import.meta.url));
  const dataDir = await mkdtemp(path.join(tmpdir(), 'cooper-bench-'));
  try {
    const seconds: number[] = [];
    await server.work(latencyMs);
    for (let round = 0; round < walkRounds; round += 1) {
      const walked = await walkInChild(program, {
        endpoint: server.endpoint,
        bucket: 'bench',
        dataDir,
        query: null,
      });
      seconds.push(walked.seconds);
    }
    return median(seconds);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Goes up to the bucket and waits until the heap is below this size. */
async function leave(
  page: Page,
  devtools: CDPSession,
  below: number,
): Promise<{ readonly seconds: number; readonly heap: number }> {
  const begunMs = performance.now();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByRole('row', { name: /events/ }).waitFor();
  for (;;) {
    const heap = await heapBytes(devtools);
    const passedMs = performance.now() - begunMs;
    if (heap < below) return { seconds: passedMs / 1000, heap };
    if (passedMs > giveUpAfterMs) return { seconds: Number.NaN, heap };
    await page.waitForTimeout(betweenLooksMs);
  }
}

declare global {
  var benchWhole: Promise<{ readonly loadedMs: number; readonly sortedMs: number }>;
}

/**
 * Measures from the next click until this text appears, and until the list is no longer busy: the text appears before the rows
 * are sorted. A script in the page checks, because polling from outside would cost as much as the work.
 */
async function watchWhole(page: Page, text: string): Promise<void> {
  await page.evaluate((wanted) => {
    globalThis.benchWhole = new Promise((resolve) => {
      document.addEventListener(
        'click',
        () => {
          const begunMs = performance.now();
          let loadedMs: number | null = null;
          new MutationObserver((_, observer) => {
            if (loadedMs === null && document.body.textContent.includes(wanted))
              loadedMs = performance.now() - begunMs;
            const isSorted =
              loadedMs !== null &&
              document.querySelector('[role=grid][aria-busy=false] [aria-sort]:not([aria-sort=none])') !==
                null;
            if (loadedMs === null || !isSorted) return;
            observer.disconnect();
            resolve({ loadedMs, sortedMs: performance.now() - begunMs });
          }).observe(document.body, {
            childList: true,
            subtree: true,
            characterData: true,
            attributes: true,
            attributeFilter: ['aria-busy', 'aria-sort'],
          });
        },
        { capture: true, once: true },
      );
    });
  }, text);
}
