import { expect } from '@playwright/test';
import { arrowBytes, arrowTable, streamTable } from '../../support/files/arrow-files.ts';
import { changedFiles } from '../../support/files/changed-files.ts';
import { sparseArrow } from '../../support/files/sparse-arrow.ts';
import { startSparseServer } from '../../support/servers/sparse-server.ts';
import { axeFindings } from '../support/axe.ts';
import { addConnection } from '../support/forms.ts';
import { goTo, labKeys, sidebarRow, test, typeAddress } from '../support/window.ts';
import { openHostile } from './hostile.ts';
import { countReads, open, putAll } from './viewing.ts';

test('an Arrow file and a stream show their first and last rows and their types', async ({ win, lab }) => {
  await goTo(win, 'Sample buckets', 'documents/formats/');
  let dialog = await open(win, 'stations.arrow');
  const table = dialog.getByRole('grid', { name: /^Rows of/ });
  await expect(table.getByRole('row').nth(1)).toContainText('2026-01-01T00:00:00.000Z');
  await expect(table.getByRole('row').nth(1)).toContainText('Skagen');
  await expect(table.getByRole('row').nth(1)).toContainText('null');
  await expect(table.getByRole('row').nth(2)).toContainText('[1,7]');
  expect(await axeFindings(win)).toEqual([]);
  await table.focus();
  await win.keyboard.press('End');
  await expect(table.getByRole('row', { name: /^240/ })).toContainText('Hammerodde');
  await dialog.getByText('Schema', { exact: true }).click();
  await expect(dialog.getByText('Row groups: 2')).toBeVisible();
  await expect(dialog.getByText('dictionary<utf8>')).toBeVisible();
  await win.keyboard.press('Escape');

  await putAll(lab, 'arrow-tables', {
    'packed.feather': arrowBytes(arrowTable(), 'file', 'lz4'),
    'stream.arrows': arrowBytes(streamTable(), 'stream', 'zstd'),
    // Its name does not reveal the format.
    weather: arrowBytes(arrowTable(), 'file'),
    'broken.arrow': 'ARROW1 and nothing else',
  });
  await goTo(win, 'Lab', 'arrow-tables/');
  for (const name of ['packed.feather', 'stream.arrows', 'weather']) {
    const asked = countReads(win);
    dialog = await open(win, name);
    await expect(table.getByRole('row').nth(4)).toContainText('kind 3');
    expect(asked.requests).toBeLessThan(10);
    await table.focus();
    await win.keyboard.press('End');
    await expect(table.getByRole('row', { name: /^2,000/ })).toContainText('wörd 1999');
    await win.keyboard.press('Escape');
  }
  dialog = await open(win, 'broken.arrow');
  await expect(dialog.getByText('This file could not be read')).toBeVisible();
});

test('an Arrow file of a gigabyte opens with few requests and bytes, also at its last row', async ({
  win,
}) => {
  const file = sparseArrow();
  expect(file.sizeBytes).toBeGreaterThan(700_000_000);
  const server = await startSparseServer({ 'large.arrow': file });
  try {
    await addConnection(win, { name: 'Sparse columns', endpoint: server.endpoint, keys: labKeys });
    await sidebarRow(win, 'Sparse columns').click();
    await typeAddress(win, 'sparse/');
    const dialog = await open(win, 'large.arrow');
    const table = dialog.getByRole('grid', { name: /^Rows of/ });
    await expect(table.getByRole('row').nth(4)).toContainText('kind 3');
    await table.focus();
    await win.keyboard.press('End');
    await expect(table.getByRole('row', { name: /^2,000/ })).toContainText('wörd 1999');
    const { requests, bytes } = server.reads();
    expect(requests).toBeLessThan(10);
    expect(bytes).toBeLessThan(2_000_000);
  } finally {
    await server.close();
  }
});

test('hostile Arrow files end in rows or a plain message while the window stays responsive and small', async ({
  win,
  lab,
}) => {
  test.setTimeout(240_000);
  const file = changedFiles(arrowBytes(arrowTable(), 'file', 'lz4'), 8, {
    name: 'file',
    ending: 'arrow',
    endBytes: 3000,
  });
  const stream = changedFiles(arrowBytes(streamTable(), 'stream'), 6, {
    name: 'stream',
    ending: 'arrows',
    endBytes: 3000,
  });
  const ends = await openHostile(win, lab, 'hostile-arrows', { ...file, ...stream });
  expect(new Set(Object.values(ends))).toEqual(new Set(['refused', 'shown']));
});
