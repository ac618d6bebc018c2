import { expect } from '@playwright/test';
import {
  dialogOf,
  expectAccessible,
  expectJob,
  expectLabKeys,
  labKeysOf,
  pressInList,
  selectRows,
} from '../support/operations.ts';
import {
  crumb,
  goTo,
  grid,
  labBucket,
  numbered,
  rowOf,
  selected,
  sidebarRow,
  test,
} from '../support/window.ts';

test('rows dragged onto a folder are moved, and onto a bucket of the sidebar copied', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'drag-from', ['a.txt', 'b.txt', 'box/in.txt', 'c.txt']);
  await labBucket(lab, 'drag-to', ['kept.txt']);
  await win.reload();
  await goTo(win, 'Lab', 'drag-from');
  await selectRows(win, 'a.txt', 'b.txt');
  await rowOf(win, 'a.txt').dragTo(rowOf(win, 'box'));
  await expectJob(win, 'Done. Moved ');
  await expect(rowOf(win, 'a.txt')).toHaveCount(0);
  await expectLabKeys(lab, 'drag-from', ['box/a.txt', 'box/b.txt', 'box/in.txt', 'c.txt']);

  await rowOf(win, 'c.txt').hover();
  await win.mouse.down();
  await sidebarRow(win, 'drag-to').hover();
  await sidebarRow(win, 'drag-to').hover();
  await expect(win.getByText('Copy 1 object to drag-to/')).toBeVisible();
  await win.mouse.up();
  await expect(win.getByText('Copying 1 object to drag-to/')).toBeVisible();
  await expectJob(win, 'Done. Copied ');
  await expectLabKeys(lab, 'drag-to', ['c.txt', 'kept.txt']);
  expect(labKeysOf(lab, 'drag-from')).toContain('c.txt');
});

test('dragging a folder to a breadcrumb moves it only after a confirmation with its size', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'crumbs', ['deep/down/1.txt', 'deep/down/2.txt', 'deep/stays.txt']);
  await goTo(win, 'Lab', 'crumbs/deep/');
  await rowOf(win, 'down').dragTo(win.getByRole('navigation', { name: 'Path' }).getByText('crumbs'));
  const dialog = dialogOf(win, 'Move 1 folder?');
  await expect(dialog).toContainText('From crumbs/deep/ to crumbs/.');
  await expect(dialog).toContainText('2 objects, 30 bytes');
  await expectAccessible(win);
  expect(labKeysOf(lab, 'crumbs')).toContain('deep/down/1.txt');
  await dialog.getByRole('button', { name: 'Move' }).click();
  await expectJob(win, 'Done. Moved ');
  await expect(rowOf(win, 'down')).toHaveCount(0);
  await expectLabKeys(lab, 'crumbs', ['deep/stays.txt', 'down/1.txt', 'down/2.txt']);
});

test('a target folder is chosen by keyboard alone', async ({ win, lab }) => {
  await labBucket(lab, 'choose-from', ['one.txt']);
  await labBucket(lab, 'choose-to', ['alpha/x.txt', 'beta/inner/y.txt']);
  await goTo(win, 'Lab', 'choose-from');
  await expect(grid(win)).toBeFocused();
  await win.keyboard.press('Home');
  await expect(selected(win)).toContainText('one.txt');
  await win.keyboard.press('Shift+F10');
  await expect(win.getByRole('menuitem', { name: 'Copy to…' })).toBeVisible();
  await expect(async () => {
    await win.keyboard.press('ArrowDown');
    await expect(win.getByRole('menuitem', { name: 'Copy to…' })).toBeFocused({ timeout: 200 });
  }).toPass({ intervals: [0], timeout: 20_000 });
  await win.keyboard.press('Enter');
  const dialog = dialogOf(win, 'Copy 1 object to…');
  const list = dialog.getByRole('grid', { name: 'Folders' });
  await expect(list).toBeFocused();
  await win.keyboard.press('Backspace');
  await expect(dialog.getByRole('row', { name: 'choose-to' })).toBeVisible();
  await expectAccessible(win);
  await win.keyboard.type('choose-t');
  await win.keyboard.press('Enter');
  await expect(dialog.getByRole('row', { name: 'beta' })).toBeVisible();
  await expect(list).toBeFocused();
  await win.keyboard.type('b');
  await win.keyboard.press('Enter');
  await expect(dialog).toContainText('To choose-to/beta/');
  const go = dialog.getByRole('button', { name: 'Copy here' });
  await expect(async () => {
    await win.keyboard.press('Tab');
    await expect(go).toBeFocused({ timeout: 200 });
  }).toPass({ intervals: [0], timeout: 20_000 });
  await win.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(grid(win)).toBeFocused();
  await expectJob(win, 'Done. Copied ');
  await expectLabKeys(lab, 'choose-to', ['alpha/x.txt', 'beta/inner/y.txt', 'beta/one.txt']);
});

test('deleting a prefix shows its count, and more than a thousand objects need a typed word', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'deletions', [...numbered(1001, 'logs/2024/'), 'logs/last.txt', 'stays.txt']);
  await goTo(win, 'Lab', 'deletions');
  await rowOf(win, 'logs').click();
  await pressInList(win, 'Delete');
  const dialog = dialogOf(win, 'Delete the folder logs?');
  await expect(dialog).toContainText('1,002 objects', { timeout: 20_000 });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
  await expect(confirm).toBeDisabled();
  await expectAccessible(win);
  await dialog.getByLabel('To delete this many, type delete').fill('delete');
  await confirm.click();
  await expectJob(win, 'Done. Deleted ');
  await expect(rowOf(win, 'logs')).toHaveCount(0);
  await expectLabKeys(lab, 'deletions', ['stays.txt']);
  await expect(crumb(win)).toHaveText('deletions');
});

test('the path stays visible in a narrow window', async ({ win, lab }) => {
  await labBucket(lab, 'narrow', ['x.txt']);
  await goTo(win, 'Lab', 'narrow');
  await expect(rowOf(win, 'x.txt')).toBeVisible();
  await win.setViewportSize({ width: 480, height: 760 });
  const path = win.getByRole('navigation', { name: 'Path' });
  await expect(path).toBeVisible();
  expect((await path.boundingBox())?.width).toBeGreaterThan(100);
  await win.keyboard.press('Control+k');
  await expect(win.getByPlaceholder('Type a command or the name of a place')).toBeFocused();
  await win.keyboard.type('New folder');
  await win.keyboard.press('Enter');
  await expect(dialogOf(win, 'New folder')).toBeVisible();
});
