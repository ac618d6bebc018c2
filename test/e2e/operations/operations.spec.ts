import { expect } from '@playwright/test';
import {
  dialogOf,
  expectAccessible,
  expectJob,
  expectLabKeys,
  labKeysOf,
  pressInList,
  renameInList,
  selectRows,
} from '../support/operations.ts';
import { hideTransfers, panel } from '../support/uploads.ts';
import {
  focusedRow,
  goTo,
  grid,
  labBucket,
  rowOf,
  selected,
  sidebarRow,
  test,
  typeAddress,
} from '../support/window.ts';

test('a new folder is checked while typing, created once, and selected', async ({ win, lab }) => {
  await labBucket(lab, 'new-folders', ['a.txt', 'there/x.txt', 'z.txt']);
  await goTo(win, 'Lab', 'new-folders');
  await expect(rowOf(win, 'z.txt')).toBeVisible();
  await pressInList(win, 'Alt+Shift+N');
  const dialog = dialogOf(win, 'New folder');
  const name = dialog.getByLabel('Name');
  const create = dialog.getByRole('button', { name: 'Create' });
  await expect(name).toBeFocused();
  await expect(create).toBeDisabled();
  await name.fill('there');
  await expect(dialog).toContainText('A folder with this name already exists here.');
  await expect(create).toBeDisabled();
  await expectAccessible(win);
  await name.fill('a//b');
  await expect(dialog).toContainText('a folder without a name');
  await name.fill('é'.repeat(512));
  await expect(dialog).toContainText('can have 1,023 bytes, and this one has 1,024');
  await name.fill('summer/2024/');
  await expect(dialog).toContainText('Creates 2 nested folders: summer / 2024');
  await name.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(selected(win)).toHaveCount(1);
  await expect(selected(win)).toContainText('summer');
  await expect(grid(win)).toBeFocused();
  await expectLabKeys(lab, 'new-folders', ['a.txt', 'summer/2024/', 'there/x.txt', 'z.txt']);
});

test('a skipped rename says that nothing was renamed, offers no undo and keeps the row', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'renames-skipped', ['old.txt', 'other.txt']);
  await goTo(win, 'Lab', 'renames-skipped');
  await selectRows(win, 'old.txt');
  // Another client takes the name meanwhile; the list does not show it.
  const bucket = lab.store.buckets.get('renames-skipped');
  await lab.store.putBytes(bucket?.id ?? -1, 'taken.txt', Buffer.from('theirs'), { modifiedMs: 2e12 });
  await renameInList(win, 'old.txt', 'taken.txt');
  await dialogOf(win, 'Items already exist').getByRole('button', { name: 'Skip' }).click();
  const refusal = 'Not renamed. An object with this name already exists';
  const notice = win.getByRole('alert').filter({ hasText: refusal });
  await expect(notice).toBeVisible();
  await expect(notice).not.toContainText('Finished');
  await expect(notice.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expectJob(win, refusal);
  await expect(rowOf(win, 'taken.txt')).toBeVisible();
  await expect(selected(win)).toHaveCount(1);
  await expect(selected(win)).toContainText('old.txt');
  await expectLabKeys(lab, 'renames-skipped', ['old.txt', 'other.txt', 'taken.txt']);
});

test('cut objects are dimmed until Escape or until a paste moves them to another bucket', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'cut-from', ['in/one.txt', 'in/two.txt', 'in/three.txt']);
  await labBucket(lab, 'cut-to', ['kept.txt']);
  await goTo(win, 'Lab', 'cut-from/in/');
  await selectRows(win, 'one.txt', 'two.txt');
  await pressInList(win, 'Control+x');
  const dim = grid(win).locator('[data-dimmed]');
  await expect(dim).toHaveCount(2);
  await pressInList(win, 'Escape');
  await expect(dim).toHaveCount(0);
  await expect(selected(win)).toHaveCount(2);
  await pressInList(win, 'Control+x');
  await expect(dim).toHaveCount(2);
  expect(await win.evaluate(() => navigator.clipboard.readText())).toBe('in/one.txt\nin/two.txt');
  await typeAddress(win, 'cut-to/');
  await expect(rowOf(win, 'kept.txt')).toBeVisible();
  await pressInList(win, 'Control+v');
  await expectJob(win, 'Done. Moved ');
  await expect(rowOf(win, 'two.txt')).toBeVisible();
  await expectLabKeys(lab, 'cut-from', ['in/three.txt']);
  await expectLabKeys(lab, 'cut-to', ['kept.txt', 'one.txt', 'two.txt']);
});

test('what is pasted right after a folder has opened goes into that folder', async ({ win, lab }) => {
  await labBucket(lab, 'paste-early', ['from/one.txt', 'to/kept.txt']);
  await goTo(win, 'Lab', 'paste-early/to/');
  await expect(rowOf(win, 'kept.txt')).toBeVisible();
  await typeAddress(win, 'paste-early/from/');
  await selectRows(win, 'one.txt');
  await pressInList(win, 'Control+c');
  // Pastes in the microtask after the render that shows the other folder, before the effects of that render.
  await win.evaluate(() => {
    new MutationObserver((_, observer) => {
      if (!document.body.textContent.includes('kept.txt')) return;
      observer.disconnect();
      document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true }));
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await typeAddress(win, 'paste-early/to/');
  await expectLabKeys(lab, 'paste-early', ['from/one.txt', 'to/kept.txt', 'to/one.txt']);
});

test('a copy goes to another connection, including folders with all their content', async ({ win, lab }) => {
  await labBucket(lab, 'across', ['set/a/1.txt', 'set/a/2.txt', 'set/b.txt', 'lone.txt']);
  await goTo(win, 'Lab', 'across');
  await selectRows(win, 'set', 'lone.txt');
  await pressInList(win, 'Control+c');
  await goTo(win, 'Sample buckets', 'backups/from-lab/');
  await expect(win.getByText('This folder is empty')).toBeVisible();
  await win.keyboard.press('Control+v');
  await expectJob(win, 'Done. Copied ');
  await expect(rowOf(win, 'lone.txt')).toBeVisible();
  await typeAddress(win, 'backups/from-lab/set/a/');
  await expect(rowOf(win, '2.txt')).toBeVisible();
  await expect.poll(() => labKeysOf(lab, 'across')).toHaveLength(4);
});

test('a paste opens the transfers only when it has to ask, and it asks before overwriting', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'clash-from', ['same.txt']);
  await labBucket(lab, 'clash-to', ['x/other.txt']);
  const target = lab.store.buckets.get('clash-to');
  await lab.store.putBytes(target?.id ?? -1, 'same.txt', Buffer.from('quite another text'), {
    modifiedMs: 2e12,
  });
  await goTo(win, 'Lab', 'clash-from');
  await hideTransfers(win);
  await selectRows(win, 'same.txt');
  await pressInList(win, 'Control+c');
  await typeAddress(win, 'clash-to/x/');
  await expect(rowOf(win, 'other.txt')).toBeVisible();
  await pressInList(win, 'Control+v');
  await expect(rowOf(win, 'same.txt')).toBeVisible({ timeout: 20_000 });
  await expect(panel(win)).toBeHidden();
  await typeAddress(win, 'clash-to');
  await expect(rowOf(win, 'same.txt')).toBeVisible();
  await pressInList(win, 'Control+v');
  await dialogOf(win, 'Items already exist')
    .getByRole('button', { name: 'Keep both' })
    .click({ timeout: 20_000 });
  await expect(rowOf(win, 'same (2).txt')).toBeVisible({ timeout: 20_000 });
  await expectLabKeys(lab, 'clash-to', ['same (2).txt', 'same.txt', 'x/other.txt', 'x/same.txt']);
});

test('a paste into its own folder offers a name for the copy', async ({ win, lab }) => {
  await labBucket(lab, 'twice', ['photo.jpg', 'photo copy.jpg', 'album/1.jpg']);
  await goTo(win, 'Lab', 'twice');
  await rowOf(win, 'photo.jpg').click();
  await pressInList(win, 'Control+c');
  await pressInList(win, 'Control+v');
  const dialog = dialogOf(win, 'Duplicate photo.jpg');
  await expect(dialog.getByLabel('New name')).toHaveValue('photo copy 2.jpg');
  await expectAccessible(win);
  await dialog.getByRole('button', { name: 'Duplicate' }).click();
  await expect(selected(win)).toContainText('photo copy 2.jpg', { timeout: 20_000 });
  await rowOf(win, 'album').click();
  await pressInList(win, 'Control+c');
  await pressInList(win, 'Control+v');
  await win.keyboard.press('Enter');
  await expectJob(win, 'Done. Copied ');
  await expect(rowOf(win, 'album copy')).toBeVisible();
  await expectLabKeys(lab, 'twice', [
    'album copy/1.jpg',
    'album/1.jpg',
    'photo copy 2.jpg',
    'photo copy.jpg',
    'photo.jpg',
  ]);
});

test('a folder cannot be moved into itself', async ({ win, lab }) => {
  await labBucket(lab, 'selfish', ['a/b/c.txt']);
  await goTo(win, 'Lab', 'selfish');
  await rowOf(win, 'a').click();
  await pressInList(win, 'Control+x');
  await typeAddress(win, 'selfish/a/b/');
  await expect(rowOf(win, 'c.txt')).toBeVisible();
  await pressInList(win, 'Control+v');
  await expect(win.getByText('A folder cannot be moved into itself.')).toBeVisible();
  expect(labKeysOf(lab, 'selfish')).toEqual(['a/b/c.txt']);
});

test('focus stays at the position of a deleted row', async ({ win, lab }) => {
  await labBucket(lab, 'focus', ['1.txt', '2.txt', '3.txt', '4.txt']);
  await goTo(win, 'Lab', 'focus');
  await rowOf(win, '2.txt').click();
  await pressInList(win, 'Delete');
  const dialog = dialogOf(win, 'Delete 2.txt?');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(dialog).toContainText('1 object, 5 bytes');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(rowOf(win, '2.txt')).toHaveCount(0, { timeout: 20_000 });
  await expect(focusedRow(win)).toContainText('3.txt');
  await expectLabKeys(lab, 'focus', ['1.txt', '3.txt', '4.txt']);
  await expect(sidebarRow(win, 'Lab')).toBeVisible();
});
