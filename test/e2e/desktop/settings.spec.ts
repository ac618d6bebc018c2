import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { askControl } from '../../../electron/host/control.ts';
import { startService } from '../../support/lab-service/server.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import { axeFindings } from '../support/axe.ts';
import { connect, openWindow } from '../support/uploads.ts';
import { crumb, goTo, labKeys, test } from '../support/window.ts';

async function open(win: Page): Promise<Locator> {
  await win.getByRole('button', { name: 'Settings' }).click();
  const dialog = win.getByRole('dialog', { name: 'Settings' });
  await expect(dialog).toBeVisible();
  return dialog;
}

test('upload settings stay within the limits of S3 and explain invalid values', async ({ win }) => {
  const dialog = await open(win);
  const uploads = dialog.getByRole('group', { name: 'Uploads' });
  const partSize = uploads.getByLabel('Part size');
  await expect(partSize).toHaveValue('16 MiB');
  await partSize.fill('4');
  await partSize.press('Tab');
  await expect(uploads).toContainText('Type a whole number of MiB from 5 to 5120.');
  await partSize.fill('64');
  await partSize.press('Tab');
  await expect(uploads).not.toContainText('Type a whole number');
  await win.reload();
  const again = await open(win);
  const kept = again.getByRole('group', { name: 'Uploads' });
  await expect(kept.getByLabel('Part size')).toHaveValue('64 MiB');
  await expect(kept.getByLabel('Send files in parts from')).toHaveValue('16 MiB');
  await kept.getByLabel('Part size').fill('16');
  await kept.getByLabel('Part size').press('Tab');
});

test('only harmless questions can be turned off, and an unambiguous link then opens directly', async ({
  page: win,
}) => {
  // The connection is unambiguous only if there is one, so this Cooper is not shared with other tests.
  const dir = removedAtExit('cooper-questions-');
  const service = await startService({
    dataDir: path.join(dir, 'service'),
    credentials: [labKeys],
    region: 'us-east-1',
  });
  service.store.buckets.create('lab-home', Date.now());
  const cooper = await startCooper({ dataDir: path.join(dir, 'data') });
  try {
    await openWindow(win, cooper);
    await connect(win, 'Lab', service, labKeys);
    await switchLinksOff(win, cooper);
  } finally {
    await cooper.end();
    await service.close();
  }
});

async function switchLinksOff(win: Page, cooper: RunningCooper): Promise<void> {
  await goTo(win, 'Sample buckets', 'documents/');
  const tabs = await win.getByRole('tab').count();
  const dialog = await open(win);
  const questions = dialog.getByRole('group', { name: 'Confirmations' });
  await expect(questions.getByRole('switch')).toHaveCount(1);
  await expect(questions).toContainText('Cooper always asks before it deletes or replaces anything.');
  await questions.getByRole('switch', { name: 'Ask before opening an s3:// link' }).click();
  await win.keyboard.press('Escape');
  await askControl(cooper.dataDir, 's3://lab-home/');
  await expect(crumb(win)).toHaveText('lab-home');
  await expect(win.getByRole('tab')).toHaveCount(tabs + 1);
  // This address is ambiguous (`a%20b` or `a b`), so the window asks although asking is turned off.
  await askControl(cooper.dataDir, 's3://lab-home/a%20b/');
  const asked = win.getByRole('dialog', { name: 'Open this place?' });
  await expect(asked).toBeVisible();
  await win.keyboard.press('Escape');
  const again = await open(win);
  await again.getByRole('switch', { name: 'Ask before opening an s3:// link' }).click();
  await win.keyboard.press('Escape');
  await askControl(cooper.dataDir, 's3://lab-home/');
  await expect(asked).toBeVisible();
}

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 480],
] as const)
  test(`axe finds no problems in all settings (${colorScheme}, ${String(width)} px)`, async ({
    win,
  }, info) => {
    await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const dialog = await open(win);
    await win.setViewportSize({ width, height: 1700 });
    await expect(dialog.getByRole('group', { name: 'Transfers' }).getByRole('button')).toBeVisible();
    await win.screenshot({ path: info.outputPath('settings.png') });
    expect(await axeFindings(win)).toEqual([]);
  });
