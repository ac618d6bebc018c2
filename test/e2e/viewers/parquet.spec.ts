import { expect } from '@playwright/test';
import { hostileParquets } from '../../support/files/hostile-parquet.ts';
import { sparseParquet } from '../../support/files/sparse-parquet.ts';
import { startSparseServer } from '../../support/servers/sparse-server.ts';
import { axeFindings } from '../support/axe.ts';
import { addConnection } from '../support/forms.ts';
import { goTo, labKeys, sidebarRow, test, typeAddress } from '../support/window.ts';
import { openHostile, watchWindow } from './hostile.ts';
import { open, putAll } from './viewing.ts';

test('a Parquet file shows its first and last rows, its schema and the chosen columns', async ({
  win,
  lab,
}) => {
  await goTo(win, 'Sample buckets', 'documents/formats/');
  let dialog = await open(win, 'waves.parquet');
  const table = dialog.getByRole('grid', { name: /^Rows of/ });
  await expect(table.getByRole('row').nth(1)).toContainText('2026-01-01');
  await expect(table.getByRole('row').nth(1)).toContainText('null');
  await expect(table.getByRole('row').nth(2)).toContainText('[1,7]');
  expect(await axeFindings(win)).toEqual([]);
  await table.focus();
  await win.keyboard.press('End');
  await expect(table.getByRole('row', { name: /^3,000/ })).toContainText('B8');
  await dialog.getByText('Schema', { exact: true }).click();
  await expect(dialog.getByText('Row groups: 3 · SNAPPY', { exact: false })).toBeVisible();
  expect(await axeFindings(win)).toEqual([]);
  await dialog.getByRole('checkbox', { name: 'buoy' }).uncheck();
  await dialog.getByText('Rows', { exact: true }).first().click();
  await expect(table.getByRole('columnheader', { name: 'height_m' })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: 'buoy' })).toHaveCount(0);
  await win.keyboard.press('Escape');
  await putAll(lab, 'broken-tables', { 'broken.parquet': 'PAR1 and nothing else' });
  await goTo(win, 'Lab', 'broken-tables/');
  dialog = await open(win, 'broken.parquet');
  await expect(dialog.getByText('This file could not be read')).toBeVisible();
});

for (const [size, sizeBytes] of [
  ['a gigabyte', 1024 ** 3],
  ['five gigabytes', 5 * 1024 ** 3],
] as const)
  test(`a Parquet file of ${size} opens with fewer than ten requests and some hundred kilobytes`, async ({
    win,
  }) => {
    const server = await startSparseServer({ 'large.parquet': sparseParquet(sizeBytes) });
    try {
      await addConnection(win, { name: `Tables of ${size}`, endpoint: server.endpoint, keys: labKeys });
      await sidebarRow(win, `Tables of ${size}`).click();
      await typeAddress(win, 'sparse/');
      const dialog = await open(win, 'large.parquet');
      const table = dialog.getByRole('grid', { name: /^Rows of/ });
      await expect(table.getByRole('row').nth(1)).toContainText('123');
      await expect(dialog.getByText('4 of 8 columns')).toBeVisible();
      const opened = server.reads();
      expect(opened.requests).toBeLessThan(10);
      expect(opened.bytes).toBeLessThan(700_000);
      // Reads arbitrary rows: the last ones.
      await table.focus();
      await win.keyboard.press('End');
      await expect(table.getByRole('row', { name: /^40,000/ })).toContainText('399993');
      const { requests, bytes } = server.reads();
      expect(requests - opened.requests).toBeLessThan(10);
      expect(bytes).toBeLessThan(2_000_000);
    } finally {
      await server.close();
    }
  });

test('hostile Parquet files end in rows or a plain message while the window stays responsive and small', async ({
  win,
  lab,
}) => {
  test.setTimeout(240_000);
  const ends = await openHostile(win, lab, 'hostile-tables', hostileParquets(16));
  expect(new Set(Object.values(ends))).toEqual(new Set(['refused', 'shown']));
  expect(ends['lists-in-lists.parquet']).toBe('refused');
  expect(ends['endless-number.parquet']).toBe('refused');
});

test('an endless decoder is terminated, and the window says so and stays responsive', async ({
  win,
  context,
}) => {
  await context.route('**/assets/table-worker-*.js', async (route) => {
    await route.fulfill({ contentType: 'text/javascript', body: 'self.onmessage = () => { for (;;); };' });
  });
  await goTo(win, 'Sample buckets', 'documents/formats/');
  const awayMs = await watchWindow(win);
  const dialog = await open(win, 'waves.parquet');
  await expect.poll(() => win.workers().length).toBe(1);
  await expect(dialog.getByText('This file is damaged or too complex to show')).toBeVisible({
    timeout: 40_000,
  });
  await expect.poll(() => win.workers().length).toBe(0);
  expect(await awayMs()).toBeLessThan(3000);
  expect(await axeFindings(win)).toEqual([]);
  await expect(dialog.getByRole('button', { name: 'Download' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Show as text' }).click();
  await expect(dialog.getByText('PAR1').first()).toBeVisible();
  await win.keyboard.press('Escape');

  // If the table is closed while it loads, the decoder stops immediately.
  await open(win, 'waves.parquet');
  await expect.poll(() => win.workers().length).toBe(1);
  await win.keyboard.press('Escape');
  await expect.poll(() => win.workers().length).toBe(0);
});
