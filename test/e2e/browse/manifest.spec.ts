import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { goTo, labBucket, rowOf, test } from '../support/window.ts';

test('a manifest of a selection is saved from the menu with its objects and all keys of its folders', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'to-list', ['a b.txt', 'c.txt', 'below/d.txt', 'below/deeper/e.txt']);
  await goTo(win, 'Lab', 'to-list');
  await rowOf(win, 'below').click();
  await rowOf(win, 'a b.txt').click({ modifiers: ['ControlOrMeta'] });
  await rowOf(win, 'below').click({ button: 'right' });
  const saved = win.waitForEvent('download');
  await win.getByRole('menuitem', { name: 'Save a manifest of the keys…' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('to-list-manifest.csv');
  expect(
    readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\n')
      .toSorted(),
  ).toEqual(['to-list,a%20b.txt', 'to-list,below/d.txt', 'to-list,below/deeper/e.txt']);
});

test('a manifest of one object is saved from its menu', async ({ win, lab }) => {
  await labBucket(lab, 'to-list-one', ['a b.txt', 'c.txt']);
  await goTo(win, 'Lab', 'to-list-one');
  await rowOf(win, 'a b.txt').click({ button: 'right' });
  const saved = win.waitForEvent('download');
  await win.getByRole('menuitem', { name: 'Save a manifest of the keys…' }).click();
  expect(readFileSync(await (await saved).path(), 'utf8')).toBe('to-list-one,a%20b.txt\n');
});
