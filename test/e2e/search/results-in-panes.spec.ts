import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { leaveOnePlace, list, pane, row } from '../support/panes.ts';
import { results, searchFor } from '../support/search.ts';
import { home, testAtHome } from '../support/test-at-home.ts';
import { goTo, labBucket } from '../support/window.ts';

testAtHome(
  'search results are dragged to a folder of this computer, whose pane can then be closed',
  async ({ win, lab }) => {
    await labBucket(lab, 'found-to-disk', ['deep/needle-1.txt', 'needle-2.txt', 'other.txt']);
    const folder = path.join(home, 'found files');
    mkdirSync(folder, { recursive: true });
    await goTo(win, 'Lab', 'found-to-disk');
    await win.keyboard.press('Control+Backslash');
    const [left, right] = [pane(win, 'Left'), pane(win, 'Right')];
    await expect(list(right)).toBeFocused();
    await win.getByRole('button', { name: 'Home', exact: true }).click();
    await row(right, 'found files').dblclick();
    await expect(right.getByText('This folder is empty.')).toBeVisible();
    await list(left).focus();
    await searchFor(win, 'needle');
    await results(win).getByText('needle-1.txt').click();
    await results(win).getByText('needle-1.txt').dragTo(right.getByText('This folder is empty.'));
    // Results keep their folders below the searched one.
    await expect.poll(() => readdirSync(folder)).toEqual(['deep']);
    await right.getByRole('button', { name: 'Close this pane' }).click();
    await expect(right).toBeHidden();
    await expect(results(win).getByText('needle-1.txt')).toBeVisible();
    await leaveOnePlace(win);
  },
);

testAtHome(
  'a click into the other pane reaches its target while a quick look is open in the active one',
  async ({ win, lab }) => {
    await labBucket(lab, 'look-and-close', ['a.txt']);
    await goTo(win, 'Lab', 'look-and-close');
    await win.keyboard.press('Control+Backslash');
    const [left, right] = [pane(win, 'Left'), pane(win, 'Right')];
    await row(left, 'a.txt').click();
    await win.keyboard.press('Space');
    await expect(win.getByRole('region', { name: 'Look at a.txt' })).toBeVisible();
    await right.getByRole('button', { name: 'Close this pane' }).click();
    await expect(right).toBeHidden();
    await leaveOnePlace(win);
  },
);
