import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { en } from '../../../shared/messages/en/index.ts';
import { ru } from '../../../shared/messages/ru/index.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper } from '../../support/window/start-cooper.ts';
import { pressInList } from '../support/operations.ts';
import { dragToBucket, goTo, labBucket, lookAway, rowOf, sidebarRow, test } from '../support/window.ts';

test('a persistent notice follows the language of the window', async ({ page }, info) => {
  test.slow();
  const dataDir = removedAtExit('cooper-notices-');
  // The database is damaged; the notice about it stays until the user has seen it.
  writeFileSync(path.join(dataDir, 'cooper.db'), 'damaged '.repeat(1000));
  const cooper = await startCooper({ dataDir });
  await page.goto(cooper.address);
  await expect(page.getByText(en.common.setAside.database)).toBeVisible();
  await page.getByRole('button', { name: en.settings.title }).click();
  await page.getByRole('combobox', { name: en.settings.language }).click();
  await page.getByRole('option', { name: en.settings.languages.ru }).click();
  await expect(page.getByRole('dialog', { name: ru.settings.title })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText(ru.common.setAside.database)).toBeVisible();
  await expect(page.getByText(en.common.setAside.database)).toHaveCount(0);
  await page.screenshot({ path: info.outputPath('notice.png') });
  await cooper.end();
});

/** Chooses a language in a window that currently uses the other one. */
async function choose(page: Page, from: typeof en | typeof ru, language: 'ru' | 'system'): Promise<void> {
  await page.keyboard.press('Control+,');
  await page.getByRole('combobox', { name: from.settings.language }).click();
  await page.getByRole('option', { name: from.settings.languages[language] }).click();
}

const inTheWay = (words: typeof en | typeof ru): string =>
  words.jobs.asks.object_one.replace('{{count, number}}', '1');

test('notices of a transfer and brief ones follow the language chosen in another window', async ({
  win,
  cooper,
  context,
  lab,
}) => {
  await labBucket(lab, 'said-from', ['same.txt']);
  await labBucket(lab, 'said-to', ['same.txt']);
  const target = lab.store.buckets.get('said-to');
  await lab.store.putBytes(target?.id ?? -1, 'same.txt', Buffer.from('another'), { modifiedMs: 2e12 });
  await win.reload();
  await goTo(win, 'Lab', 'said-from');
  const other = await context.newPage();
  await other.goto(await cooper.newAddress());
  await expect(sidebarRow(other, 'Lab')).toBeVisible();
  await win.bringToFront();
  await lookAway(win);
  const noticeWith = (text: string) => win.getByRole('alert').filter({ hasText: text });
  try {
    await dragToBucket(win, rowOf(win, 'same.txt'), 'said-to');
    await expect(noticeWith(inTheWay(en))).toBeVisible();
    await pressInList(win, 'Control+v');
    const moment = noticeWith(en.operations.clipboard.nothing);
    // Hovers over the notice, so that it stays.
    await moment.hover();
    await choose(other, en, 'ru');
    await expect(noticeWith(ru.operations.clipboard.nothing)).toBeVisible();
    await expect(moment).toHaveCount(0);
    const attention = noticeWith(inTheWay(ru));
    await expect(attention).toBeVisible();
    await expect(noticeWith(inTheWay(en))).toHaveCount(0);
    await expect(attention.getByRole('button', { name: ru.jobs.actions.answerConflicts })).toBeVisible();
  } finally {
    await choose(other, ru, 'system');
    await expect(sidebarRow(win, 'Lab')).toBeVisible();
    await other.close();
  }
});
