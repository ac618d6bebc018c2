import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { bytesOf } from '../../support/core/uploads-rig.ts';
import { done, jobRow, openStalled, partSize, seconds, stall, uploadRow } from '../support/uploads.ts';
import { test } from '../support/window.ts';

/** Drops a file that the page creates from these bytes, as a browser passes one from the file manager. */
async function dropFile(page: Page, target: Locator, name: string, bytes: Buffer): Promise<void> {
  const data = await page.evaluateHandle(
    ([base64, fileName]) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName, { lastModified: 1_700_000_000_000 }));
      return transfer;
    },
    [bytes.toString('base64'), name] as const,
  );
  for (const type of ['dragenter', 'dragover', 'drop'])
    await target.dispatchEvent(type, { dataTransfer: data });
}

const copies = (dataDir: string): readonly string[] => readdirSync(path.join(dataDir, 'dropped'));

test('a file dropped on a stalled upload finishes it, and its copy is removed', async ({
  win,
  cooper,
  lab,
}) => {
  const place = { bucket: 'lab-home', key: 'films/dropped.mp4' };
  const bytes = bytesOf(2 * partSize + 4321, 77);
  await stall(lab, place, bytes, [1]);
  await openStalled(win, 'Lab', place.bucket);
  const dialog = win.getByRole('dialog', { name: 'Resume from a file' });

  // First the wrong file: nothing is sent, and its copy is removed as soon as the right one arrives.
  await dropFile(win, uploadRow(win, place.key), 'other.mp4', bytesOf(bytes.byteLength, 78));
  await expect(dialog.getByText('This does not seem to be the right file')).toBeVisible(seconds(30));
  expect(copies(cooper.dataDir)).toHaveLength(1);

  await dropFile(win, dialog.getByTestId('drop-zone'), 'dropped.mp4', bytes);
  await expect(dialog.getByText('1 stored part matches your file')).toBeVisible(seconds(30));
  await expect(dialog.getByText('dropped.mp4').last()).toBeVisible();
  await expect.poll(() => copies(cooper.dataDir)).toHaveLength(1);
  await dialog.getByRole('button', { name: 'Start sending' }).click();
  await expect(dialog).toBeHidden();
  await expect(jobRow(win, 'dropped.mp4')).toContainText(done, seconds(30));
  await expect.poll(() => copies(cooper.dataDir)).toEqual([]);
});

test('a file dropped outside a target changes nothing', async ({ win }) => {
  const here = win.url();
  await dropFile(win, win.getByRole('main'), 'stray.txt', Buffer.from('stray'));
  await expect(win.getByRole('main')).toBeVisible();
  expect(win.url()).toBe(here);
  await expect(win.getByRole('dialog')).toBeHidden();
});
