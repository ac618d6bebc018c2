import { expect } from '@playwright/test';
import type { Service } from '../../support/lab-service/server.ts';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { goTo, grid, labBucket, rowOf, test } from '../support/window.ts';

/** Creates a versioned lab bucket whose objects of these names were deleted in this order. */
async function withDeleted(lab: Service, name: string, keys: readonly string[]): Promise<void> {
  await labBucket(lab, name, ['kept.txt']);
  const bucket = lab.store.buckets.get(name);
  if (bucket === null) throw new Error('No bucket.');
  lab.store.setVersioning(bucket.id, 'Enabled');
  for (const key of keys) await lab.store.putBytes(bucket.id, key, Buffer.from(key), { modifiedMs: 1e12 });
}

const secondsNow = (): number => Math.floor(Date.now() / 1000);

test('deleted objects are listed with the latest first, found by name, and restored singly or all at once', async ({
  win,
  lab,
}) => {
  await withDeleted(lab, 'trashed', ['a-report.txt', 'b-photo.jpg', 'deep/c-report.txt']);
  await goTo(win, 'Lab', 'trashed');
  await expect(rowOf(win, 'b-photo.jpg')).toBeVisible();
  let deletedAt = 0;
  for (const name of ['a-report.txt', 'b-photo.jpg', 'deep']) {
    // The service dates a deletion to the second.
    await expect.poll(secondsNow).toBeGreaterThan(deletedAt);
    await rowOf(win, name).click();
    await win.keyboard.press('Delete');
    await win.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(rowOf(win, name)).toHaveCount(0);
    deletedAt = secondsNow();
  }
  await win.keyboard.press('Alt+z');
  const dialog = win.getByRole('dialog', { name: /Deleted objects in/u });
  const rows = dialog.getByRole('row').filter({ has: win.getByRole('gridcell') });
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('c-report.txt');
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);

  await dialog.getByRole('textbox', { name: 'Find a deleted object' }).fill('photo');
  await expect(rows).toHaveCount(1);
  await rows.first().click();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(dialog.getByText('No matching deleted objects')).toBeVisible();

  await dialog.getByRole('textbox', { name: 'Find a deleted object' }).fill('');
  await dialog.getByRole('button', { name: 'Restore all (2)' }).click();
  await expect(dialog.getByText('No deleted objects')).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(grid(win).getByText('a-report.txt')).toBeVisible();
  await expect(grid(win).getByText('b-photo.jpg')).toBeVisible();
  await expect(grid(win).getByText('deep')).toBeVisible();
});

test('the palette finds deleted objects by the words trash and restore', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents');
  for (const word of ['trash', 'restore', 'delete']) {
    await win.keyboard.press('Control+k');
    await win.getByPlaceholder('Type a command or the name of a place').fill(word);
    await expect(win.getByRole('option').filter({ hasText: 'Deleted objects…' })).toBeVisible();
    await win.keyboard.press('Escape');
  }
});
