import { expect } from '@playwright/test';
import { sparseParquet } from '../../support/sparse-parquet.ts';
import { startSparseServer } from '../../support/sparse-server.ts';
import { addConnection } from '../support/forms.ts';
import { goTo, labKeys, sidebarRow, test, typeAddress } from '../support/window.ts';
import { open, putAll } from './viewing.ts';

test('a Parquet file shows its rows, the last ones too, its schema, and the columns that are chosen', async ({
  win,
  lab,
}) => {
  await goTo(win, 'Sample buckets', 'documents/formats/');
  let dialog = await open(win, 'waves.parquet');
  const table = dialog.getByRole('grid', { name: /^Rows of/ });
  await expect(table.getByRole('row').nth(1)).toContainText('2026-01-01');
  await expect(table.getByRole('row').nth(1)).toContainText('null');
  await expect(table.getByRole('row').nth(2)).toContainText('[1,7]');
  await table.focus();
  await win.keyboard.press('End');
  await expect(table.getByRole('row', { name: /^3,000/ })).toContainText('B8');
  await dialog.getByText('Schema', { exact: true }).click();
  await expect(dialog.getByText('Row groups: 3 · SNAPPY', { exact: false })).toBeVisible();
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

test('a Parquet file of a gigabyte opens with fewer than ten requests and two megabytes', async ({ win }) => {
  const server = await startSparseServer({ 'large.parquet': sparseParquet() });
  try {
    await addConnection(win, { name: 'Sparse tables', endpoint: server.endpoint, keys: labKeys });
    await sidebarRow(win, 'Sparse tables').click();
    await typeAddress(win, 'sparse/');
    const dialog = await open(win, 'large.parquet');
    const table = dialog.getByRole('grid', { name: /^Rows of/ });
    await expect(table.getByRole('row').nth(1)).toContainText('123');
    await expect(dialog.getByText('4 of 8 columns')).toBeVisible();
    const { requests, bytes } = server.reads();
    expect(requests).toBeLessThan(10);
    expect(bytes).toBeLessThan(2_000_000);
  } finally {
    await server.close();
  }
});
