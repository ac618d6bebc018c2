import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import type { Service } from '../../support/lab-service/server.ts';
import { smallObject } from '../../../electron/service/store/blobs.ts';
import { fillConnection, removeConnection } from '../support/forms.ts';
import { nameField, results, searchFor } from '../support/search.ts';
import {
  crumb,
  focusedRow,
  goTo,
  grid,
  labBucket,
  labKeys,
  numbered,
  rowOf,
  test,
} from '../support/window.ts';

test.afterEach(({ lab }) => {
  lab.faults.clear();
});

const rows = (page: Page): Locator =>
  results(page)
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
const action = (page: Page, name: string): Locator =>
  page.getByRole('toolbar', { name: 'Actions for the results' }).getByRole('button', { name, exact: true });

function many(lab: Service, name: string, count: number): void {
  const bucket = lab.store.buckets.create(name, Date.now());
  if (bucket === null) throw new Error(`The bucket ${name} already exists.`);
  lab.store.putObjects(
    bucket.id,
    numbered(count, 'deep/').map((key) => [key, smallObject(Buffer.from(key), { modifiedMs: 1e12 })]),
  );
}

test('a pattern typed in "Contains" is offered as a pattern', async ({ win, lab }) => {
  await labBucket(lab, 'find-pattern', ['a.png', 'b.png', 'c.txt']);
  await goTo(win, 'Lab', 'find-pattern');
  await expect(grid(win)).toBeFocused();
  await searchFor(win, '*.png');
  await expect(win.getByText('“Contains” treats * and ? as ordinary characters.')).toBeVisible();
  await win.getByRole('button', { name: 'Use as a pattern' }).click();
  await nameField(win).press('Enter');
  await expect(win.getByText('2 found in 3 keys')).toBeVisible();
});

test('matches at any depth are shown with their folder and lead to it', async ({ win, lab }) => {
  const keys = ['a/cat.jpg', 'a/b/c/Cat 2.JPG', 'a/b/dog.jpg', 'z/cat.txt', 'other/cat.jpg'];
  await labBucket(lab, 'find-deep', keys);
  await goTo(win, 'Lab', 'find-deep/a/');
  await expect(grid(win)).toBeFocused();
  await searchFor(win, 'cat');
  await expect(win.getByText('2 found in 3 keys')).toBeVisible();
  await expect(rows(win)).toHaveCount(2);
  await expect(rows(win).first()).toContainText('Cat 2.JPG');
  await expect(rows(win).first()).toContainText('b/c/');
  await expect(win.getByRole('tab', { selected: true })).toHaveText('cat');

  await rows(win).first().click();
  await win.keyboard.press('Enter');
  await expect(win.getByRole('dialog')).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(win.getByRole('dialog')).toBeHidden();
  await expect(results(win)).toBeFocused();
  await win.keyboard.press('Control+Enter');
  await expect(crumb(win)).toHaveText('c');
  await expect(focusedRow(win)).toContainText('Cat 2.JPG');
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(win.getByText('2 found in 3 keys')).toBeVisible();
  await win.reload();
  await expect(rows(win)).toHaveCount(2);
  await expect(nameField(win)).toHaveValue('cat');
  await win.getByRole('button', { name: 'Search the whole bucket' }).click();
  await expect(win.getByRole('heading', { name: 'Search in all of find-deep' })).toBeVisible();
  await expect(nameField(win)).toHaveValue('cat');
  await nameField(win).press('Enter');
  await expect(win.getByText('4 found in 5 keys')).toBeVisible();
});

test('glob, regular expression, size and time narrow a search, and invalid input is marked', async ({
  win,
  lab,
}) => {
  const bucket = lab.store.buckets.create('find-conditions', Date.now());
  const made = [
    ['x/small.log', 10, Date.now()],
    ['x/large.log', 5000, Date.now()],
    ['x/old.log', 5000, Date.UTC(2020, 0, 1)],
    ['x/y/large.txt', 5000, Date.now()],
  ] as const;
  for (const [key, size, modifiedMs] of made)
    await lab.store.putBytes(bucket?.id ?? 0, key, Buffer.alloc(size, 'a'), { modifiedMs });
  await goTo(win, 'Lab', 'find-conditions/x/');
  await expect(grid(win)).toBeFocused();
  await searchFor(win, '(', 'regex');
  await expect(win.getByText(/Invalid regular expression/)).toBeVisible();
  await expect(nameField(win)).toHaveAttribute('aria-invalid', 'true');
  await nameField(win).fill('^l.*\\.(log|txt)$');
  await nameField(win).press('Enter');
  await expect(rows(win)).toHaveCount(2);
  await win.getByLabel('Match', { exact: true }).selectOption('glob');
  await nameField(win).fill('*.log');
  await win.getByRole('button', { name: 'More conditions' }).click();
  await win.getByLabel('Minimum size', { exact: true }).fill('ten');
  await win.getByLabel('Minimum size', { exact: true }).press('Enter');
  await expect(win.getByText('Type a number such as 10 or 1.5.')).toBeVisible();
  await win.getByLabel('Minimum size', { exact: true }).fill('1.5');
  await win.getByLabel('Unit of the minimum size').selectOption('KiB');
  await win.getByLabel('Minimum size', { exact: true }).press('Enter');
  await expect(win.getByText('2 found in 4 keys')).toBeVisible();
  await win.getByRole('combobox', { name: 'Modified', exact: true }).selectOption('day');
  await win.getByRole('search').getByRole('button', { name: 'Search', exact: true }).click();
  await expect(win.getByText('1 found in 4 keys')).toBeVisible();
  await expect(rows(win)).toContainText('large.log');
  await win.getByRole('combobox', { name: 'Modified', exact: true }).selectOption('between');
  await win.getByLabel('From', { exact: true }).fill('2019-12-31');
  await win.getByLabel('To', { exact: true }).fill('2020-01-01');
  await win.getByRole('search').getByRole('button', { name: 'Search', exact: true }).click();
  await expect(rows(win)).toContainText('old.log');
  await nameField(win).fill('nothing-is-called-so');
  await nameField(win).press('Enter');
  await expect(win.getByRole('heading', { name: 'No matches' })).toBeVisible();
});

test('selecting all results includes hidden ones for export and deletion, and nothing else', async ({
  win,
  lab,
}) => {
  many(lab, 'find-all', 2500);
  await goTo(win, 'Lab', 'find-all');
  await expect(grid(win)).toBeFocused();
  await searchFor(win, '0*', 'glob');
  await expect(win.getByText('1,000 found in 2,500 keys')).toBeVisible();
  await results(win).focus();
  await win.keyboard.press('End');
  await expect(results(win).locator('[data-focused="true"]')).toContainText('.txt');
  await win.keyboard.press('Control+a');
  await expect(win.getByText(/All 1,000 results selected/)).toBeVisible();

  await action(win, 'Export').click();
  const downloading = win.waitForEvent('download');
  await win.getByRole('menuitem', { name: 'As CSV…' }).click();
  const text = readFileSync(await (await downloading).path(), 'utf8');
  expect(text.trim().split('\r\n').length).toBe(1001);
  expect(text).toContain('deep/0999.txt');
  expect(text).not.toContain('deep/1000.txt');

  await action(win, 'Delete…').click();
  const dialog = win.getByRole('dialog');
  await expect(dialog).toContainText('1,000 objects');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(dialog).toBeHidden();
  const left = (prefix: string): number =>
    numbered(2500, 'deep/').filter(
      (key) =>
        key.startsWith(prefix) && lab.store.object(lab.store.buckets.get('find-all')?.id ?? 0, key) !== null,
    ).length;
  await expect.poll(() => left('deep/0'), { timeout: 20_000 }).toBe(0);
  expect(left('deep/1') + left('deep/2')).toBe(1500);
});

test('results are selected as a range, singly, and as all but one', async ({ win, lab }) => {
  await labBucket(lab, 'find-select', numbered(50));
  await goTo(win, 'Lab', 'find-select');
  await expect(grid(win)).toBeFocused();
  await searchFor(win, '');
  await expect(rows(win).first()).toBeVisible();
  const header = results(win).getByRole('columnheader', { name: 'Folder' }).getByRole('button');
  await header.click();
  await expect(rows(win).first()).toContainText('0000.txt');
  await rows(win).nth(1).click();
  await rows(win)
    .nth(3)
    .click({ modifiers: ['Shift'] });
  await expect(win.getByText(/^3 selected ·/)).toBeVisible();
  await rows(win)
    .nth(6)
    .click({ modifiers: ['Control'] });
  await expect(win.getByText(/^4 selected ·/)).toBeVisible();
  await win.keyboard.press('Control+c');
  await expect(win.getByText(/copied\. Paste in another folder/u)).toBeVisible();
  expect(await win.evaluate(() => navigator.clipboard.readText())).toBe(
    ['0001.txt', '0002.txt', '0003.txt', '0006.txt'].join('\n'),
  );
  await win.keyboard.press('Control+a');
  await rows(win)
    .nth(0)
    .click({ modifiers: ['Control'] });
  await expect(win.getByText(/^49 selected ·/)).toBeVisible();
});

test('a search stops at once and keeps its results, and a failed one says so', async ({ win, lab }) => {
  many(lab, 'find-slow', 3000);
  await goTo(win, 'Lab', 'find-slow/deep/');
  await expect(grid(win)).toBeFocused();
  lab.faults.add({ operation: 'ListObjectsV2', bucket: 'find-slow', action: { kind: 'hang', apply: false } });
  await searchFor(win, 'x');
  await expect(win.getByText(/0 found so far/)).toBeVisible();
  await win.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(win.getByText(/^Stopped: 0 found/)).toBeVisible();
  lab.faults.clear();
  lab.faults.add({
    operation: 'ListObjectsV2',
    bucket: 'find-slow',
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  await nameField(win).press('Enter');
  await expect(win.getByText(/^Incomplete/)).toBeVisible();
  await expect(win.getByRole('alert')).toContainText('s3:ListBucket');
});

test('another search replaces the running one, and the same one does not restart', async ({ win, lab }) => {
  await labBucket(lab, 'find-another', ['a.png', 'b.png', 'c.txt']);
  await goTo(win, 'Lab', 'find-another');
  await expect(grid(win)).toBeFocused();
  lab.faults.add({
    operation: 'ListObjectsV2',
    bucket: 'find-another',
    action: { kind: 'hang', apply: false },
  });
  await searchFor(win, 'x');
  await expect(win.getByText(/0 found so far/)).toBeVisible();
  const submit = win.getByRole('search').getByRole('button', { name: 'Search', exact: true });
  await expect(submit).toBeDisabled();
  lab.faults.clear();
  await nameField(win).fill('.png');
  await expect(submit).toBeEnabled();
  await nameField(win).press('Enter');
  await expect(win.getByText('2 found in 3 keys')).toBeVisible();
});

test('the size of folders is counted on demand with subfolders and shares', async ({ win, lab }) => {
  const bucket = lab.store.buckets.create('sizes', Date.now());
  for (const [key, size] of [
    ['big/a.bin', 3000],
    ['big/b.bin', 3000],
    ['small/a.bin', 2000],
    ['top.bin', 2000],
  ] as const)
    await lab.store.putBytes(bucket?.id ?? 0, key, Buffer.alloc(size, 1), { modifiedMs: 1e12 });
  await goTo(win, 'Lab', 'sizes');
  const section = win.getByRole('region', { name: 'Folder content' });
  await section.getByRole('button', { name: 'Calculate size' }).click();
  await expect(section).toContainText('9.8 KiB');
  await expect(section).toContainText('4 objects');
  await expect(section).toContainText('STANDARD');
  await grid(win).getByText('big', { exact: true }).click();
  await section.getByRole('button', { name: 'Calculate size' }).click();
  await expect(section).toContainText('5.9 KiB');
  await grid(win).focus();
  await win.keyboard.press('Escape');
  await section.getByRole('button', { name: 'Show what uses the space…' }).click();
  const dialog = win.getByRole('dialog');
  const children = dialog.getByRole('grid', { name: 'By folder' });
  await expect(children.getByRole('row').nth(1)).toContainText('big');
  await expect(children.getByRole('row').nth(1)).toContainText('60%');
  await expect(children.getByRole('row').nth(2)).toContainText('20%');
  await expect(dialog.getByRole('button', { name: /sizes\/big/ })).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('a search of a whole bucket that may not be listed covers the start of the connection and says so', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'find-start', ['team/cat.txt', 'team/b/cat.txt', 'cat.txt']);
  const form = await fillConnection(win, { name: 'Narrow', endpoint: lab.endpoint, keys: labKeys });
  await form.getByRole('button', { name: 'Advanced' }).click();
  await form.getByLabel('Start in').fill('find-start/team/');
  await form.getByRole('button', { name: 'Add connection' }).click();
  await expect(rowOf(win, 'cat.txt')).toBeVisible();
  lab.faults.add({
    operation: 'ListObjectsV2',
    bucket: 'find-start',
    when: ({ query }) => query.get('prefix')?.startsWith('team/') !== true,
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  await win.keyboard.press('Control+Shift+E');
  await expect(nameField(win)).toBeFocused();
  await win.getByRole('button', { name: 'Search the whole bucket' }).click();
  await expect(win.getByRole('heading', { name: 'Search in all of find-start' })).toBeVisible();
  await nameField(win).fill('cat');
  await nameField(win).press('Enter');
  await expect(win.getByText('2 found in 2 keys')).toBeVisible();
  const note = 'Listing all of find-start/ was denied, so this search covers only team/';
  await expect(win.getByText(note)).toBeVisible();
  await nameField(win).fill('dog');
  await nameField(win).press('Enter');
  await expect(win.getByText('Cooper read all 2 keys below team/.')).toBeVisible();
  await removeConnection(win, 'Narrow');
});

test('axe finds no problems in a search, its results and a size', async ({ win, lab }) => {
  await labBucket(lab, 'find-axe', ['p/one.txt', 'p/q/two.txt', 'three.txt']);
  await goTo(win, 'Lab', 'find-axe');
  await expect(grid(win)).toBeFocused();
  await check(win, 'the menus of a folder');
  await win.keyboard.press('Control+Shift+E');
  await win.getByRole('button', { name: 'More conditions' }).click();
  await check(win, 'the fields');
  await nameField(win).press('Enter');
  await expect(rows(win)).toHaveCount(3);
  await rows(win).first().click();
  await check(win, 'results');
  await win.keyboard.press('Shift+F10');
  await expect(win.getByRole('menu')).toBeVisible();
  await check(win, 'the menu of a result');
  await win.keyboard.press('Escape');
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(grid(win)).toBeVisible();
  await win.getByRole('button', { name: 'Calculate size' }).click();
  await win.getByRole('button', { name: 'Show what uses the space…' }).click();
  await expect(win.getByRole('grid', { name: 'By folder' })).toBeVisible();
  await check(win, 'a size');
});

async function check(page: Page, label: string): Promise<void> {
  expect(await axeFindingsInBothSchemes(page), label).toEqual([]);
}
