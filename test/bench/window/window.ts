import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { firstLoadBytes } from '../../support/window/first-load.ts';
import { startListingServer, type ListingServer } from '../support/listing-server.ts';
import { heapBytes, openBucket, openFolder, openWindow } from '../support/open-window.ts';
import { median, type Figure } from '../report.ts';
import { startBareWindow } from './bare-window.ts';

const latencyMs = 25;
/** The pause between the end of the sort and scrolling, as a user would make. */
const beforeScrollMs = 1000;
const prefixes = ['big-1/', 'big-2/', 'big-3/', 'big-4/', 'big-5/'] as const;
const folder = { bucket: 'bench', prefixes, folderCount: 100_000, objectCount: 100_000 };
const windowDir = fileURLToPath(new URL('../../../dist/window', import.meta.url));

/** The lower bound is at least this many milliseconds, so that a ratio to it is meaningful. */
const minFloorMs = 1;

/**
 * Opens folders of 200,000 rows alternately in the real window and in a minimal page. Loads the last one completely and scrolls
 * through it.
 */
export async function benchWindow(): Promise<readonly Figure[]> {
  const server = await startListingServer(folder, latencyMs);
  const opened = await openWindow(server.endpoint);
  const bare = await startBareWindow(server.endpoint);
  try {
    const { page, devtools } = opened;
    await openBucket(page, /big-1/);
    const barePage = await page.context().newPage();
    await barePage.goto(bare.address);
    const firstRowsMs: number[] = [];
    const bareRowsMs: number[] = [];
    for (const prefix of prefixes) {
      firstRowsMs.push((await openFolder(page, prefix, firstRowOf(prefix))) - latencyMs);
      const bareMs = (await openFolder(barePage, prefix, firstRowOf(prefix))) - latencyMs;
      bareRowsMs.push(Math.max(minFloorMs, bareMs));
    }
    await barePage.close();
    const againMs: number[] = [];
    for (const prefix of prefixes) againMs.push(await openFolder(page, prefix, firstRowOf(prefix)));
    await watchTasksAndRows(page);
    const growth = await loadAll(page, server);
    const whileLoadingMs = await takeLongestTask(page);
    // Waits, so that garbage of the sort is collected before scrolling.
    await page.waitForTimeout(beforeScrollMs);
    await takeLongestTask(page);
    await scrollThrough(page);
    const whileScrollingMs = await takeLongestTask(page);
    const maxRows = await page.evaluate(() => globalThis.benchSeen.maxRows);
    return [
      { name: 'first rows beyond the latency', value: median(firstRowsMs), unit: 'ms' },
      { name: 'first rows beyond the latency, bare page', value: median(bareRowsMs), unit: 'ms' },
      {
        name: 'first rows over those of a bare page',
        value: median(firstRowsMs) / median(bareRowsMs),
        unit: 'x',
        limit: atMost(4),
      },
      {
        name: 'first rows beyond the latency, first folder',
        value: firstRowsMs[0] ?? Number.NaN,
        unit: 'ms',
      },
      {
        name: 'first rows over those of a bare page, first folder',
        value: (firstRowsMs[0] ?? Number.NaN) / (bareRowsMs[0] ?? Number.NaN),
        unit: 'x',
        limit: atMost(6),
      },
      {
        name: 'first rows of a folder visited before, the latency included',
        value: median(againMs),
        unit: 'ms',
        limit: atMost(latencyMs + 35),
      },
      { name: '10th page appended', value: growth.tenthMs, unit: 'ms' },
      { name: '190th page appended', value: growth.hundredNinetiethMs, unit: 'ms' },
      {
        name: '190th page over 10th page',
        value: growth.hundredNinetiethMs / growth.tenthMs,
        unit: 'x',
        limit: atMost(1.5),
      },
      { name: 'row elements at most', value: maxRows, unit: 'rows', limit: atMost(120) },
      { name: 'longest task while loading and sorting', value: whileLoadingMs, unit: 'ms' },
      { name: 'longest task while scrolling', value: whileScrollingMs, unit: 'ms', limit: atMost(50) },
      {
        name: 'heap at 200,000 rows',
        value: (await heapBytes(devtools)) / 1e6,
        unit: 'MB',
        limit: atMost(150),
      },
      {
        name: 'JavaScript of the first load, gzipped',
        value: firstLoadBytes(windowDir) / 1000,
        unit: 'kB',
        limit: atMost(400),
      },
    ];
  } finally {
    await bare.close();
    await opened.close();
    await server.close();
  }
}

function firstRowOf(prefix: string): string {
  return `${prefix.slice(0, -1)}-000000`;
}

declare global {
  var benchSeen: { longestTaskMs: number; maxRows: number };
}

export async function watchTasksAndRows(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { longestTaskMs: 0, maxRows: 0 };
    globalThis.benchSeen = seen;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        seen.longestTaskMs = Math.max(seen.longestTaskMs, entry.duration);
    }).observe({ type: 'longtask' });
    const count = (): void => {
      seen.maxRows = Math.max(
        seen.maxRows,
        document.querySelectorAll('[role=row][data-row-position]').length,
      );
      requestAnimationFrame(count);
    };
    count();
  });
}

/** Returns the longest task since the previous call, as reported by the browser, or 0 if none took more than 50 ms. */
export async function takeLongestTask(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const { longestTaskMs } = globalThis.benchSeen;
    globalThis.benchSeen.longestTaskMs = 0;
    return longestTaskMs;
  });
}

/** Loads the whole folder. Measures at the server what the 10th and the 190th page took beyond the latency. */
async function loadAll(
  page: Page,
  server: ListingServer,
): Promise<{ tenthMs: number; hundredNinetiethMs: number }> {
  await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Load and sort' }).click();
  await page.getByText('200,000 items').waitFor({ timeout: 120_000 });
  const asked = server.pageAskedAtMs(prefixes[prefixes.length - 1] ?? '');
  const costs = asked.slice(1).map((atMs, index) => atMs - (asked[index] ?? Number.NaN) - latencyMs);
  return { tenthMs: median(costs.slice(5, 15)), hundredNinetiethMs: median(costs.slice(185, 195)) };
}

async function scrollThrough(page: Page): Promise<void> {
  const grid = page.getByRole('grid');
  await grid.hover();
  for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, 900);
  await grid.focus();
  for (const key of ['End', 'PageUp', 'PageUp', 'Home', 'PageDown', 'End', 'Home']) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

function atMost(value: number): { readonly kind: 'at-most'; readonly value: number } {
  return { kind: 'at-most', value };
}
