import type { Page } from '@playwright/test';
import { heapBytes, openBucket, openFolder, openWindow } from './open-window.ts';
import type { Figure } from './report.ts';
import { startServer } from './walks.ts';

const keyCount = 1_000_000;
const latencyMs = 25;

/** All of a folder of a million objects in the real window, to sort it: a person waits for the last row. */
export async function wholeFolderBench(): Promise<readonly Figure[]> {
  const server = await startServer({ shape: 'flat', keyCount, latencyMs });
  const opened = await openWindow(server.endpoint);
  try {
    const { page, devtools } = opened;
    await openBucket(page, /events/);
    await openFolder(page, 'events/', 'event-00000000');
    await server.work(latencyMs);
    await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').first().click();
    const load = page.getByRole('button', { name: 'Load and sort' });
    await load.waitFor();
    await watchFor(page, '1,000,000 items');
    await load.click();
    const seconds = (await page.evaluate(() => globalThis.benchWholeMs)) / 1000;
    const { requests } = await server.work(latencyMs);
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
        value: (await heapBytes(devtools)) / 1e6,
        unit: 'MB',
        limit: { kind: 'at-most', value: 80 },
      },
    ];
  } finally {
    await opened.close();
    await server.stop();
  }
}

declare global {
  var benchWholeMs: Promise<number>;
}

/** From the next click to this text. The page looks by itself: questions from outside would cost as much as the work. */
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
