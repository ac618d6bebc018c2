import { expect } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { goTo, labBucket, rowOf, test } from '../support/window.ts';

test('F2 renames several objects by a pattern, with a preview, and one undo takes it back', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'pattern', ['IMG_1.jpg', 'IMG_2.jpg', 'notes.txt']);
  await goTo(win, 'Lab', 'pattern');
  await rowOf(win, 'IMG_1.jpg').click();
  await win.keyboard.press('Shift+ArrowDown');
  await win.keyboard.press('F2');
  const dialog = win.getByRole('dialog', { name: 'Rename 2 objects' });
  await dialog.getByRole('textbox', { name: 'Find in the names' }).fill('IMG_');
  await dialog.getByRole('textbox', { name: 'Replace with' }).fill('trip-');
  const preview = dialog.getByRole('list', { name: 'New names' });
  await expect(preview.getByRole('listitem')).toHaveText([
    /IMG_1\.jpg.*trip-1\.jpg/u,
    /IMG_2\.jpg.*trip-2\.jpg/u,
  ]);
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Find in the names' }).fill('');
  await dialog.getByRole('textbox', { name: 'Replace with' }).fill('same');
  await expect(preview.getByText('Another object gets this name too.').first()).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Rename' })).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Replace with' }).fill('trip-{n}');
  await expect(dialog.getByRole('button', { name: 'Rename' })).toBeEnabled();
  await win.keyboard.press('Enter');
  await expect(rowOf(win, 'trip-1.jpg')).toBeVisible();
  await expect(rowOf(win, 'trip-2.jpg')).toBeVisible();
  await expect(rowOf(win, 'IMG_1.jpg')).toHaveCount(0);
  await win.keyboard.press('Control+z');
  await expect(rowOf(win, 'IMG_1.jpg')).toBeVisible();
  await expect(rowOf(win, 'notes.txt')).toBeVisible();
});

test('Enter right after the last change renames to the names in the preview', async ({ win, lab }) => {
  await labBucket(lab, 'pattern-early', ['IMG_1.jpg', 'IMG_2.jpg']);
  await goTo(win, 'Lab', 'pattern-early');
  await rowOf(win, 'IMG_1.jpg').click();
  await win.keyboard.press('Shift+ArrowDown');
  await win.keyboard.press('F2');
  const dialog = win.getByRole('dialog', { name: 'Rename 2 objects' });
  const replacement = dialog.getByRole('textbox', { name: 'Replace with' });
  await replacement.fill('same');
  const rename = dialog.getByRole('button', { name: 'Rename' });
  await expect(rename).toBeDisabled();
  // Submits in the microtask after the render that enables the button, before the effects of that render.
  await rename.evaluate((button: HTMLButtonElement) => {
    new MutationObserver((_, observer) => {
      if (button.disabled) return;
      observer.disconnect();
      button.form?.requestSubmit();
    }).observe(button, { attributes: true });
  });
  await replacement.fill('trip-{n}');
  await expect(rowOf(win, 'trip-1.jpg')).toBeVisible();
  await expect(rowOf(win, 'trip-2.jpg')).toBeVisible();
});

test('a regular expression that backtracks without end is refused, and the window stays usable', async ({
  win,
  lab,
}) => {
  const name = `${'a'.repeat(60)}!.txt`;
  await labBucket(lab, 'pattern-slow', [name, 'aa.txt']);
  await goTo(win, 'Lab', 'pattern-slow');
  await rowOf(win, 'aa.txt').click();
  await win.keyboard.press('Control+a');
  await win.keyboard.press('F2');
  const dialog = win.getByRole('dialog', { name: 'Rename 2 objects' });
  await dialog.getByRole('checkbox', { name: 'Regular expression' }).check();
  const find = dialog.getByRole('textbox', { name: 'Find in the names' });
  await find.fill('^(a+)+$');
  await expect(dialog.getByText('This expression takes too long on these names.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Rename' })).toBeDisabled();
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);

  await find.fill('^a+');
  await dialog.getByRole('textbox', { name: 'Replace with' }).fill('b');
  await expect(dialog.getByRole('list', { name: 'New names' }).getByRole('listitem')).toHaveText([
    /aa\.txt→b\.txt/u,
    /!\.txt→b!\.txt/u,
  ]);
  await expect(dialog.getByRole('button', { name: 'Rename' })).toBeEnabled();
});
