import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { leaveOnePlace, list, pane, row } from '../support/panes.ts';
import { expectLabKeys, nameField } from '../support/operations.ts';
import { goTo, labBucket, openConnection, sidebarRow } from '../support/window.ts';
import { home, testAtHome } from '../support/test-at-home.ts';

testAtHome(
  'files of this computer are uploaded and objects downloaded between two panes',
  async ({ win, lab }) => {
    await labBucket(lab, 'with-disk', ['from-bucket.txt', 'deep/inside.txt']);
    const folder = path.join(home, 'pane files');
    mkdirSync(path.join(folder, 'album'), { recursive: true });
    writeFileSync(path.join(folder, 'local.txt'), 'local');
    writeFileSync(path.join(folder, 'album', 'p.txt'), 'p');
    writeFileSync(path.join(folder, '.secret'), '');
    await goTo(win, 'Lab', 'with-disk');
    await win.keyboard.press('Control+Backslash');
    const [left, right] = [pane(win, 'Left'), pane(win, 'Right')];
    await expect(list(right)).toBeFocused();
    await win.getByRole('button', { name: 'Home', exact: true }).click();
    await row(right, 'pane files').dblclick();
    await expect(row(right, 'local.txt')).toBeVisible();
    await expect(row(right, '.secret')).toBeHidden();
    // Both lists start at the same height.
    const [mine, theirs] = await Promise.all([list(left).boundingBox(), list(right).boundingBox()]);
    expect(mine?.y).toBe(theirs?.y);
    await win.keyboard.press('Control+f');
    await win.keyboard.type('loc');
    await expect(row(right, 'album')).toBeHidden();
    await win.keyboard.press('Escape');
    await expect(list(right)).toBeFocused();
    await expect(row(right, 'album')).toBeVisible();
    await win.keyboard.press('Shift+F10');
    await win.getByRole('menuitem', { name: 'Show hidden files' }).click();
    await expect(row(right, '.secret')).toBeVisible();
    await row(right, 'local.txt').click();
    await row(right, 'album').click({ modifiers: ['Control'] });
    await win.keyboard.press('Alt+c');
    await expect(row(left, 'local.txt')).toBeVisible();
    await expect(row(left, 'album')).toBeVisible();
    await row(left, 'from-bucket.txt').dragTo(row(right, 'album'));
    await expect(async () => {
      expect(readdirSync(path.join(folder, 'album')).toSorted()).toEqual(['from-bucket.txt', 'p.txt']);
    }).toPass();
    await row(left, 'deep').click();
    await win.keyboard.press('Alt+c');
    await expect(row(right, 'deep')).toBeVisible();
    expect(readFileSync(path.join(folder, 'deep', 'inside.txt'), 'utf8')).toBe('deep/inside.txt');
    await list(right).focus();
    await win.keyboard.press('Alt+Shift+n');
    await win.getByRole('dialog', { name: 'New folder' }).getByRole('textbox').fill('made here');
    await win.keyboard.press('Enter');
    await expect(row(right, 'made here')).toBeVisible();
    await expect(list(right).locator('[data-focused="true"]')).toContainText('made here');
    await leaveOnePlace(win);
  },
);

testAtHome('a folder of this computer that went away is told, and leads back', async ({ win }) => {
  const folder = path.join(home, 'short-lived');
  mkdirSync(folder, { recursive: true });
  await expect(sidebarRow(win, 'Sample buckets')).toBeVisible();
  await win.getByRole('button', { name: 'Home', exact: true }).click();
  const grid = win.getByRole('grid', { name: /^Contents of/ });
  await grid.getByRole('row').filter({ hasText: 'short-lived' }).dblclick();
  await expect(win.getByText('This folder is empty.')).toBeVisible();
  expect(await axeFindings(win, '#tab-panel')).toEqual([]);
  rmSync(folder, { recursive: true });
  await win.keyboard.press('F5');
  await expect(win.getByRole('heading', { name: 'This folder no longer exists' })).toBeVisible();
  await win.keyboard.press('Alt+ArrowUp');
  await expect(grid).toBeVisible();
});

testAtHome(
  'files of this computer are renamed, deleted and uploaded from their menu by the keyboard',
  async ({ win, lab }) => {
    await labBucket(lab, 'from-menu', ['keep.txt']);
    const folder = path.join(home, 'menu files');
    mkdirSync(path.join(folder, 'full'), { recursive: true });
    writeFileSync(path.join(folder, 'full', 'x.txt'), 'x');
    for (const name of ['first.txt', 'second.txt']) writeFileSync(path.join(folder, name), name);
    await win.reload();
    await openConnection(win, 'Lab');
    const computer = win.getByRole('region', { name: 'This computer' });
    await computer.getByRole('button', { name: 'Home', exact: true }).click();
    const grid = win.getByRole('grid', { name: /^Contents of/ });
    const file = (name: string) => grid.getByRole('row').filter({ hasText: name });
    await file('menu files').dblclick();
    await file('first.txt').click();
    await win.keyboard.press('F2');
    // The extension is not selected.
    await expect(nameField(win, 'first.txt')).toBeFocused();
    await win.keyboard.type('third');
    await win.keyboard.press('Enter');
    await expect(file('third.txt')).toBeVisible();
    expect(readdirSync(folder).toSorted()).toEqual(['full', 'second.txt', 'third.txt']);
    await expect(grid.locator('[data-focused="true"]')).toContainText('third.txt');

    await win.keyboard.press('F2');
    const existingName = nameField(win, 'third.txt');
    await existingName.fill('second.txt');
    await win.keyboard.press('Enter');
    await expect(existingName).toHaveAccessibleDescription('An item with this name already exists here.');
    // Another program takes the name while it is typed.
    writeFileSync(path.join(folder, 'fourth.txt'), 'theirs');
    await existingName.fill('fourth.txt');
    await win.keyboard.press('Enter');
    await expect(existingName).toHaveAccessibleDescription('An item with this name already exists');
    await win.keyboard.press('Escape');
    await expect(grid).toBeFocused();
    rmSync(path.join(folder, 'fourth.txt'));

    await win.keyboard.press('Delete');
    const question = win.getByRole('dialog', { name: 'Delete 1 item permanently?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    expect(await axeFindings(win, '[role="dialog"]')).toEqual([]);
    await question.getByRole('button', { name: 'Delete permanently' }).click();
    await expect(file('third.txt')).toBeHidden();
    expect(readdirSync(folder).toSorted()).toEqual(['full', 'second.txt']);

    await file('full').click();
    await win.keyboard.press('Delete');
    await win.getByRole('button', { name: 'Delete permanently' }).click();
    await expect(win.getByText('This folder is not empty')).toBeVisible();
    expect(readdirSync(path.join(folder, 'full'))).toEqual(['x.txt']);

    await file('second.txt').click();
    await win.keyboard.press('Shift+F10');
    await win.getByRole('menuitem', { name: 'Upload to…' }).press('Enter');
    const target = win.getByRole('dialog', { name: 'Upload 1 item to…' });
    await expect(target).toBeVisible();
    await target.getByRole('row').filter({ hasText: 'Lab' }).first().dblclick();
    await target.getByRole('row').filter({ hasText: 'from-menu' }).dblclick();
    await target.getByRole('button', { name: 'Upload here' }).click();
    await expect(async () => {
      await expectLabKeys(lab, 'from-menu', ['keep.txt', 'second.txt']);
    }).toPass();
  },
);
