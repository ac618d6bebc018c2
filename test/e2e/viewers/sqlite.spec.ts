import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from '@playwright/test';
import { en } from '../../../shared/messages/en/index.ts';

import { axeFindings } from '../support/axe.ts';
import { goTo, test } from '../support/window.ts';
import { open, putAll } from './viewing.ts';

function databaseOf(sql: string): Uint8Array {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-test-'));
  try {
    const file = path.join(dir, 'made.db');
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
    return readFileSync(file);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const tides = `CREATE TABLE tides (id INTEGER PRIMARY KEY, place TEXT, height REAL);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
  INSERT INTO tides SELECT i, 'Station ' || i, i / 4.0 FROM n;
  CREATE VIEW high AS SELECT place FROM tides WHERE height > 1249.5;`;

test('a SQLite database shows each of its tables and views', async ({ win, lab }, info) => {
  await putAll(lab, 'databases', { 'tides.db': databaseOf(tides), 'empty.sqlite': databaseOf('VACUUM') });
  await goTo(win, 'Lab', 'databases/');
  const dialog = await open(win, 'tides.db');
  const tables = dialog.getByLabel(en.viewers.sqlite.table);
  const grid = dialog.getByRole('grid', { name: /^Rows of/ });
  await tables.selectOption('tides');
  await expect(grid.getByRole('row', { name: /^2 / })).toContainText('Station 2');
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 1024],
    ['light', 800],
  ] as const) {
    await win.setViewportSize({ width, height: 700 });
    await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await win.screenshot({ path: info.outputPath(`tides-${colorScheme}-${String(width)}.png`) });
    expect(await axeFindings(win)).toEqual([]);
  }
  await grid.focus();
  await win.keyboard.press('End');
  await expect(grid.getByRole('row', { name: /^5,000 / })).toContainText('1250');
  await tables.selectOption('high');
  await expect(grid.getByRole('row', { name: /^1 / })).toContainText('Station 4999');
  await win.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect.poll(() => win.workers().length).toBe(0);
});

test('an endless view is aborted, and the other tables are still shown', async ({ win, lab }) => {
  const endless = `CREATE TABLE calm (a); INSERT INTO calm VALUES ('flat water');
    CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;`;
  await putAll(lab, 'endless-databases', { 'endless.db': databaseOf(endless) });
  await goTo(win, 'Lab', 'endless-databases/');
  const dialog = await open(win, 'endless.db');
  const tables = dialog.getByLabel(en.viewers.sqlite.table);
  await expect(dialog.getByText('flat water')).toBeVisible();
  await tables.selectOption('endless');
  await expect(dialog.getByText(en.viewers.columnar.tooComplex)).toBeVisible({ timeout: 40_000 });
  await tables.selectOption('calm');
  await expect(dialog.getByText('flat water')).toBeVisible();
});
