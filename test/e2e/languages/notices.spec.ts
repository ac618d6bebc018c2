import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { en } from '../../../shared/messages/en/index.ts';
import { ru } from '../../../shared/messages/ru/index.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper } from '../../support/window/start-cooper.ts';
import { test } from '../support/window.ts';

test('a notice that stays follows the language of the window', async ({ page }, info) => {
  test.slow();
  const dataDir = removedAtExit('cooper-notices-');
  // What was stored cannot be read, which is said until the person has seen it.
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
