import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { startService } from '../../support/lab-service/server.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper } from '../../support/window/start-cooper.ts';
import { connect, jobRow, openWindow, seconds } from '../support/uploads.ts';
import { labBucket, rowOf, typeAddress, test } from '../support/window.ts';

const keys = { accessKeyId: 'HIDDENKEY', secretAccessKey: 'hidden-files-of-the-lab' };

async function chooseHome(page: Page, home: string): Promise<void> {
  const name = path.basename(home);
  const picker = page.getByRole('dialog', { name: 'Choose the folder to download to' });
  await picker.getByRole('button', { name: 'This computer' }).click();
  await picker.getByRole('row').filter({ hasText: name }).dblclick();
  await picker.getByRole('button', { name: `Choose “${name}”` }).click();
}

test('hidden files are confirmed before they are saved to the home folder, and skipped by a key', async ({
  page,
}) => {
  const home = removedAtExit('cooper-home-');
  const service = await startService({
    dataDir: path.join(home, 'service'),
    credentials: [keys],
    region: 'us-east-1',
  });
  const cooper = await startCooper({ dataDir: path.join(home, 'data'), env: { HOME: home } });
  try {
    await labBucket(service, 'dots', ['.ssh/authorized_keys', '.ssh/config', 'notes.txt']);
    await openWindow(page, cooper);
    await connect(page, 'Dots', service, keys);
    await typeAddress(page, 'dots');
    await rowOf(page, '.ssh').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Download…' }).click();
    await chooseHome(page, home);
    const dialog = page.getByRole('dialog', { name: 'Hidden files for your home folder' });
    await expect(dialog.getByRole('listitem')).toHaveText(
      ['.ssh/authorized_keys', '.ssh/config'],
      seconds(20),
    );
    await expect(jobRow(page, '.ssh')).toContainText('2 hidden files would go into your home folder');
    await expect(dialog).toContainText('Nothing has been written yet.');
    expect(existsSync(path.join(home, '.ssh'))).toBe(false);
    await dialog.getByRole('button', { name: 'Skip' }).press('Enter');
    await expect(dialog).toBeHidden();
    expect(existsSync(path.join(home, '.ssh', 'config'))).toBe(false);
  } finally {
    await cooper.end();
    await service.close();
  }
});

test('a hidden file is saved to the home folder after confirmation', async ({ page }) => {
  const home = removedAtExit('cooper-home-');
  const service = await startService({
    dataDir: path.join(home, 'service'),
    credentials: [keys],
    region: 'us-east-1',
  });
  const cooper = await startCooper({ dataDir: path.join(home, 'data'), env: { HOME: home } });
  try {
    await labBucket(service, 'dots', ['.config/app/settings']);
    await openWindow(page, cooper);
    await connect(page, 'Dots', service, keys);
    await typeAddress(page, 'dots');
    await rowOf(page, '.config').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Download…' }).click();
    await chooseHome(page, home);
    const row = jobRow(page, '.config');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click(seconds(20));
    await expect(row).toContainText('Done.', seconds(20));
    expect(readFileSync(path.join(home, '.config/app/settings'), 'utf8')).toBe('.config/app/settings');
  } finally {
    await cooper.end();
    await service.close();
  }
});
