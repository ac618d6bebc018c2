import { expect, type Locator } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { leaveOnePlace, list, pane, pathOf, row } from '../support/panes.ts';
import { goTo, labBucket, test, typeAddress } from '../support/window.ts';

test('two panes have separate locations, selections, filters and histories, by keyboard alone', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'pair', ['a.txt', 'b.txt', 'sub/c.txt']);
  await goTo(win, 'Lab', 'pair');
  await expect(win.getByRole('grid', { name: /^Contents of/ })).toBeFocused();
  await win.keyboard.press('Control+Backslash');
  const [left, right] = [pane(win, 'Left'), pane(win, 'Right')];
  await expect(list(right)).toBeFocused();
  await typeAddress(win, 'pair/sub/');
  await expect(row(right, 'c.txt')).toBeVisible();
  await expect(pathOf(left)).toHaveText('pair');
  await win.keyboard.press('Alt+Backslash');
  await expect(list(left)).toBeFocused();
  await win.keyboard.press('Control+f');
  await win.keyboard.type('b.t');
  await expect(row(left, 'a.txt')).toBeHidden();
  await expect(row(right, 'c.txt')).toBeVisible();
  await win.keyboard.press('Alt+Backslash');
  await expect(list(right)).toBeFocused();
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(pathOf(right)).toHaveText('pair');
  await expect(row(right, 'a.txt')).toBeVisible();
  expect(await axeFindings(win, '#tab-panel')).toEqual([]);
  await win.reload();
  await expect(row(right, 'a.txt')).toBeVisible();
  await right.getByRole('button', { name: 'Close this pane' }).click();
  await expect(left).toBeHidden();
  await expect(win.getByRole('grid', { name: /^Contents of/ })).toBeFocused();
  await leaveOnePlace(win);
});

test('the selection is copied and moved to the other pane by key and by dragging', async ({ win, lab }) => {
  await labBucket(lab, 'from-here', ['one.txt', 'two.txt', 'three.txt']);
  await labBucket(lab, 'to-there', ['zero.txt']);
  await goTo(win, 'Lab', 'from-here');
  await win.keyboard.press('Control+Backslash');
  const [left, right] = [pane(win, 'Left'), pane(win, 'Right')];
  await expect(list(right)).toBeFocused();
  await typeAddress(win, 'to-there');
  await expect(row(right, 'zero.txt')).toBeVisible();
  await row(left, 'one.txt').click();
  await win.keyboard.press('Alt+c');
  await expect(row(right, 'one.txt')).toBeVisible();
  await expect(row(left, 'one.txt')).toBeVisible();
  await row(left, 'two.txt').click();
  await win.keyboard.press('Alt+m');
  await expect(row(right, 'two.txt')).toBeVisible();
  await expect(row(left, 'two.txt')).toBeHidden();
  await row(left, 'three.txt').dragTo(row(right, 'zero.txt'));
  await expect(row(right, 'three.txt')).toBeVisible();
  await expect(row(left, 'three.txt')).toBeVisible();
  await leaveOnePlace(win);
});

/** Returns the left and right edges of an element, in CSS pixels. */
async function sidesOf(shown: Locator): Promise<{ readonly left: number; readonly right: number }> {
  const box = await shown.boundingBox();
  if (box === null) throw new Error('It is not drawn.');
  return { left: box.x, right: box.x + box.width };
}

test('details belong to the active pane, and are shown next to both lists or over the other pane', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'detailed', ['first.txt', 'second.txt']);
  await win.setViewportSize({ width: 1440, height: 800 });
  await goTo(win, 'Lab', 'detailed');
  const details = win.getByRole('complementary', { name: 'Details' });
  await expect(details).toBeVisible();
  await win.keyboard.press('Control+Backslash');
  const [left, right] = [pane(win, 'Left'), pane(win, 'Right')];
  await row(left, 'first.txt').click();
  await expect(details.getByRole('heading', { name: 'first.txt' })).toBeVisible();
  await row(right, 'second.txt').click();
  await expect(details.getByRole('heading', { name: 'second.txt' })).toBeVisible();
  expect((await sidesOf(details)).left).toBeGreaterThanOrEqual((await sidesOf(list(right))).right);
  // On a page without details, the lists keep their width.
  const width = (await list(left).boundingBox())?.width;
  await win.keyboard.press('Alt+ArrowUp');
  await expect(right.getByRole('heading', { name: 'Lab', exact: true })).toBeVisible();
  await expect(win.getByText('No details for what the active pane shows.')).toBeVisible();
  expect((await list(left).boundingBox())?.width).toBe(width);
  expect(await axeFindings(win, '#tab-panel')).toEqual([]);
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(list(right)).toBeFocused();

  // Without room at the side, the details cover a list only on request.
  await win.setViewportSize({ width: 800, height: 800 });
  await expect(details).toBeHidden();
  await row(left, 'first.txt').click();
  await win.keyboard.press('Control+i');
  await expect(details.getByRole('heading', { name: 'first.txt' })).toBeVisible();
  expect((await sidesOf(details)).left).toBeGreaterThanOrEqual((await sidesOf(list(left))).right);
  expect(await axeFindings(win, '#tab-panel')).toEqual([]);
  await win.keyboard.press('ArrowDown');
  await expect(details.getByRole('heading', { name: 'second.txt' })).toBeVisible();
  await details.focus();
  await win.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await expect(list(left)).toBeFocused();
  await win.keyboard.press('Control+i');
  await win.getByRole('tabpanel').getByRole('button', { name: 'Hide details' }).click();
  await expect(details).toBeHidden();
  await expect(list(left)).toBeFocused();
  // The details close with the pane for which they were opened.
  await win.keyboard.press('Control+i');
  await expect(details).toBeVisible();
  await win.keyboard.press('Alt+Backslash');
  await expect(list(right)).toBeFocused();
  await expect(details).toBeHidden();
  await win.setViewportSize({ width: 1280, height: 800 });
  await leaveOnePlace(win);
});
