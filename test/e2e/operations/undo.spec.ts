import { expect } from '@playwright/test';
import {
  dialogOf,
  expectAccessible,
  expectLabKeys,
  nameField,
  pressInList,
  renameInList,
  selectRows,
} from '../support/operations.ts';
import { goTo, grid, labBucket, rowOf, test } from '../support/window.ts';

test('Ctrl+Z undoes a rename and says so, and Ctrl+Shift+Z redoes it', async ({ win, lab }) => {
  await labBucket(lab, 'undo-rename', ['a.txt', 'b.txt']);
  await goTo(win, 'Lab', 'undo-rename');
  await rowOf(win, 'a.txt').click();
  await renameInList(win, 'a.txt', 'z.txt');
  await expect(rowOf(win, 'z.txt')).toBeVisible();
  // The list shows the new name before the rename is recorded as undoable; the palette reads the record when it opens.
  await expect(async () => {
    // Closes a palette that was opened too early.
    await win.keyboard.press('Escape');
    await win.keyboard.press('Control+k');
    await win.getByPlaceholder('Type a command or the name of a place').fill('undo rename');
    await expect(win.getByRole('option', { name: 'Undo rename of a.txt' })).toBeVisible({ timeout: 2000 });
  }).toPass();
  await win.keyboard.press('Escape');
  await pressInList(win, 'Control+z');
  await expect(rowOf(win, 'a.txt')).toBeVisible();
  await expect(rowOf(win, 'z.txt')).toHaveCount(0);
  await expectLabKeys(lab, 'undo-rename', ['a.txt', 'b.txt']);
  await pressInList(win, 'Control+Shift+z');
  await expect(rowOf(win, 'z.txt')).toBeVisible();
  await expectLabKeys(lab, 'undo-rename', ['b.txt', 'z.txt']);
});

test('Ctrl+Z in a field undoes only typing', async ({ win, lab }) => {
  await labBucket(lab, 'undo-field', ['a.txt']);
  await goTo(win, 'Lab', 'undo-field');
  await rowOf(win, 'a.txt').click();
  await renameInList(win, 'a.txt', 'z.txt');
  await expect(rowOf(win, 'z.txt')).toBeVisible();
  await win.keyboard.press('Control+f');
  await win.keyboard.type('z');
  await win.keyboard.press('Control+z');
  await win.keyboard.press('Escape');
  await expect(rowOf(win, 'z.txt')).toBeVisible();
  await expectLabKeys(lab, 'undo-field', ['z.txt']);
});

test('a rename that is answered late leaves focus in the field that the user opened meanwhile', async ({
  page,
  cooper,
  lab,
}) => {
  await labBucket(lab, 'undo-late', ['a.txt', 'b.txt']);
  let isHeld = false;
  let release: (() => void)[] = [];
  await page.routeWebSocket(/./u, (socket) => {
    const core = socket.connectToServer();
    socket.onMessage((message) => core.send(message));
    core.onMessage((message) => {
      if (isHeld) release.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await page.goto(await cooper.newAddress());
  await goTo(page, 'Lab', 'undo-late');
  await rowOf(page, 'a.txt').click();
  await pressInList(page, 'F2');
  await nameField(page, 'a.txt').fill('z.txt');
  isHeld = true;
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+f');
  const find = page.getByRole('search').getByRole('textbox');
  await expect(find).toBeFocused();
  isHeld = false;
  for (const send of release) send();
  release = [];
  await expect(nameField(page, 'a.txt')).toHaveCount(0);
  await expect(rowOf(page, 'z.txt')).toBeVisible();
  await expect(find).toBeFocused();
  await page.keyboard.type('z');
  await page.keyboard.press('Control+z');
  await expect(find).toHaveValue('');
  await expectLabKeys(lab, 'undo-late', ['b.txt', 'z.txt']);
});

test('keys typed while the find field is opening edit the field, and neither undo nor delete', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'undo-early', ['a.txt', 'b.txt', 'c.txt']);
  await goTo(win, 'Lab', 'undo-early');
  await rowOf(win, 'a.txt').click();
  await renameInList(win, 'a.txt', 'z.txt');
  await expect(rowOf(win, 'z.txt')).toBeVisible();
  await expect(grid(win)).toBeFocused();
  // Presses all keys in one task, before React has rendered the field.
  await win.evaluate(() => {
    const presses = [
      ['f', true],
      ['z', true],
      ['c', false],
      ['q', false],
      ['Backspace', false],
      ['Delete', false],
      ['ArrowDown', false],
      ['x', true],
    ] as const;
    for (const [key, ctrlKey] of presses)
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }),
      );
  });
  const find = win.getByRole('search').getByRole('textbox');
  await expect(find).toBeFocused();
  await expect(find).toHaveValue('c');
  await expect(win.getByRole('dialog')).toHaveCount(0);
  await expectLabKeys(lab, 'undo-early', ['b.txt', 'c.txt', 'z.txt']);
});

test('undoing a copy asks first, and a deletion without versions is announced as final', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'undo-copy', ['a.txt']);
  await goTo(win, 'Lab', 'undo-copy');
  await selectRows(win, 'a.txt');
  await pressInList(win, 'Control+c');
  await pressInList(win, 'Control+v');
  const duplicate = win.getByRole('dialog');
  await expect(duplicate).toBeVisible();
  await win.keyboard.press('Enter');
  await expect(grid(win).getByRole('row')).toHaveCount(3);
  await pressInList(win, 'Control+z');
  const question = win.getByRole('dialog', { name: /^Undo copy of/ });
  await expect(question).toContainText('The originals stay.');
  await expectAccessible(win);
  // Cancel has focus, because the undo would delete the copies.
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Undo' }).click();
  await expectLabKeys(lab, 'undo-copy', ['a.txt']);
  await expect(grid(win).getByRole('row')).toHaveCount(2);
  // A redo deletes nothing, so there is no question.
  await pressInList(win, 'Control+Shift+z');
  await expectLabKeys(lab, 'undo-copy', ['a copy.txt', 'a.txt']);
  await expect(grid(win).getByRole('row')).toHaveCount(3);
  await pressInList(win, 'Control+z');
  await question.getByRole('button', { name: 'Undo' }).click();
  await expectLabKeys(lab, 'undo-copy', ['a.txt']);
  await selectRows(win, 'a.txt');
  await pressInList(win, 'Delete');
  const dialog = dialogOf(win, 'Delete a.txt?');
  await expect(dialog).toContainText('Versions are not kept here, so this cannot be undone.');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expectLabKeys(lab, 'undo-copy', []);
  await expect(win.getByText('This bucket is empty')).toBeVisible();
  await win.keyboard.press('Control+z');
  await expect(win.getByText('Cannot be undone')).toBeVisible();
});

test('Ctrl+Z undoes a move, a new folder and a change of properties', async ({ win, lab }) => {
  await labBucket(lab, 'undo-kinds', ['a.txt', 'sub/b.txt']);
  await goTo(win, 'Lab', 'undo-kinds');
  await rowOf(win, 'a.txt').dragTo(rowOf(win, 'sub'));
  await expectLabKeys(lab, 'undo-kinds', ['sub/a.txt', 'sub/b.txt']);
  await expect(rowOf(win, 'a.txt')).toHaveCount(0);
  await pressInList(win, 'Control+z');
  await expectLabKeys(lab, 'undo-kinds', ['a.txt', 'sub/b.txt']);
  await expect(rowOf(win, 'a.txt')).toBeVisible();

  await pressInList(win, 'Alt+Shift+n');
  await dialogOf(win, 'New folder').getByRole('textbox').fill('made');
  await win.keyboard.press('Enter');
  await expect(rowOf(win, 'made')).toBeVisible();
  await pressInList(win, 'Control+z');
  await expect(rowOf(win, 'made')).toHaveCount(0);
  await expectLabKeys(lab, 'undo-kinds', ['a.txt', 'sub/b.txt']);
  await pressInList(win, 'Control+Shift+z');
  await expect(rowOf(win, 'made')).toBeVisible();
  await expectLabKeys(lab, 'undo-kinds', ['a.txt', 'made/', 'sub/b.txt']);
  await pressInList(win, 'Control+z');
  await expectLabKeys(lab, 'undo-kinds', ['a.txt', 'sub/b.txt']);

  const typeOf = (): string | undefined =>
    lab.store.object(lab.store.buckets.get('undo-kinds')?.id ?? -1, 'a.txt')?.attributes.headers[
      'content-type'
    ];
  const before = typeOf();
  await rowOf(win, 'a.txt').click();
  await pressInList(win, 'Alt+Enter');
  const properties = dialogOf(win, 'Properties of a.txt');
  await properties.getByRole('textbox', { name: 'Content type' }).fill('text/x-other');
  await properties.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(properties).toBeHidden();
  await expect.poll(typeOf).toBe('text/x-other');
  await pressInList(win, 'Control+z');
  await expect.poll(typeOf).toBe(before ?? 'binary/octet-stream');
});

test('a deletion in a versioned bucket is announced as undoable, and Ctrl+Z restores the object', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'undo-versions', []);
  const id = lab.store.buckets.get('undo-versions')?.id ?? -1;
  lab.store.setVersioning(id, 'Enabled');
  for (const key of ['a.txt', 'b.txt'])
    await lab.store.putBytes(id, key, Buffer.from(key), { modifiedMs: 1e12 });
  await goTo(win, 'Lab', 'undo-versions');
  await selectRows(win, 'a.txt');
  await pressInList(win, 'Delete');
  const dialog = dialogOf(win, 'Delete a.txt?');
  await expect(dialog).toContainText('You can undo this: the versions stay.');
  await dialog
    .getByRole('button', { name: /^(?:Delete|Add)/ })
    .last()
    .click();
  await expectLabKeys(lab, 'undo-versions', ['b.txt']);
  await expect(rowOf(win, 'a.txt')).toHaveCount(0);
  await pressInList(win, 'Control+z');
  await expectLabKeys(lab, 'undo-versions', ['a.txt', 'b.txt']);
  await expect(rowOf(win, 'a.txt')).toBeVisible();
});
