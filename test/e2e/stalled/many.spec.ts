import { expect } from '@playwright/test';
import { openStalled, stall, uploadRow, uploadsGrid } from '../support/uploads.ts';
import { test } from '../support/window.ts';

const count = 2000;

test('2,000 uploads scroll with a bounded number of rows, reading parts only for visible ones', async ({
  win,
  lab,
}) => {
  const bucket = 'many';
  const keys = Array.from({ length: count }, (_, at) => `logs/${String(at).padStart(4, '0')}.gz`);
  for (const key of keys) await stall(lab, { bucket, key }, Buffer.alloc(0), []);
  const largest = lab.store.uploads.list(lab.store.buckets.get(bucket)?.id ?? 0, {
    prefix: 'logs/1234.gz',
    delimiter: '',
    after: null,
    afterId: null,
    limit: 1,
  }).rows[0];
  await lab.store.putPartBytes(largest?.id ?? '', 1, Buffer.alloc(4096), Date.now() - 86_400_000);
  const reads = () =>
    lab.faults.journal.filter((record) => record.operation === 'ListParts' && record.bucket === bucket);

  await openStalled(win, 'Lab', bucket);
  await expect(win.getByRole('status').filter({ hasText: '2,000 uploads' })).toBeVisible();
  const table = uploadsGrid(win);
  await expect(table).toHaveAttribute('aria-rowcount', String(count + 1));
  await win.getByRole('columnheader', { name: 'Key' }).getByRole('button').click();
  await expect(uploadRow(win, '0000.gz')).toContainText('Empty');
  await table.focus();
  let highest = 0;
  for (const key of ['PageDown', 'PageDown', 'PageDown', 'End']) {
    await win.keyboard.press(key);
    highest = Math.max(highest, await table.getByRole('row').count());
  }
  await expect(uploadRow(win, '1999.gz')).toContainText('Empty');
  highest = Math.max(highest, await table.getByRole('row').count());
  expect(highest).toBeLessThanOrEqual(80);
  const seen = new Set(reads().map(({ key }) => key));
  expect(seen.has('logs/1999.gz')).toBe(true);
  expect(seen.has('logs/1000.gz')).toBe(false);
  expect(seen.size).toBeLessThan(300);

  await win.getByRole('columnheader', { name: 'Parts' }).getByRole('button').click();
  await expect(win.getByText(/^Cooper has not read the parts of 1,[789]\d\d uploads yet/)).toBeVisible();
  await win.getByRole('button', { name: 'Read the rest' }).click();
  const read = () => new Set(reads().map(({ key }) => key)).size;
  await expect.poll(read, { timeout: 30_000 }).toBe(count);
  await expect(win.getByText(/^Reading parts|has not read the parts/)).toHaveCount(0);
  await expect(table.locator('[aria-rowindex="2"]')).toContainText('1234.gz');
});
