import { expect, type Page } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { crumb, goTo, labBucket, openConnection, rowOf, test } from '../support/window.ts';

const address = (page: Page) => page.getByRole('textbox', { name: /^Address/ });
const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Continue with' });

test('Tab completes the bucket and each folder of an address, with one request for each level', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'complete-me', ['reports/2026/june/a.txt', 'reports/2026/july/b.txt', 'other/c.txt']);
  await win.reload();
  await openConnection(win, 'Lab');
  const before = lab.faults.count('ListObjectsV2');
  await win.keyboard.press('Control+l');
  await win.keyboard.type('comp');
  await expect(suggestions(win).getByRole('option')).toHaveText(/^complete-me/u);
  await win.keyboard.press('Tab');
  await expect(address(win)).toHaveValue('complete-me/');
  await win.keyboard.type('rep');
  await expect(suggestions(win).getByRole('option')).toHaveText(/^reports/u);
  await win.keyboard.press('Tab');
  await expect(suggestions(win).getByRole('option')).toHaveText(/^2026/u);
  await win.keyboard.press('Tab');
  await expect(suggestions(win).getByRole('option')).toHaveCount(2);
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  await win.keyboard.press('ArrowDown');
  await win.keyboard.press('ArrowDown');
  await win.keyboard.press('Enter');
  await expect(address(win)).toHaveValue('complete-me/reports/2026/june/');
  expect(lab.faults.count('ListObjectsV2') - before).toBeLessThanOrEqual(4);
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('june');
});

test('an address can be completed through another connection', async ({ win, lab }) => {
  await labBucket(lab, 'other-side', ['a.txt']);
  await win.reload();
  await goTo(win, 'Sample buckets', 'documents');
  await win.keyboard.press('Control+l');
  await address(win).fill('La');
  await expect(suggestions(win).getByRole('option', { name: 'Lab' })).toBeVisible();
  await win.keyboard.press('Tab');
  await expect(address(win)).toHaveValue('');
  await win.keyboard.type('other-s');
  await win.keyboard.press('Tab');
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('other-side');
});

test('Enter opens an address as typed, and Escape leaves the field, whatever is suggested', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'as-typed', ['report/a.txt', 'reports/b.txt']);
  await goTo(win, 'Lab', 'as-typed');
  await win.keyboard.press('Control+l');
  await address(win).fill('as-typed/report');
  await expect(suggestions(win).getByRole('option')).toHaveCount(2);
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('report');
  await win.keyboard.press('Control+l');
  await address(win).fill('as-typed/re');
  await expect(suggestions(win)).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(address(win)).toBeHidden();
  await expect(suggestions(win)).toBeHidden();
});

test('an address that is pasted and opened at once is listed once', async ({ win, lab }) => {
  await labBucket(lab, 'paste-once', ['deep/er/a.txt', 'deep/er/still/b.txt']);
  await win.reload();
  // Loads the list of completions first.
  await openConnection(win, 'Lab');
  await win.keyboard.press('Control+l');
  await win.keyboard.type('paste');
  await expect(suggestions(win)).toBeVisible();
  await win.keyboard.press('Escape');
  const before = lab.faults.count('ListObjectsV2');
  await goTo(win, 'Lab', 'paste-once/deep/er/');
  await expect(crumb(win)).toHaveText('er');
  await expect(rowOf(win, 'a.txt')).toBeVisible();
  expect(lab.faults.count('ListObjectsV2') - before).toBe(1);
});
