import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import { jobRow, openWindow, seconds } from '../support/uploads.ts';
import { goTo, rowOf, test } from '../support/window.ts';

const dataDir = removedAtExit('cooper-syncs-');
const home = removedAtExit('cooper-home-');
const photos = path.join(home, 'photos');
const copy = path.join(home, 'copy');
let cooper: RunningCooper;
test.describe.configure({ mode: 'serial', timeout: 180_000 });
test.beforeAll(async () => {
  mkdirSync(path.join(photos, 'summer'), { recursive: true });
  mkdirSync(copy);
  writeFileSync(path.join(photos, 'cover.jpg'), 'cover');
  writeFileSync(path.join(photos, 'summer', 'beach.jpg'), 'beach');
  writeFileSync(path.join(photos, 'summer', 'sea.jpg'), 'sea');
  cooper = await startCooper({ dataDir, env: { HOME: home } });
});
test.afterAll(async () => {
  await cooper.end();
});

/** Chooses a folder in the home folder and creates the plan. */
async function plan(page: Page, direction: 'up' | 'down', name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const entry = direction === 'up' ? 'Sync a folder here…' : 'Sync this folder down…';
  await page.getByRole('menuitem', { name: entry }).click();
  const dialog = page.getByRole('dialog', { name: /^Sync / });
  await expect(dialog.getByRole('button', { name: 'Make a plan' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Choose…' }).click();
  const picker = page.getByRole('dialog', { name: /^Choose the folder to sync/ });
  await picker.getByRole('button', { name: 'This computer' }).click();
  await picker
    .getByRole('row')
    .filter({ hasText: path.basename(home) })
    .dblclick();
  await picker.getByRole('row').filter({ hasText: name }).dblclick();
  await picker.getByRole('button', { name: `Choose “${name}”` }).click();
  await expect(picker).toBeHidden();
  await expect(dialog.getByText(name, { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Make a plan' }).click();
  return dialog;
}

/** Checks for accessibility violations and takes screenshots in both themes, wide and narrow. */
async function shoot(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: test.info().outputPath(`${name}-${colorScheme}.png`) });
    expect(await axeFindings(page), `${name} ${colorScheme}`).toEqual([]);
  }
  const before = page.viewportSize();
  await page.setViewportSize({ width: 480, height: 760 });
  await page.screenshot({ path: test.info().outputPath(`${name}-narrow.png`) });
  if (before !== null) await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: 'light' });
}

const planRow = (dialog: Locator, name: string): Locator =>
  dialog.getByRole('grid', { name: 'Plan', exact: true }).getByRole('row').filter({ hasText: name });

test('a sync to the bucket sends all files, then none, then only changes and confirmed deletions', async ({
  page,
}) => {
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups');
  await page.getByRole('button', { name: 'New folder' }).first().click();
  const naming = page.getByRole('dialog', { name: /New folder/ });
  await naming.getByRole('textbox').fill('album');
  await naming.getByRole('button', { name: 'Create' }).click();
  await expect(rowOf(page, 'album')).toBeVisible();
  await goTo(page, 'Sample buckets', 'backups/album/');

  const first = await plan(page, 'up', 'photos');
  await expect(planRow(first, 'summer/beach.jpg')).toContainText('Upload');
  await first.getByRole('button', { name: 'Upload 3 files' }).click();
  await expect(first).toBeHidden();
  await expect(jobRow(page, 'photos').first()).toContainText('Done. 3 uploaded', seconds(20));

  const second = await plan(page, 'up', 'photos');
  await expect(second.getByRole('heading', { name: 'Nothing to do' })).toBeVisible(seconds(20));
  await shoot(page, 'nothing');
  await second.getByRole('button', { name: 'Close' }).last().click();
  await expect(second).toBeHidden();

  writeFileSync(path.join(photos, 'cover.jpg'), 'another cover');
  writeFileSync(path.join(photos, 'new.jpg'), 'new');
  rmSync(path.join(photos, 'summer', 'sea.jpg'));
  const third = await plan(page, 'up', 'photos');
  await expect(third.getByRole('button', { name: 'Upload 1 file, replace 1' })).toBeEnabled(seconds(20));
  await expect(planRow(third, 'new.jpg')).toBeVisible();
  await expect(planRow(third, 'sea.jpg'), 'what stays is no change').toHaveCount(0);
  await third.getByRole('button', { name: /^All /u }).click();
  await expect(planRow(third, 'sea.jpg')).toContainText('Keep');
  // If the columns do not fit, reason and size are below the name.
  await page.setViewportSize({ width: 480, height: 760 });
  await expect(planRow(third, 'cover.jpg')).toContainText('different size · 5 bytes → 13 bytes');
  await expect(planRow(third, 'new.jpg')).toContainText('new · 3 bytes');
  await expect(planRow(third, 'sea.jpg')).toContainText('only in the bucket · 3 bytes');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(planRow(third, 'cover.jpg')).not.toContainText('→');
  await third.getByRole('checkbox', { name: 'Also delete 1 object that is only in the bucket' }).check();
  await expect(planRow(third, 'sea.jpg')).toContainText('Delete');
  const go = third.getByRole('button', { name: 'Upload 1 file, replace 1, delete 1' });
  await expect(go).toBeDisabled();
  await third.getByRole('textbox', { name: 'To confirm, type the number of deletions: 1' }).fill('1');
  await shoot(page, 'plan-up-deletions');
  await go.click();
  await expect(third).toBeHidden();
  await expect(jobRow(page, 'photos').first()).toContainText(
    'Done. 2 uploaded, 1 deleted, 1 unchanged',
    seconds(20),
  );
  await goTo(page, 'Sample buckets', 'backups/album/summer/');
  await expect(rowOf(page, 'beach.jpg')).toBeVisible();
  await expect(rowOf(page, 'sea.jpg')).toBeHidden();
});

test('a sync to the local folder is reviewed and run by keyboard alone', async ({ page }) => {
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups/album/');
  writeFileSync(path.join(copy, 'extra.txt'), 'extra');
  writeFileSync(path.join(copy, 'cover.jpg'), 'old');
  const dialog = await plan(page, 'down', 'copy');
  const go = dialog.getByRole('button', { name: 'Download 2 files, replace 1' });
  await expect(go).toBeEnabled(seconds(20));
  await dialog.getByRole('button', { name: /^All /u }).click();
  await expect(planRow(dialog, 'extra.txt')).toContainText('Keep');
  await shoot(page, 'plan-down');
  await dialog.getByRole('button', { name: /^Only here/ }).press('Enter');
  await expect(planRow(dialog, 'cover.jpg')).toBeHidden();
  await go.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(jobRow(page, 'Download').first()).toContainText('Done. 3 downloaded', seconds(20));
  expect(readFileSync(path.join(copy, 'cover.jpg'), 'utf8')).toBe('another cover');
  expect(readFileSync(path.join(copy, 'summer', 'beach.jpg'), 'utf8')).toBe('beach');
  expect(existsSync(path.join(copy, 'extra.txt'))).toBe(true);

  const again = await plan(page, 'down', 'copy');
  await again.getByRole('checkbox', { name: 'Also delete 1 file that is only on this computer' }).check();
  await again.getByRole('textbox', { name: 'To confirm, type the number of deletions: 1' }).fill('1');
  await again.getByRole('button', { name: 'Delete 1 file' }).click();
  await expect(again).toBeHidden();
  await expect.poll(() => existsSync(path.join(copy, 'extra.txt'))).toBe(false);
  expect(existsSync(path.join(copy, 'cover.jpg'))).toBe(true);
});
