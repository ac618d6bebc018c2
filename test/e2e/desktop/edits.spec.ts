import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { en } from '../../../shared/messages/en/index.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import { axeFindings } from '../support/axe.ts';
import { goTo, rowOf, test } from '../support/window.ts';

const dataDir = removedAtExit('cooper-edits-');
const fileOf = (id: string, name: string): string => path.join(dataDir, 'edits', id, name);
let cooper: RunningCooper;

/** Writes the state that the desktop app stores for an unsent edit. The browser host resumes it at its start. */
function leftUnsent(id: string, connectionId: string, name: string, text: string): void {
  mkdirSync(path.dirname(fileOf(id, name)), { recursive: true });
  const key = `accounts/2026/${name}`;
  const was = { etag: '"of-the-copy-that-was-opened"', md5: '0'.repeat(32) };
  const record = { version: 1, connectionId, bucket: 'documents', key, fileName: name, ...was };
  writeFileSync(fileOf(id, 'edit.json'), JSON.stringify(record));
  writeFileSync(fileOf(id, name), text);
}

test.beforeAll(async () => {
  leftUnsent('overtaken', 'samples', '05-may.csv', 'mine');
  leftUnsent('stranded', 'removed-meanwhile', '06-june.csv', 'mine too');
  cooper = await startCooper({ dataDir });
});
test.afterAll(async () => {
  await cooper.end();
});

const notice = (page: Page, title: string, name: string) =>
  page.getByRole('alert').filter({ hasText: title.replace('{{name}}', name) });

test("an edit in conflict, or that cannot be sent, waits for the user's decision", async ({ page }, info) => {
  await page.goto(await cooper.newAddress());
  const overtaken = notice(page, en.edits.conflict.title, '05-may.csv');
  const stranded = notice(page, en.edits.failed.title, '06-june.csv');
  await expect(overtaken).toBeVisible();
  await expect(stranded).toContainText(en.errors.reasons['no-such-connection'].title);
  await goTo(page, 'Sample buckets', 'documents/accounts/2026/');
  await expect(rowOf(page, '05-may.csv')).toContainText('699 bytes');
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 480]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: info.outputPath(`${colorScheme}-${String(width)}.png`) });
      expect(await axeFindings(page), `${colorScheme} ${String(width)}`).toEqual([]);
    }

  await page.setViewportSize({ width: 1280, height: 800 });
  await overtaken.getByRole('button', { name: en.edits.conflict.overwrite }).click();
  await expect(notice(page, en.edits.sent, '05-may.csv')).toBeVisible();
  await expect(overtaken).toHaveCount(0);
  await page.screenshot({ path: info.outputPath('sent.png') });
  await page.keyboard.press('F5');
  await expect(rowOf(page, '05-may.csv')).toContainText('4 bytes');

  expect(existsSync(fileOf('stranded', '06-june.csv'))).toBe(true);
  await stranded.getByRole('button', { name: en.edits.discard }).click();
  await expect(stranded).toHaveCount(0);
  await expect.poll(() => existsSync(fileOf('stranded', '06-june.csv'))).toBe(false);
});
