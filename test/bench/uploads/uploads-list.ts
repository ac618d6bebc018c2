import type { Page } from '@playwright/test';
import { peakBytes } from '../../support/process-memory.ts';
import type { Figure } from '../report.ts';
import { startUploadsServer } from './uploads-server.ts';
import { heapBytes, openWindow } from '../support/open-window.ts';
import { withBusiestTask } from '../window/busiest-task.ts';
import { takeLongestTask, watchTasksAndRows } from '../window/window.ts';

const latencyMs = 2;
const uploads = 100_000;
const toAbort = 5000;
const atMost = (value: number) => ({ kind: 'at-most', value }) as const;

/** Measures listing 100,000 unfinished uploads of a bucket in the real window, and aborting 5,000 of another as one job. */
export async function uploadsListBench(): Promise<readonly Figure[]> {
  const server = await startUploadsServer({ many: uploads, some: toAbort }, latencyMs);
  const { page, devtools, pid, close } = await openWindow(server.endpoint);
  try {
    await watchTasksAndRows(page);
    await openBucketByPath(page, 'many');
    const whileOpeningMs = await takeLongestTask(page);
    const listed = await withBusiestTask(page, async () => await openStalled(page, '100,000 uploads'));
    const whileListingMs = await takeLongestTask(page);
    await scroll(page);
    const whileScrollingMs = await takeLongestTask(page);
    const groupedMs = await timed(async () => {
      await page.getByRole('button', { name: 'Show groups' }).click();
      await page.getByText('client-3', { exact: true }).first().waitFor();
    });
    await page.getByRole('button', { name: 'Hide groups' }).click();
    const whileGroupedMs = await takeLongestTask(page);
    const sortedMs = await timed(async () => {
      await page.getByRole('columnheader', { name: 'Key' }).getByRole('button').first().click();
      await page.getByRole('row').filter({ hasText: 'logs/0000000.gz' }).waitFor();
    });
    const filteredMs = await timed(async () => {
      await page.getByPlaceholder('Filter by key').fill('0099999');
      await page
        .getByRole('status')
        .filter({ hasText: '1 of' })
        .or(page.getByText('0099999.gz'))
        .first()
        .waitFor();
    });
    await page.getByPlaceholder('Filter by key').fill('');
    await page.getByRole('row').filter({ hasText: 'logs/0000000.gz' }).waitFor();
    await takeLongestTask(page);
    const selected = await withBusiestTask(
      page,
      async () =>
        await timed(async () => {
          await page.getByRole('grid', { name: 'Stalled uploads' }).focus();
          await page.keyboard.press('Control+a');
          await page.getByText('100,000 selected').waitFor();
        }),
    );
    const whileSelectingMs = await takeLongestTask(page);
    const heap = (await heapBytes(devtools)) / 1e6;
    const abortedMs = await abortAll(page);
    return [
      { name: '100,000 uploads listed', value: listed.value / 1000, unit: 's', limit: atMost(5) },
      { name: 'longest task while the bucket opens', value: whileOpeningMs, unit: 'ms', limit: atMost(50) },
      { name: 'longest task while listing', value: whileListingMs, unit: 'ms', limit: atMost(50) },
      {
        name: 'most processor time of a task while listing',
        value: listed.busiestTaskMs,
        unit: 'ms',
        limit: atMost(50),
      },
      { name: 'longest task while scrolling', value: whileScrollingMs, unit: 'ms', limit: atMost(50) },
      { name: 'groups on the screen', value: groupedMs, unit: 'ms', limit: atMost(500) },
      { name: 'longest task while grouping', value: whileGroupedMs, unit: 'ms', limit: atMost(50) },
      { name: 'sorted by key', value: sortedMs, unit: 'ms', limit: atMost(1000) },
      { name: 'filtered by key', value: filteredMs, unit: 'ms', limit: atMost(1000) },
      { name: 'all selected', value: selected.value, unit: 'ms', limit: atMost(2000) },
      { name: 'longest task while selecting', value: whileSelectingMs, unit: 'ms', limit: atMost(50) },
      {
        name: 'most processor time of a task while selecting',
        value: selected.busiestTaskMs,
        unit: 'ms',
        limit: atMost(50),
      },
      { name: 'heap of the window, all selected', value: heap, unit: 'MB', limit: atMost(150) },
      { name: '5,000 uploads aborted by one job', value: abortedMs / 1000, unit: 's', limit: atMost(30) },
      { name: 'most memory of the core', value: peakBytes(pid) / 1e6, unit: 'MB', limit: atMost(400) },
    ];
  } finally {
    await close();
    await server.close();
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begunMs = performance.now();
  await work();
  return performance.now() - begunMs;
}

async function openBucketByPath(page: Page, bucket: string): Promise<void> {
  await page.getByRole('treeitem', { name: 'Bench' }).first().click();
  await page.keyboard.press('Control+l');
  const field = page.getByLabel('Address: bucket/prefix');
  await field.fill(`${bucket}/`);
  await field.press('Enter');
  await page.getByRole('tab', { name: bucket, selected: true }).waitFor();
}

/** Returns the time from the shortcut until the number of all uploads is visible. */
async function openStalled(page: Page, whole: string): Promise<number> {
  return await timed(async () => {
    await page.keyboard.press('Alt+u');
    await page.getByRole('status').filter({ hasText: whole }).waitFor({ timeout: 30_000 });
  });
}

async function scroll(page: Page): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Stalled uploads' });
  await grid.hover();
  for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, 900);
  await grid.focus();
  for (const key of ['End', 'PageUp', 'PageUp', 'Home', 'PageDown', 'End', 'Home']) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

/** Returns the time from the confirmation to the end of the job. */
async function abortAll(page: Page): Promise<number> {
  await openBucketByPath(page, 'some');
  await openStalled(page, '5,000 uploads');
  await page.getByRole('grid', { name: 'Stalled uploads' }).focus();
  await page.keyboard.press('Control+a');
  await page.getByText('5,000 selected').waitFor();
  const toolbar = page.getByRole('toolbar', { name: 'Actions for stalled uploads' });
  await toolbar.getByRole('button', { name: 'Abort…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Abort 5,000 uploads?' });
  await dialog.getByLabel('Number of uploads').fill('5000');
  return await timed(async () => {
    await dialog.getByRole('button', { name: 'Abort 5,000 uploads' }).click();
    await page.getByText('Done. Aborted 5,000 uploads').first().waitFor({ timeout: 120_000 });
  });
}
