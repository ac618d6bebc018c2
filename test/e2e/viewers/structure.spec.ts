import { expect } from '@playwright/test';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { en } from '../../../shared/messages/en/index.ts';
import { axeFindings } from '../support/axe.ts';
import { goTo, test } from '../support/window.ts';
import { countReads, open, putAll } from './viewing.ts';

test('JSON, YAML and XML are trees that open and close by keyboard', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents/formats/');
  const dialog = await open(win, 'tides.json');
  const tree = dialog.getByRole('treegrid');
  await expect(tree.getByRole('row', { name: /station/ })).toBeVisible();
  await tree.focus();
  await win.keyboard.press('Home');
  await win.keyboard.press('ArrowDown');
  const station = tree.getByRole('row', { name: /^station/ });
  await expect(station).toHaveAttribute('data-active', 'true');
  await expect(station).toHaveAttribute('aria-expanded', 'true');
  await win.keyboard.press('ArrowLeft');
  await expect(station).toHaveAttribute('aria-expanded', 'false');
  await win.keyboard.press('Enter');
  await expect(tree.getByRole('row', { name: /^latitude\s*54\.3/ })).toBeVisible();
  await win.keyboard.press('ArrowRight');
  await expect(dialog.getByTitle('Path')).toHaveText('station › name');
  await dialog.getByRole('button', { name: 'Show as text' }).click();
  await expect(dialog.getByText('"Old Slip"').first()).toBeVisible();
  await win.keyboard.press('Escape');

  await open(win, 'harbour.yaml');
  await expect(tree.getByRole('row', { name: /^lights\s*\*lights/ })).toBeVisible();
  await win.keyboard.press('Escape');
  await open(win, 'lights.xml');
  await expect(tree.getByRole('row', { name: /^region\s*west/ })).toBeVisible();
});

test('a value of a tree that its row cuts is shown whole below the tree', async ({ win, lab }) => {
  const long = 'sea '.repeat(2000);
  await putAll(lab, 'long-values', {
    'long.json': JSON.stringify({ short: 'a', long: `${long}ends in JSON` }),
    'long.jsonl': JSON.stringify({ long: `${long}ends in a line` }),
    'long.xml': `<port><log>${long}ends in XML</log></port>`,
    'long.yaml': `log: ${long}ends in YAML\n`,
  });
  await goTo(win, 'Lab', 'long-values/');
  for (const [name, row, end] of [
    ['long.json', /^long/, 'ends in JSON'],
    ['long.jsonl', /^1/, 'ends in a line'],
    ['long.xml', /^log/, 'ends in XML'],
    ['long.yaml', /^log/, 'ends in YAML'],
  ] as const) {
    const dialog = await open(win, name);
    await dialog.getByRole('row', { name: row }).click();
    await expect(dialog.getByText(end)).toHaveCount(0);
    await dialog.getByRole('button', { name: en.viewers.tree.showWhole }).click();
    const whole = dialog.getByRole('region', { name: en.viewers.tree.value });
    await expect(whole, name).toContainText(end);
    if (name === 'long.json') expect(await axeFindings(win)).toEqual([]);
    await dialog.getByRole('button', { name: en.viewers.tree.hideWhole }).click();
    await expect(whole).toHaveCount(0);
    await win.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  const dialog = await open(win, 'long.json');
  await dialog.getByRole('row', { name: /^short/ }).click();
  await expect(dialog.getByRole('button', { name: en.viewers.tree.showWhole })).toHaveCount(0);
});

test('JSON lines and tables of 20 MB open after one block and load more when scrolled', async ({
  win,
  lab,
}) => {
  const lines = Array.from(
    { length: 250_000 },
    (_, at) => `{"row":${String(at + 1)},"text":"${'x'.repeat(60)}"}`,
  );
  const rows = Array.from({ length: 250_000 }, (_, at) => `${String(at + 1)};=1+1;${'y'.repeat(60)}`);
  await putAll(lab, 'long-files', {
    'long.jsonl': lines.join('\n'),
    'long.csv': `id;formula;text\n${rows.join('\n')}\n`,
    'broken.json': '{"a": <img src=x>',
  });
  await goTo(win, 'Lab', 'long-files/');
  const asked = countReads(win);
  let dialog = await open(win, 'long.jsonl');
  const tree = dialog.getByRole('treegrid');
  await expect(tree.getByRole('row', { name: /^1\s*\{"row":1,/ })).toBeVisible();
  expect(asked.requests).toBe(1);
  expect(asked.bytes).toBeLessThan(400_000);
  await tree.focus();
  await win.keyboard.press('End');
  await expect.poll(() => asked.requests).toBe(2);
  await win.keyboard.press('Escape');

  dialog = await open(win, 'long.csv');
  const table = dialog.getByRole('grid', { name: /^Rows of/ });
  await expect(table.getByRole('columnheader', { name: 'formula' })).toBeVisible();
  await expect(table.getByRole('row').nth(1)).toContainText('=1+1');
  await expect(dialog.getByText(/rows read so far/)).toBeVisible();
  const id = table.getByRole('row').nth(1).getByRole('gridcell').nth(1);
  await expect(id).toHaveAttribute('data-align', 'end');
  expect(asked.requests).toBe(3);
  const separator = dialog.getByRole('combobox', { name: 'Separator' });
  await expect(separator).toHaveValue(';');
  await separator.selectOption('Separated by commas');
  await expect(table.getByRole('columnheader', { name: 'id;formula;text' })).toBeVisible();
  await separator.selectOption('Separated by semicolons');
  await expect(table.getByRole('columnheader', { name: 'formula', exact: true })).toBeVisible();
  await win.keyboard.press('Escape');

  dialog = await open(win, 'broken.json');
  await expect(dialog.getByText('This is not valid JSON')).toBeVisible();
  await dialog.getByRole('button', { name: 'Show as text' }).click();
  await expect(dialog.getByText('{"a": <img src=x>')).toBeVisible();
});

test('another separator applies while more rows are being read', async ({ win, lab }) => {
  await putAll(lab, 'separator-while-reading', {
    'long.csv': `id;text\n${Array.from({ length: 40_000 }, (_, row) => `${String(row)};anchor chain\n`).join('')}`,
  });
  await goTo(win, 'Lab', 'separator-while-reading/');
  const dialog = await open(win, 'long.csv');
  const table = dialog.getByRole('grid', { name: /^Rows of/ });
  await expect(table.getByRole('columnheader', { name: 'text', exact: true })).toBeVisible();
  const read = Promise.withResolvers<void>();
  const held = lab.faults.add({ operation: 'GetObject', action: { kind: 'hold', until: read.promise } });
  await table.focus();
  await win.keyboard.press('End');
  await expect.poll(() => held.fired).toBe(1);
  await dialog.getByRole('combobox', { name: 'Separator' }).selectOption('Separated by commas');
  read.resolve();
  await expect(table.getByRole('columnheader', { name: 'id;text' })).toBeVisible();
});

test('a row of a table opens with its whole values, which its cells cut', async ({ win, lab }, info) => {
  const long = `${'keel '.repeat(4000)}end`;
  await putAll(lab, 'wide-values', {
    'wide.csv': `name,text\nfirst,short\nsecond,"${long}"\n`,
    'wide.parquet': new Uint8Array(
      parquetWriteBuffer({ columnData: [{ name: 'text', data: ['short', long], type: 'STRING' }] }),
    ),
  });
  await goTo(win, 'Lab', 'wide-values/');
  for (const name of ['wide.csv', 'wide.parquet']) {
    const dialog = await open(win, name);
    const table = dialog.getByRole('grid', { name: /^Rows of/ });
    await expect(table.getByRole('row', { name: /^2 / })).toContainText('keel …');
    await table.focus();
    await win.keyboard.press('End');
    await win.keyboard.press('Enter');
    const values = dialog.getByRole('region', { name: 'Row 2' });
    await expect(values.getByText('keel end')).toHaveText(long);
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 1024],
      ['light', 800],
    ] as const) {
      await win.setViewportSize({ width, height: 700 });
      await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await win.screenshot({ path: info.outputPath(`${name}-${colorScheme}-${String(width)}.png`) });
      expect(await axeFindings(win)).toEqual([]);
    }
    await win.keyboard.press('ArrowUp');
    await expect(dialog.getByRole('region', { name: 'Row 1' })).toContainText('short');
    await dialog.getByRole('button', { name: en.viewers.table.hideWhole }).click();
    await expect(dialog.getByRole('region', { name: 'Row 1' })).toHaveCount(0);
    await win.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});
