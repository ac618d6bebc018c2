import { expect, type Page } from '@playwright/test';
import { expectLabKeys } from '../support/operations.ts';
import { leaveOnePlace, list, pane, row } from '../support/panes.ts';
import { results, searchFor } from '../support/search.ts';
import { goTo, labBucket, rowOf, test } from '../support/window.ts';

const focusedResult = (page: Page) => results(page).locator('[data-focused="true"]');

/** Runs a command by its name in the palette. */
async function runInPalette(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Type a command or the name of a place').fill(name);
  await expect(page.getByRole('option', { name }).first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
}

test('the keyboard alone finds objects, shows, links, renames and deletes them, and returns to their folder', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-by-keys', [
    'in/deep/needle-1.txt',
    'in/needle-2.txt',
    'in/needle-3.txt',
    'in/x.txt',
  ]);
  await goTo(win, 'Lab', 'found-by-keys/in/');
  await expect(rowOf(win, 'x.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await expect(results(win).getByText('needle-3.txt')).toBeVisible();
  for (
    let press = 0;
    press < 12 && !(await results(win).evaluate((grid) => grid.matches(':focus')));
    press += 1
  )
    await win.keyboard.press('Tab');
  await expect(results(win)).toBeFocused();
  await win.keyboard.press('ArrowDown');
  await expect(focusedResult(win)).toContainText('needle-1.txt');

  await win.keyboard.press('Space');
  const look = win.getByRole('region', { name: 'Look at needle-1.txt' });
  await expect(look).toBeVisible();
  await win.keyboard.press('Space');
  await expect(look).toBeHidden();
  await win.keyboard.press('Enter');
  const preview = win.getByRole('dialog', { name: /needle-1\.txt/u });
  await expect(preview).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await expect(results(win)).toBeFocused();

  const details = win.getByRole('complementary', { name: 'Details' });
  await expect(details.getByRole('heading', { name: 'needle-1.txt' })).toBeVisible();
  await win.keyboard.press('Control+i');
  await expect(details).toBeHidden();
  await win.keyboard.press('Control+i');
  await expect(details).toBeVisible();

  await runInPalette(win, 'Create a link to the selected object…');
  const link = win.getByRole('dialog', { name: /link/iu });
  await expect(link).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(results(win)).toBeFocused();

  await win.keyboard.press('F2');
  await win.keyboard.type('thread');
  await win.keyboard.press('Enter');
  await expectLabKeys(lab, 'found-by-keys', [
    'in/deep/thread.txt',
    'in/needle-2.txt',
    'in/needle-3.txt',
    'in/x.txt',
  ]);
  await expect(focusedResult(win)).toContainText('thread.txt');

  await win.keyboard.press('End');
  await win.keyboard.press('Delete');
  const question = win.getByRole('dialog');
  // A dialog moves focus from its close button once it has content.
  await expect(question.locator(':focus:not(.mantine-Modal-close)')).toHaveCount(1);
  await question.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await expectLabKeys(lab, 'found-by-keys', ['in/deep/thread.txt', 'in/needle-2.txt', 'in/x.txt']);
  await expect(results(win)).toBeFocused();
  // The last row is gone, so the one before it has focus.
  await expect(focusedResult(win)).toContainText('needle-2.txt');

  await win.keyboard.press('Alt+ArrowLeft');
  await expect(rowOf(win, 'x.txt')).toBeVisible();
  await win.keyboard.press('Alt+ArrowRight');
  await expect(results(win).getByText('needle-2.txt')).toBeVisible();
});

test('the palette acts on the selected search results, and offers such commands only with a selection', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'by-palette', ['needle-1.txt', 'needle-2.txt', 'x.txt']);
  await goTo(win, 'Lab', 'by-palette');
  await expect(rowOf(win, 'x.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await expect(results(win).getByText('needle-2.txt')).toBeVisible();
  await win.keyboard.press('Control+k');
  await win.getByPlaceholder('Type a command or the name of a place').fill('Move the selection');
  await expect(win.getByRole('option', { name: /^Move the selection/u })).toBeHidden();
  await win.keyboard.press('Escape');
  await results(win).focus();
  await win.keyboard.press('Control+a');
  await runInPalette(win, 'Move the selection to…');
  await expect(win.getByRole('dialog', { name: 'Move 2 objects to…' })).toBeVisible();
  await win.keyboard.press('Escape');
  await runInPalette(win, 'Settings of this bucket…');
  await expect(win.getByRole('dialog', { name: /by-palette/u })).toBeVisible();
});

test('search results are copied and moved to the other pane by key, also when all of them are selected', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-beside', [
    'in/deep/needle-1.txt',
    'in/needle-2.txt',
    'in/needle-3.txt',
    'in/x.txt',
  ]);
  await labBucket(lab, 'beside-target', ['kept.txt']);
  await goTo(win, 'Lab', 'beside-target');
  await win.keyboard.press('Control+Backslash');
  const [left, right] = [pane(win, 'Left'), pane(win, 'Right')];
  await expect(list(right)).toBeFocused();
  await list(left).focus();
  await win.keyboard.press('Control+l');
  await win.getByRole('textbox', { name: /^Address/ }).fill('found-beside/in/');
  await win.keyboard.press('Enter');
  await expect(row(left, 'x.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await results(win).getByText('needle-1.txt').click();
  await win.keyboard.press('Alt+m');
  await expectLabKeys(lab, 'found-beside', ['in/needle-2.txt', 'in/needle-3.txt', 'in/x.txt']);
  await expect(results(win).getByText('needle-1.txt')).toBeHidden();
  await expect(results(win)).toBeFocused();
  await win.keyboard.press('Control+a');
  await win.keyboard.press('Alt+c');
  await expectLabKeys(lab, 'beside-target', [
    'deep/needle-1.txt',
    'kept.txt',
    'needle-2.txt',
    'needle-3.txt',
  ]);
  await expect(row(right, 'needle-3.txt')).toBeVisible();
  await leaveOnePlace(win);
});
