import { expect, type Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { makeReport } from '../../support/files/inventory-report.ts';
import { partSize, stall } from '../support/uploads.ts';
import { coreOfAddress } from '../../support/window/core-of-address.ts';
import { goTo, grid, test } from '../support/window.ts';

const map = (page: Page) => page.getByRole('region', { name: /^Map of/ });

test('a folder is shown as a map with a navigable table and filtering legends', async ({ win, lab }) => {
  const bucket = lab.store.buckets.create('holds-much', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  for (const [key, length] of [
    ['photos/2025/a.jpg', 9000],
    ['photos/2026/b.jpg', 5000],
    ['logs/day.log', 4000],
    ['empty/', 0],
    ['copy.jpg', 5000],
  ] as const)
    await lab.store.putBytes(
      bucket.id,
      key,
      Buffer.alloc(length, key === 'copy.jpg' ? 'photos/2026/b.jpg' : key),
      { modifiedMs: Date.UTC(2026, 1, 3) },
    );
  await goTo(win, 'Lab', 'holds-much');
  await win.keyboard.press('Control+3');
  await expect(map(win)).toContainText('5 objects');
  await expect(map(win).getByRole('img', { name: /What takes the space/ })).toBeVisible();
  await expect(map(win).getByRole('button', { name: /Images/ })).toContainText('82.6%');
  expect(await axeFindings(win)).toEqual([]);

  // A legend entry shows one kind alone, and then everything again.
  await map(win).getByRole('button', { name: /Logs/ }).click();
  await expect(map(win)).toContainText('1 object');
  await map(win).getByRole('button', { name: 'Show everything' }).click();
  await expect(map(win)).toContainText('5 objects');

  // The table offers everything by keyboard.
  await map(win).getByText('Table', { exact: true }).click();
  const table = map(win).getByRole('grid', { name: 'Folders and objects by size' });
  await expect(table.getByRole('row')).toHaveCount(5);
  await table.focus();
  await win.keyboard.press('Home');
  await win.keyboard.press('Enter');
  await expect(map(win)).toHaveAccessibleName('Map of photos');
  await expect(map(win)).toContainText('2 objects');
  expect(await axeFindings(win)).toEqual([]);
  await table.focus();
  await win.keyboard.press('Home');
  await win.keyboard.press('Shift+F10');
  await expect(win.getByRole('menuitem', { name: /Download/ }).first()).toBeVisible();
  await win.keyboard.press('Escape');

  // Duplicates are found.
  await win.keyboard.press('Alt+ArrowUp');
  await map(win).getByText('Objects', { exact: true }).first().click();
  await map(win).getByRole('button', { name: 'Find duplicates' }).click();
  await expect(map(win)).toContainText('1 extra copy');
  // They belong to this folder; the previous one has none.
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(map(win)).toHaveAccessibleName('Map of photos');
  await expect(map(win).getByRole('button', { name: 'Find duplicates' })).toBeVisible();
  await win.keyboard.press('Alt+ArrowRight');
  await expect(map(win)).toHaveAccessibleName('Map of holds-much');

  await win.getByRole('radiogroup', { name: 'View' }).getByTitle(/^List/).click();
  await expect(grid(win).getByText('copy.jpg')).toBeVisible();
});

test('older versions and stalled uploads are counted on request, with their cost', async ({
  win,
  lab,
  cooper,
}) => {
  const behind = await coreOfAddress(await cooper.newAddress());
  const connection = (await behind.core.connections.list()).find(({ name }) => name === 'Lab');
  const figure = { value: 100, date: '2026-01-01', source: '' };
  await behind.core.prices.set({
    connectionId: connection?.id ?? '',
    list: {
      name: 'Test',
      currency: 'USD',
      unit: 'GB',
      trafficPerGb: null,
      classes: [{ storageClass: 'STANDARD', figures: { storagePerGbMonth: figure } }],
    },
  });
  const bucket = lab.store.buckets.create('holds-versions', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  lab.store.setVersioning(bucket.id, 'Enabled');
  for (const [key, length] of [
    ['docs/a.txt', 5_000_000],
    ['docs/a.txt', 1_000_000],
    ['docs/a.txt', 1000],
    ['other.txt', 2_000_000],
    ['other.txt', 10],
  ] as const)
    await lab.store.putBytes(bucket.id, key, Buffer.alloc(length, key), { modifiedMs: 1e12 });
  await stall(lab, { bucket: 'holds-versions', key: 'docs/film.mp4' }, Buffer.alloc(3 * partSize), [1, 3]);
  await goTo(win, 'Lab', 'holds-versions/docs/');
  await win.keyboard.press('Control+3');
  await map(win).getByRole('button', { name: 'Count them…' }).click();
  // 6,000,000 bytes at $100 per 1,000,000,000 bytes, and two parts of 5 MiB.
  const versions = map(win).getByText('2 older versions, 5.7 MiB');
  await expect(versions.locator('xpath=following-sibling::dd')).toContainText('$0.60');
  const uploads = map(win).getByText('1 unfinished upload, 10 MiB');
  await expect(uploads.locator('xpath=following-sibling::dd')).toContainText('$1.05');
  await expect(map(win)).toContainText('They are billed in addition.');
  await behind.core.prices.set({ connectionId: connection?.id ?? '', list: null });
  behind.close();
});

test('lists the largest changes since an earlier reading, and counts the smaller ones', async ({
  win,
  lab,
}) => {
  const bucket = lab.store.buckets.create('grows-daily', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  const put = async (key: string, length: number): Promise<void> => {
    await lab.store.putBytes(bucket.id, key, Buffer.alloc(length), { modifiedMs: Date.UTC(2026, 1, 3) });
  };
  await put('first.txt', 100);
  await goTo(win, 'Lab', 'grows-daily');
  await win.keyboard.press('Control+3');
  await expect(map(win)).toContainText('1 object');
  for (let day = 1; day <= 150; day += 1) await put(`days/${String(day)}/log`, day);
  for (let part = 1; part <= 120; part += 1) await put(`part-${String(part)}/log`, part);
  await map(win).getByRole('button', { name: 'Read again' }).click();
  await expect(map(win)).toContainText('271 objects');
  await map(win).getByText('Changes', { exact: true }).first().click();
  const folders = map(win).getByRole('region', { name: 'Folders that changed' });
  await expect(folders.getByRole('button')).toHaveCount(100);
  await expect(folders.getByText('and 21 more')).toBeVisible();
  const objects = map(win).getByRole('region', { name: 'Largest changes' });
  await expect(objects.getByText('and 170 more')).toBeVisible();
  expect(await axeFindings(win)).toEqual([]);
});

test('the map says if a bucket is empty or may not be listed', async ({ win, lab }) => {
  lab.store.buckets.create('holds-nothing', 1e12);
  await goTo(win, 'Lab', 'holds-nothing');
  await win.keyboard.press('Control+3');
  await expect(map(win)).toContainText('Nothing to map');
  expect(await axeFindings(win)).toEqual([]);

  lab.store.buckets.create('keeps-to-itself', 1e12);
  lab.faults.add({
    operation: 'ListObjectsV2',
    bucket: 'keeps-to-itself',
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied', message: 'Not you.' },
  });
  await goTo(win, 'Lab', 'keeps-to-itself');
  await win.keyboard.press('Control+3');
  await expect(map(win).getByRole('alert')).toContainText('s3:ListBucket');
  lab.faults.clear();
});

test('a manifest.json opens as an inventory report and then as the map of its bucket', async ({
  win,
  lab,
}) => {
  const bucket = lab.store.buckets.create('delivered', 1e12);
  lab.store.buckets.create('too-large', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  const { manifestKey, objects } = makeReport({
    sourceBucket: 'too-large',
    versions: true,
    files: [
      [
        { key: 'films/1.mp4', sizeBytes: 7_000_000 },
        { key: 'films/1.mp4', sizeBytes: 6_000_000, isLatest: false },
        { key: 'logs/a.log', sizeBytes: 3_000_000 },
      ],
    ],
  });
  for (const [key, bytes] of Object.entries(objects))
    await lab.store.putBytes(bucket.id, key, bytes, { modifiedMs: 1e12 });
  await goTo(win, 'Lab', `delivered/${manifestKey.slice(0, manifestKey.lastIndexOf('/') + 1)}`);
  await grid(win).getByText('manifest.json').click({ button: 'right' });
  await win.getByRole('menuitem', { name: 'Open as inventory…' }).click();
  const dialog = win.getByRole('dialog', { name: 'Open inventory report' });
  await expect(dialog).toContainText('too-large');
  expect(await axeFindings(win, '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Open map' }).click();
  await expect(map(win)).toHaveAccessibleName('Map of too-large');
  await expect(map(win)).toContainText('2 objects');
  await expect(map(win)).toContainText('From the inventory report of');
  await expect(map(win)).toContainText('1 older version');
  await win.keyboard.press('Control+3');
});
