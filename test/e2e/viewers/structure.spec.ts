import { expect } from '@playwright/test';
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

test('JSON lines and tables of 20 MB open after one block and are read on when scrolled', async ({
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
