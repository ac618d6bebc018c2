import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { openInPicker } from '../support/forms.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import { jobRow, openWindow, sampleFile, seconds } from '../support/uploads.ts';
import { goTo, rowOf, test } from '../support/window.ts';

const dataDir = removedAtExit('cooper-transfers-');
const home = removedAtExit('cooper-home-');
let cooper: RunningCooper;
test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  mkdirSync(path.join(home, 'target'));
  cooper = await startCooper({ dataDir, env: { HOME: home } });
});
test.afterAll(async () => {
  await cooper.end();
});

test('a file is uploaded from the toolbar, asked about the second time, and downloaded by its menu', async ({
  page,
}) => {
  await openWindow(page, cooper);
  const first = sampleFile(dataDir, 'holiday.txt', 1234, 1);
  await goTo(page, 'Sample buckets', 'backups');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Upload files…' }).click();
  await pickHoliday(page);
  await expect(jobRow(page, 'holiday.txt')).toContainText('Done. Uploaded ', seconds(20));
  await page.keyboard.press('F5');
  await expect(rowOf(page, 'holiday.txt')).toBeVisible();

  const second = sampleFile(dataDir, 'holiday.txt', 4321, 2);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Upload files…' }).click();
  await pickHoliday(page);
  const asking = jobRow(page, 'holiday.txt').first();
  // The dialog opens without a click.
  const dialog = page.getByRole('dialog', { name: 'Items already exist' });
  await expect(dialog.getByRole('region', { name: 'New' })).toContainText('4.2 KiB', seconds(20));
  await expect(dialog.getByRole('region', { name: 'Existing' })).toContainText('1.2 KiB');
  await dialog.getByRole('button', { name: 'Keep both' }).click();
  await expect(dialog).toBeHidden();
  await expect(asking).toContainText('Done. Uploaded ', seconds(20));
  await page.keyboard.press('F5');
  await expect(rowOf(page, 'holiday (2).txt')).toBeVisible();

  // The note contains the new name, not only a count.
  await expect(asking).toContainText('1 note');
  await asking.click();
  const note = page.getByRole('region', { name: 'Notes' });
  await expect(note).toContainText('holiday.txt: its name was taken, so it is now “holiday (2).txt”');
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close the log' }).click();

  const find = page.getByRole('searchbox', { name: 'Find by name or bucket' });
  await find.fill('nowhere');
  await expect(page.getByText('No matching transfers.')).toBeVisible();
  await find.fill('HOLIDAY');
  await expect(jobRow(page, 'holiday.txt')).toHaveCount(2);
  await find.fill('');

  await rowOf(page, 'holiday (2).txt').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Download…' }).click();
  await (await openInPicker(page, home, 'target')).click();
  await expect(jobRow(page, 'holiday (2).txt')).toContainText('Done. Downloaded ', seconds(20));
  expect(readFileSync(path.join(home, 'target', 'holiday (2).txt'))).toEqual(second);
  expect(first).not.toEqual(second);
});

async function pickHoliday(page: Page): Promise<void> {
  const picker = page.getByRole('dialog', { name: 'Choose what to upload to backups' });
  await picker.getByRole('button', { name: 'This computer' }).click();
  await picker.getByRole('row').filter({ hasText: 'sample-files' }).dblclick();
  await picker.getByRole('row').filter({ hasText: 'holiday.txt' }).dblclick();
  await expect(picker).toBeHidden();
}
