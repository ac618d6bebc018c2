import { expect } from '@playwright/test';
import { en } from '../../../shared/messages/en/index.ts';
import { chooseMore, goTo, rowOf, test } from '../support/window.ts';

const wait = { timeout: 20_000 };
const { state, actions } = en.versions;
const { hide } = en.entries.versions;

test('in the samples, versions of a text are restored and a deleted text is undeleted', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'drafts/letters/');
  await chooseMore(win, 'Show versions');
  const letters = win.getByRole('grid', { name: 'Versions in letters' });
  const deleted = letters.getByRole('row').filter({ hasText: state.deleted });
  await expect(deleted).toContainText('to the harbour master.md');
  await win.screenshot({ path: test.info().outputPath('versions.png'), animations: 'disabled' });
  await deleted.click();
  await win.getByRole('button', { name: actions.undelete }).click();
  await expect(deleted).toHaveCount(0, wait);

  await goTo(win, 'Sample buckets', 'drafts/poems/');
  const poems = win.getByRole('grid', { name: 'Versions in poems' });
  const versions = poems.getByRole('row').filter({ hasText: 'tide.txt' });
  await expect(versions).toHaveCount(4);
  await versions.filter({ hasText: state.older }).last().click();
  await win.getByRole('button', { name: actions.restore, exact: true }).click();
  await expect(versions).toHaveCount(5, wait);
  await win.getByRole('button', { name: hide }).first().click();
  await expect(rowOf(win, 'tide.txt')).toBeVisible();
});

test("in the samples, a bucket's lifecycle rules are shown in a form with their effect", async ({ win }) => {
  await goTo(win, 'Sample buckets', 'drafts');
  await expect(rowOf(win, 'price list.csv')).toBeVisible();
  await win.keyboard.press('Alt+b');
  const dialog = win.getByRole('dialog', { name: 'Settings of “drafts”' });
  await dialog.getByRole('button', { name: 'Lifecycle', exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true }).first()).toHaveValue(
    'scratch goes after a month',
  );
  await expect(dialog.locator('input[value="scratch/"]')).toBeVisible();
  await win.screenshot({ path: test.info().outputPath('rules.png'), animations: 'disabled' });
});
