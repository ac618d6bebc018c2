import { expect, type Page } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { gallery, showGallery, tile } from '../support/gallery.ts';
import {
  dialogOf,
  expectAccessible,
  expectJob,
  expectLabKeys,
  labKeysOf,
  nameField,
  pressInList,
  renameInList,
} from '../support/operations.ts';
import { crumb, goTo, grid, labBucket, numbered, rowOf, selected, test } from '../support/window.ts';

const selectedText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const field = document.activeElement;
    if (!(field instanceof HTMLInputElement)) return 'no field has the focus';
    return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
  });

test('F2 edits a name in the list, with the name selected and the extension kept, and Enter renames', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'renames', ['docs/old name.tar.txt', 'docs/other.txt']);
  await goTo(win, 'Lab', 'renames/docs/');
  await rowOf(win, 'old name.tar.txt').click();
  await pressInList(win, 'F2');
  const name = nameField(win, 'old name.tar.txt');
  await expect(name).toBeFocused();
  expect(await selectedText(win)).toBe('old name.tar');
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  await name.fill('other.txt');
  await expect(name).toHaveAccessibleDescription('An object with this name already exists here.');
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  // Return does nothing while the name is invalid.
  await name.press('Enter');
  await name.fill('a/b.txt');
  await expect(name).toHaveAccessibleDescription(/^A name cannot contain a slash\./u);
  await name.fill('');
  await expect(name).toHaveAccessibleDescription('Type a name.');
  await name.fill('new name.txt');
  await name.press('Enter');
  await expect(name).toBeHidden();
  await expect(selected(win)).toContainText('new name.txt');
  await expect(rowOf(win, 'old name.tar.txt')).toHaveCount(0);
  await expect(grid(win)).toBeFocused();
  await expectLabKeys(lab, 'renames', ['docs/new name.txt', 'docs/other.txt']);
});

test('Escape in the name field of a row restores the name and returns to the list', async ({ win, lab }) => {
  await labBucket(lab, 'rename-escape', ['a.txt', 'b.txt']);
  await goTo(win, 'Lab', 'rename-escape');
  await rowOf(win, 'b.txt').click();
  await pressInList(win, 'F2');
  await nameField(win, 'b.txt').fill('c.txt');
  await win.keyboard.press('Escape');
  await expect(nameField(win, 'b.txt')).toBeHidden();
  await expect(grid(win)).toBeFocused();
  await expect(selected(win)).toContainText('b.txt');
  // An unchanged name sends no request either.
  await win.keyboard.press('F2');
  await expect(nameField(win, 'b.txt')).toHaveValue('b.txt');
  await win.keyboard.press('Enter');
  await expect(grid(win)).toBeFocused();
  expect(labKeysOf(lab, 'rename-escape')).toEqual(['a.txt', 'b.txt']);
});

test('a click elsewhere keeps the name typed into a row, and says why a name that is taken is not kept', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'rename-blur', ['a.txt', 'b.txt', 'z.txt']);
  await goTo(win, 'Lab', 'rename-blur');
  await rowOf(win, 'a.txt').click();
  await pressInList(win, 'F2');
  await nameField(win, 'a.txt').fill('b.txt');
  await rowOf(win, 'z.txt').click();
  await expect(win.getByRole('alert').filter({ hasText: 'a.txt keeps its name' })).toContainText(
    'An object with this name already exists here.',
  );
  await rowOf(win, 'a.txt').click();
  await pressInList(win, 'F2');
  await nameField(win, 'a.txt').fill('c.txt');
  await rowOf(win, 'z.txt').click();
  await expect(rowOf(win, 'c.txt')).toBeVisible();
  await expectLabKeys(lab, 'rename-blur', ['b.txt', 'c.txt', 'z.txt']);
});

test('clicks and double clicks in the name field of a row select text and open nothing', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'rename-mouse', ['first second.txt', 'other.txt']);
  await goTo(win, 'Lab', 'rename-mouse');
  await rowOf(win, 'first second.txt').click();
  await pressInList(win, 'F2');
  const name = nameField(win, 'first second.txt');
  await name.dblclick({ position: { x: 12, y: 12 } });
  expect(await selectedText(win)).toBe('first');
  await expect(win.getByRole('dialog')).toHaveCount(0);
  await win.keyboard.press('Space');
  await expect(name).toHaveValue('  second.txt');
  await name.click({ button: 'right' });
  await expect(win.getByRole('menu')).toHaveCount(0);
});

test('a name typed into a row survives scrolling it out of sight and a refresh', async ({ win, lab }) => {
  await labBucket(lab, 'rename-scroll', numbered(600));
  await goTo(win, 'Lab', 'rename-scroll');
  await rowOf(win, '0002.txt').click();
  await pressInList(win, 'F2');
  await nameField(win, '0002.txt').fill('0002 typed.txt');
  await grid(win).evaluate((list) => {
    list.scrollTop = 9000;
  });
  await expect(nameField(win, '0002.txt')).toBeHidden();
  await expect(rowOf(win, '0300.txt')).toBeVisible();
  // Typing a character scrolls the field into view and enters the character.
  await win.keyboard.press('!');
  await expect(nameField(win, '0002.txt')).toHaveValue('0002 typed.txt!');
  await expect(nameField(win, '0002.txt')).toBeFocused();
  // Another client adds an object, and the folder is listed again.
  const bucket = lab.store.buckets.get('rename-scroll');
  await lab.store.putBytes(bucket?.id ?? -1, '0000 new.txt', Buffer.from('x'), { modifiedMs: 2e12 });
  await win.keyboard.press('F5');
  await expect(rowOf(win, '0000 new.txt')).toBeVisible();
  await expect(nameField(win, '0002.txt')).toHaveValue('0002 typed.txt!');
  await expect(nameField(win, '0002.txt')).toBeFocused();
  await win.keyboard.press('Escape');
  await expect(grid(win)).toBeFocused();
});

test('the name field closes when another client deletes its object', async ({ win, lab }) => {
  await labBucket(lab, 'rename-gone', ['a.txt', 'b.txt']);
  await goTo(win, 'Lab', 'rename-gone');
  await rowOf(win, 'b.txt').click();
  await pressInList(win, 'F2');
  await nameField(win, 'b.txt').fill('c.txt');
  lab.store.deleteObject(lab.store.buckets.get('rename-gone')?.id ?? -1, 'b.txt');
  await win.keyboard.press('F5');
  await expect(rowOf(win, 'a.txt')).toBeVisible();
  await expect(win.getByRole('textbox', { name: /^New name of/u })).toHaveCount(0);
});

test('the name field of a row keeps a line break in a name', async ({ win, lab }) => {
  await labBucket(lab, 'breaks', ['two\nlines.txt']);
  await goTo(win, 'Lab', 'breaks');
  await rowOf(win, 'two␊lines.txt').click();
  await pressInList(win, 'F2');
  const name = nameField(win, 'two␊lines.txt');
  await expect(name).toHaveValue('two␊lines.txt');
  await expect(name).toHaveAccessibleDescription(/Here ␊ and ␍ stand for them\./u);
  await name.press('End');
  await name.pressSequentially('.old');
  await name.press('Enter');
  await expect(name).toBeHidden();
  await expectLabKeys(lab, 'breaks', ['two\nlines.txt.old']);
});

test('renaming a folder in the list says how much it copies before it does it', async ({ win, lab }) => {
  const keys = Array.from({ length: 12 }, (_, at) => `trip/day/${String(at).padStart(2, '0')}.jpg`);
  await labBucket(lab, 'folder-renames', [...keys, 'trip/cover.jpg', 'zz.txt']);
  await goTo(win, 'Lab', 'folder-renames');
  await rowOf(win, 'trip').click();
  await renameInList(win, 'trip', 'journey');
  const dialog = dialogOf(win, 'Rename trip');
  await expect(dialog).toContainText('13 objects');
  await expect(dialog).toContainText('S3 has no renaming');
  await expect(dialog.getByLabel('New name')).toHaveValue('journey');
  expect(labKeysOf(lab, 'folder-renames')).toHaveLength(14);
  await expectAccessible(win);
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expectJob(win, 'Done. Renamed 13 objects');
  await expect(selected(win)).toContainText('journey');
  await expectLabKeys(lab, 'folder-renames', [
    'journey/cover.jpg',
    ...keys.map((key) => key.replace('trip/', 'journey/')),
    'zz.txt',
  ]);
});

test('the menu and the palette edit the name in the list, and keys typed meanwhile go into the field', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'rename-ways', ['a.txt', 'b.txt']);
  await goTo(win, 'Lab', 'rename-ways');
  await rowOf(win, 'a.txt').click({ button: 'right' });
  await win.getByRole('menuitem', { name: 'Rename' }).click();
  await expect(nameField(win, 'a.txt')).toBeFocused();
  await win.keyboard.press('Escape');
  await expect(grid(win)).toBeFocused();
  await win.keyboard.press('Control+k');
  await win.getByPlaceholder('Type a command or the name of a place').fill('rename the sel');
  await win.keyboard.press('Enter');
  await expect(nameField(win, 'a.txt')).toBeFocused();
  await win.keyboard.press('Escape');
  await expect(grid(win)).toBeFocused();
  await win.keyboard.press('F2');
  await win.keyboard.type('quick');
  await win.keyboard.press('Enter');
  await expectLabKeys(lab, 'rename-ways', ['b.txt', 'quick.txt']);
});

test('F2 edits a name in the gallery', async ({ win, lab }) => {
  await labBucket(lab, 'rename-gallery', ['a.txt', 'b.txt']);
  await goTo(win, 'Lab', 'rename-gallery');
  await expect(rowOf(win, 'a.txt')).toBeVisible();
  await showGallery(win);
  await tile(win, 'b.txt').click();
  await win.keyboard.press('F2');
  await expect(nameField(win, 'b.txt')).toBeFocused();
  expect(await selectedText(win)).toBe('b');
  // The field is over the name of its tile.
  const [field, under] = [
    await nameField(win, 'b.txt').boundingBox(),
    await tile(win, 'b.txt').boundingBox(),
  ];
  if (field === null || under === null) throw new Error('The field or its tile has no place.');
  expect(field.x).toBeGreaterThanOrEqual(under.x);
  expect(field.x + field.width).toBeLessThanOrEqual(under.x + under.width);
  expect(field.y).toBeGreaterThan(under.y + under.height / 2);
  expect(field.y + field.height).toBeLessThanOrEqual(under.y + under.height);
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  await win.keyboard.type('c');
  await win.keyboard.press('Enter');
  await expect(tile(win, 'c.txt')).toBeVisible();
  await expect(gallery(win)).toBeFocused();
  await expectLabKeys(lab, 'rename-gallery', ['a.txt', 'c.txt']);
  await expect(crumb(win)).toHaveText('rename-gallery');
});
