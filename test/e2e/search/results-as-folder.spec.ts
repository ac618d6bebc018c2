import { expect, type Page } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { expectLabKeys } from '../support/operations.ts';
import { crumb, goTo, labBucket, rowOf, sidebarRow, test } from '../support/window.ts';

const results = (page: Page) => page.getByRole('grid', { name: 'Search results' });

async function searchFor(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+Shift+E');
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(name).toBeFocused();
  await name.fill(text);
  await name.press('Enter');
}

test('search results are copied and pasted like objects of a folder, and keep their folders', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-copy', [
    'in/deep/report-1.txt',
    'in/report-2.txt',
    'in/other.txt',
    'to/kept.txt',
  ]);
  await goTo(win, 'Lab', 'found-copy/in/');
  await expect(rowOf(win, 'other.txt')).toBeVisible();
  await searchFor(win, 'report');
  await expect(results(win).getByText('report-2.txt')).toBeVisible();
  await expect(results(win).locator('mark').first()).toHaveText('report');
  await expect(sidebarRow(win, 'found-copy')).toBeVisible();
  await results(win).getByText('report-2.txt').click();
  await results(win)
    .getByText('report-1.txt')
    .click({ modifiers: ['ControlOrMeta'] });
  await win.keyboard.press('Control+c');
  await goTo(win, 'Lab', 'found-copy/to/');
  await expect(rowOf(win, 'kept.txt')).toBeVisible();
  await win.keyboard.press('Control+v');
  await expect(rowOf(win, 'report-2.txt')).toBeVisible();
  await expect(rowOf(win, 'deep')).toBeVisible();
});

test('the menu of a search result offers what the menu of an object does', async ({ win, lab }) => {
  await labBucket(lab, 'found-menu', ['deep/needle.txt', 'top.txt']);
  await goTo(win, 'Lab', 'found-menu');
  await expect(rowOf(win, 'top.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await results(win).getByText('needle.txt').click({ button: 'right' });
  for (const name of ['Create a link…', 'Copy to…', 'Move to…'])
    await expect(win.getByRole('menuitem', { name })).toBeVisible();
  await expect(win.getByRole('menuitem', { name: 'Properties…' })).toBeVisible();
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  await win.getByRole('menuitem', { name: 'Properties…' }).click();
  await expect(win.getByRole('dialog').getByText('needle.txt').first()).toBeVisible();
  await win.keyboard.press('Escape');
  await results(win).getByText('needle.txt').click({ button: 'right' });
  await win.getByRole('menuitem', { name: 'Move to…' }).click();
  await expect(win.getByRole('dialog', { name: 'Move 1 object to…' })).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(crumb(win)).toBeVisible();
});

test('Space opens a quick look at a search result, and arrow keys move it to the next one', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-look', ['deep/needle-1.txt', 'needle-2.txt']);
  await goTo(win, 'Lab', 'found-look');
  await expect(rowOf(win, 'needle-2.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await results(win).getByText('needle-1.txt').click();
  await win.keyboard.press('Space');
  const look = win.getByRole('region', { name: 'Look at needle-1.txt' });
  await expect(look.getByText('deep/needle-1.txt')).toBeVisible();
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  await win.keyboard.press('ArrowDown');
  await expect(win.getByRole('region', { name: 'Look at needle-2.txt' })).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(win.getByRole('region', { name: /^Look at/u })).toBeHidden();
  await expect(results(win)).toBeFocused();
});

test('the details of a search result are shown beside it, and those of several with their sum', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-details', ['deep/needle-1.txt', 'needle-22.txt', 'other.txt']);
  await goTo(win, 'Lab', 'found-details');
  await expect(rowOf(win, 'other.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await results(win).getByText('needle-1.txt').click();
  const details = win.getByRole('complementary', { name: 'Details' });
  await expect(details.getByRole('heading', { name: 'needle-1.txt' })).toBeVisible();
  await expect(details.getByText('deep/needle-1.txt').first()).toBeVisible();
  await expect(details.getByText('Content type')).toBeVisible();
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  await results(win)
    .getByText('needle-22.txt')
    .click({ modifiers: ['ControlOrMeta'] });
  await expect(details.getByRole('heading', { name: '2 selected' })).toBeVisible();
  // The size is known, because each object's content is its key.
  await expect(details.getByText(/^30 bytes/u)).toBeVisible();
  await win.keyboard.press('Control+i');
  await expect(details).toBeHidden();
  await win.getByRole('button', { name: 'Show details' }).click();
  await expect(details.getByRole('button', { name: 'Copy to…' })).toBeVisible();
});

test('search results are dragged to a folder of the tree, with their folders below the searched one', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-drag', ['in/deep/needle-1.txt', 'in/needle-2.txt', 'in/x.txt']);
  await labBucket(lab, 'found-target', ['kept.txt']);
  await win.reload();
  await goTo(win, 'Lab', 'found-drag/in/');
  await expect(rowOf(win, 'x.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await results(win).getByText('needle-2.txt').click();
  await results(win)
    .getByText('needle-1.txt')
    .click({ modifiers: ['ControlOrMeta'] });
  await results(win).getByText('needle-1.txt').dragTo(sidebarRow(win, 'found-target'));
  await expectLabKeys(lab, 'found-target', ['deep/needle-1.txt', 'kept.txt', 'needle-2.txt']);
  // Rows dragged to another bucket are copied.
  await expectLabKeys(lab, 'found-drag', ['in/deep/needle-1.txt', 'in/needle-2.txt', 'in/x.txt']);
});
