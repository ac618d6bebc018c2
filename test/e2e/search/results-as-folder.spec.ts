import { expect } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { expectLabKeys } from '../support/operations.ts';
import { results, searchFor } from '../support/search.ts';
import { crumb, dragToBucket, goTo, grid, labBucket, rowOf, sidebarRow, test } from '../support/window.ts';

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
  await dragToBucket(win, results(win).getByText('needle-1.txt'), 'found-target');
  await expectLabKeys(lab, 'found-target', ['deep/needle-1.txt', 'kept.txt', 'needle-2.txt']);
  // Rows dragged to another bucket are copied.
  await expectLabKeys(lab, 'found-drag', ['in/deep/needle-1.txt', 'in/needle-2.txt', 'in/x.txt']);
});

test('search results are dragged to the list of another tab, which opens while they are held over it', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-tab', ['in/deep/needle-1.txt', 'in/x.txt']);
  await labBucket(lab, 'found-tab-target', ['kept.txt']);
  await win.reload();
  await goTo(win, 'Lab', 'found-tab-target');
  await expect(rowOf(win, 'kept.txt')).toBeVisible();
  await win.keyboard.press('Control+t');
  await goTo(win, 'Lab', 'found-tab/in/');
  await expect(rowOf(win, 'x.txt')).toBeVisible();
  await searchFor(win, 'needle');
  const row = results(win).getByText('needle-1.txt');
  await row.click();
  // Holding the row over a tab activates it, so the drop lands in the list of that tab.
  await row.hover();
  await win.mouse.down();
  await win.getByRole('tab', { name: /found-tab-target/u }).hover();
  await win.getByRole('tab', { name: /found-tab-target/u }).hover();
  await expect(rowOf(win, 'kept.txt')).toBeVisible();
  await grid(win).hover();
  await grid(win).hover();
  await win.mouse.up();
  await expectLabKeys(lab, 'found-tab-target', ['deep/needle-1.txt', 'kept.txt']);
});

test('search results are shown as a gallery, with the same keys, selection and menu as in the list', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-gallery', ['deep/needle-1.txt', 'needle-2.txt', 'other.txt']);
  await goTo(win, 'Lab', 'found-gallery');
  await expect(rowOf(win, 'other.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await expect(results(win).getByText('needle-1.txt')).toBeVisible();
  await win.keyboard.press('Escape');
  await win.keyboard.press('Control+2');
  const gallery = win.getByRole('listbox', { name: 'Search results' });
  await expect(gallery.getByRole('option')).toHaveCount(2);
  await expect(gallery.locator('mark').first()).toHaveText('needle');
  await gallery.getByText('needle-1.txt').click();
  await win.keyboard.press('ArrowRight');
  await expect(gallery.getByRole('option', { selected: true })).toContainText('needle-2.txt');
  await win.keyboard.press('Control+a');
  await expect(win.getByText(/All 2 results selected/u)).toBeVisible();
  await gallery.getByText('needle-2.txt').click();
  await win.keyboard.press('Space');
  await expect(win.getByRole('region', { name: 'Look at needle-2.txt' })).toBeVisible();
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  await win.keyboard.press('Escape');
  await win.keyboard.press('Control+1');
  await expect(results(win).getByRole('row', { selected: true })).toContainText('needle-2.txt');
});

test('F2 renames a search result in place, in its folder, and the result then has its new name', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-rename', ['deep/needle-1.txt', 'needle-2.txt']);
  await goTo(win, 'Lab', 'found-rename');
  await expect(rowOf(win, 'needle-2.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await results(win).getByText('needle-1.txt').click();
  await win.keyboard.press('F2');
  const field = win.getByRole('textbox', { name: /needle-1\.txt/u });
  await expect(field).toBeFocused();
  await field.fill('thread.txt');
  await field.press('Enter');
  await expectLabKeys(lab, 'found-rename', ['deep/thread.txt', 'needle-2.txt']);
  await expect(results(win).getByText('thread.txt')).toBeVisible();
  await expect(results(win).getByText('needle-1.txt')).toBeHidden();
  await expect(results(win)).toBeFocused();
  // The selection has followed, so that the next action finds the object.
  await win.keyboard.press('Delete');
  await win.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expectLabKeys(lab, 'found-rename', ['needle-2.txt']);
});

test('typing a name focuses the result with that name, and results of one folder are renamed by a pattern', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-many', ['a/note-1.txt', 'a/word-2.txt', 'b/note-3.txt']);
  await goTo(win, 'Lab', 'found-many');
  await expect(rowOf(win, 'a')).toBeVisible();
  await searchFor(win, '.txt');
  await results(win).getByText('note-1.txt').click();
  await win.keyboard.press('w');
  await expect(results(win).getByRole('row', { selected: true })).toContainText('word-2.txt');
  await results(win)
    .getByText('note-3.txt')
    .click({ modifiers: ['ControlOrMeta'] });
  await win.keyboard.press('F2');
  await expect(win.getByText('Select objects of one folder to rename several at once.')).toBeVisible();
  await results(win).getByText('note-1.txt').click();
  await results(win)
    .getByText('word-2.txt')
    .click({ modifiers: ['ControlOrMeta'] });
  await win.keyboard.press('F2');
  await expect(win.getByRole('dialog', { name: 'Rename 2 objects' })).toBeVisible();
  await win.keyboard.press('Escape');
});
