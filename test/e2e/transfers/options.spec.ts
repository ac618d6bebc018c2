import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import { jobRow, openWindow, sampleFile, seconds } from '../support/uploads.ts';
import { goTo, rowOf, sidebarRow, test } from '../support/window.ts';

const dataDir = removedAtExit('cooper-options-');
let cooper: RunningCooper;
test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  cooper = await startCooper({ dataDir });
});
test.afterAll(async () => {
  await cooper.end();
});

async function openOptions(page: Page) {
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Upload with options…' }).click();
  return page.getByRole('dialog', { name: 'Upload to backups' });
}

async function pick(page: Page, name: string): Promise<void> {
  const picker = page.getByRole('dialog', { name: 'Choose what to upload to backups' });
  await picker.getByRole('button', { name: 'This computer' }).click();
  await picker.getByRole('row').filter({ hasText: 'sample-files' }).dblclick();
  await picker.getByRole('row').filter({ hasText: name }).dblclick();
  await expect(picker).toBeHidden();
}

async function pictures(page: Page, name: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [1280, 480]) {
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: test.info().outputPath(`${name}-${scheme}-${width}.png`) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('an object is stored with the chosen options, which are kept for the next upload', async ({ page }) => {
  test.slow();
  await openWindow(page, cooper);
  sampleFile(dataDir, 'cold.txt', 100, 1);
  await goTo(page, 'Sample buckets', 'backups');
  const dialog = await openOptions(page);
  await expect(dialog.getByLabel('Storage class')).toBeFocused();
  await dialog.getByLabel('Storage class').fill('COLD');
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Tags').fill('colour');
  await dialog.getByRole('button', { name: 'Upload files…' }).click();
  await expect(dialog.getByText('Each line needs a name, an equals sign and a value.')).toBeVisible();
  await dialog.getByLabel('Tags').fill('colour=blue');
  await dialog.getByLabel('Metadata').fill('author=Grüße');
  await dialog.getByLabel('Use for every upload with this connection').check();
  expect(await axeFindings(page)).toEqual([]);
  await pictures(page, 'options');
  await dialog.getByRole('button', { name: 'Upload files…' }).click();
  await pick(page, 'cold.txt');
  await expect(dialog).toBeHidden();
  await expect(jobRow(page, 'cold.txt')).toContainText('Done. Uploaded ', seconds(20));
  await page.keyboard.press('F5');
  await expect(rowOf(page, 'cold.txt')).toContainText('COLD');
  const again = await openOptions(page);
  await expect(again.getByLabel('Storage class')).toHaveValue('COLD');
  await expect(again.getByLabel('Metadata')).toHaveValue('author=Grüße');
  await again.getByRole('button', { name: 'Cancel' }).click();
  await expect(again).toBeHidden();
});

test('a customer key is added by name and not shown again', async ({ page }) => {
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups');
  const dialog = await openOptions(page);
  await dialog.getByLabel('Encryption on the service').click();
  await page.getByRole('option', { name: 'Your own key (SSE-C)' }).click();
  await expect(dialog.getByText('Without this key nobody can read the objects')).toBeVisible();
  await dialog.getByLabel('Key name').fill('Vault');
  await dialog.getByLabel('Key value', { exact: true }).fill('short');
  await dialog.getByRole('button', { name: 'Save key' }).click();
  await expect(dialog.getByText('Invalid customer key')).toBeVisible();
  await dialog.getByRole('button', { name: 'Generate a key' }).click();
  const key = await dialog.getByLabel('Key value', { exact: true }).inputValue();
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  await pictures(page, 'customer-key');
  await dialog.getByRole('button', { name: 'Save key' }).click();
  await expect(dialog.getByLabel('Key', { exact: true })).toHaveValue('Vault');
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.content()).not.toContain(key);
  for (const name of ['cooper.db', 'cooper.db-wal'])
    expect(readFileSync(path.join(dataDir, name)).includes(key)).toBe(false);
  await dialog.getByRole('button', { name: 'Remove this key…' }).click();
  const sure = page.getByRole('dialog', { name: 'Remove this key from Cooper?' });
  await expect(sure.getByText('Without a copy of the key they are lost.')).toBeVisible();
  await sure.getByRole('button', { name: 'Remove key' }).click();
  await expect(dialog.getByLabel('Key name')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('the two sides of a conflict are compared on request', async ({ page }) => {
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups');
  sampleFile(dataDir, 'cold.txt', 100, 2);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Upload files…' }).click();
  await pick(page, 'cold.txt');
  const dialog = page.getByRole('dialog', { name: 'Items already exist' });
  await dialog.getByRole('button', { name: 'Compare content' }).click(seconds(20));
  await expect(dialog.getByText('The content differs.')).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await pictures(page, 'conflict');
  await dialog.getByRole('button', { name: 'Skip' }).click();
  await expect(dialog).toBeHidden();
});

test('one object is downloaded in the browser under its name, byte for byte', async ({ page }) => {
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups');
  await rowOf(page, 'cold.txt').click({ button: 'right' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Download in the browser' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('cold.txt');
  expect(readFileSync(await download.path())).toEqual(sampleFile(dataDir, 'cold.txt', 100, 1));
});

test('the multipart threshold is changed in the settings, which reject sizes that S3 does not allow', async ({
  page,
}) => {
  await openWindow(page, cooper);
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  const field = dialog.getByLabel('Send files in parts from');
  await field.fill('2');
  await expect(dialog.getByText('Type a whole number of MiB from 5 to 5120.')).toBeVisible();
  await field.fill('64');
  await field.blur();
  await page.reload();
  await expect(sidebarRow(page, 'Sample buckets')).toBeVisible();
  await page.keyboard.press('Control+,');
  await expect(field).toHaveValue('64 MiB');
});
