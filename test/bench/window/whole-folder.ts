import type { CDPSession, Page } from '@playwright/test';
import { heapBytes, openBucket, openFolder, openWindow } from '../support/open-window.ts';
import type { Figure } from '../report.ts';
import { startServer } from '../walks/walks.ts';

const keyCount = 1_000_000;
const latencyMs = 25;
/** The fraction of the rows' memory that may remain: the start of the folder is kept. */
const maxLeft = 0.15;
const betweenLooksMs = 1000;
const giveUpAfterMs = 120_000;

/** All of a folder of a million objects in the real window, to sort it: a person waits for the last row. */
export async function wholeFolderBench(): Promise<readonly Figure[]> {
  const server = await startServer({ shape: 'flat', keyCount, latencyMs });
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
    await watchFor(page, '1,000,000 items');
    await load.click();
    const seconds = (await page.evaluate(() => globalThis.benchWholeMs)) / 1000;
    const { requests } = await server.work(latencyMs);
    const whole = await heapBytes(devtools);
    const givenBack = await leave(page, devtools, before + (whole - before) * maxLeft);
    return [
      {
        name: 'all of a folder of 1,000,000 objects, sorted, 25 ms',
        value: seconds,
        unit: 's',
        limit: { kind: 'at-most', value: 5 },
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
        limit: { kind: 'at-most', value: 60 },
      },
      { name: 'heap then', value: givenBack.heap / 1e6, unit: 'MB' },
    ];
  } finally {
    await opened.close();
    await server.stop();
  }
}

/** Goes up to the bucket and waits for the heap to be below this. */
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
  var benchWholeMs: Promise<number>;
}

/**
 * Measures from the next click until this text appears. The page checks by itself, because polling from outside would cost as
 * much as the work.
 */
async function watchFor(page: Page, text: string): Promise<void> {
  await page.evaluate((wanted) => {
    globalThis.benchWholeMs = new Promise((resolve) => {
      document.addEventListener(
        'click',
        () => {
          const begunMs = performance.now();
          new MutationObserver((_, observer) => {
            if (!document.body.textContent.includes(wanted)) return;
            observer.disconnect();
            resolve(performance.now() - begunMs);
          }).observe(document.body, { childList: true, subtree: true, characterData: true });
        },
        { capture: true, once: true },
      );
    });
  }, text);
}
