import { expect, type Locator } from '@playwright/test';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { tarOf } from '../../../electron/service/samples/sample-files.ts';
import { en } from '../../../shared/messages/en/index.ts';
import { axeFindings } from '../support/axe.ts';
import { goTo, test } from '../support/window.ts';
import { open, putAll } from './viewing.ts';

test('a removed or denied object is reported in the viewer and can be retried', async ({
  win,
  lab,
}, info) => {
  await putAll(lab, 'problems', { 'gone.csv': 'a,b\n1,2\n', 'secret.json': '{"a":1}' });
  await goTo(win, 'Lab', 'problems/');
  const bucket = lab.store.buckets.get('problems');
  let dialog = await open(win, 'gone.csv');
  await expect(dialog.getByRole('columnheader', { name: 'a' })).toBeVisible();
  await win.keyboard.press('Escape');
  lab.store.deleteObject(bucket?.id ?? 0, 'gone.csv');
  dialog = await open(win, 'gone.csv');
  await expect(dialog.getByText(en.errors.reasons['no-such-key'].title)).toBeVisible();
  await win.keyboard.press('Escape');

  const rule = lab.faults.add({
    operation: 'GetObject',
    bucket: 'problems',
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
    times: Infinity,
  });
  dialog = await open(win, 'secret.json');
  await expect(dialog.getByText(en.errors.codes['access-denied'].title)).toBeVisible();
  await expect(dialog.getByText('s3:GetObject')).toBeVisible();
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 800],
  ] as const) {
    await win.setViewportSize({ width, height: 700 });
    await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await win.screenshot({ path: info.outputPath(`denied-${colorScheme}.png`) });
    expect(await axeFindings(win)).toEqual([]);
  }
  rule.remove();
  await dialog.getByRole('button', { name: en.common.retry }).click();
  await expect(dialog.getByRole('treegrid')).toBeVisible();
});

const rows = (word: string): string =>
  `name,number\n${Array.from({ length: 40_000 }, (_, at) => `${word} number ${String(at)},${String(at)}\n`).join('')}`;
const lines = `${Array.from({ length: 40_000 }, (_, at) => JSON.stringify({ number: at, word: 'keel' })).join('\n')}\n`;
const archive = tarOf(
  Array.from({ length: 400 }, (_, at) => ({ name: `f${String(at)}.txt`, bytes: Buffer.alloc(20_000, 'x') })),
  1e12,
);

const files = { 'rows.csv': rows('old'), 'lines.jsonl': lines, 'files.tar': archive } as const;

/** Scrolls to the end of the loaded part, where the list loads more. */
async function scrollToEnd(dialog: Locator): Promise<void> {
  const list = dialog.getByRole('grid').or(dialog.getByRole('treegrid')).first();
  await expect(list.getByRole('row').nth(1)).toBeVisible();
  await list.focus();
  await list.press('Control+End');
}

for (const name of Object.keys(files))
  test(`${name} whose next part is refused reports it below its list and continues after a retry`, async ({
    win,
    lab,
  }) => {
    const bucket = `refused-${name.replace('.', '-')}`;
    await putAll(lab, bucket, files);
    await goTo(win, 'Lab', `${bucket}/`);
    const dialog = await open(win, name);
    await expect(dialog.getByText(/read so far/)).toBeVisible();
    const rule = lab.faults.add({
      operation: 'GetObject',
      bucket,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
      times: Infinity,
    });
    await scrollToEnd(dialog);
    const alert = dialog.getByRole('alert');
    await expect(alert).toContainText(en.errors.codes['access-denied'].title);
    await expect(dialog.getByText(/read so far/)).toBeVisible();
    const before = await dialog.getByText(/read so far/).textContent();
    rule.remove();
    await alert.getByRole('button', { name: en.common.retry }).click();
    await expect(alert).toHaveCount(0);
    await expect.poll(async () => await dialog.getByRole('status').first().textContent()).not.toBe(before);
  });

test('a list whose object changes while it is read offers the new version and shows it', async ({
  win,
  lab,
}, info) => {
  await putAll(lab, 'changes', files);
  const bucket = lab.store.buckets.get('changes');
  await goTo(win, 'Lab', 'changes/');
  const dialog = await open(win, 'rows.csv');
  await expect(dialog.getByText('old number 0', { exact: true })).toBeVisible();
  await lab.store.putBytes(bucket?.id ?? 0, 'rows.csv', Buffer.from(rows('new')), { modifiedMs: 2e12 });
  await scrollToEnd(dialog);
  const alert = dialog.getByRole('alert');
  await expect(alert).toContainText(en.errors.reasons['object-changed'].title);
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 800],
  ] as const) {
    await win.setViewportSize({ width, height: 700 });
    await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await win.screenshot({ path: info.outputPath(`changed-${colorScheme}.png`) });
    expect(await axeFindings(win)).toEqual([]);
  }
  await alert.getByRole('button', { name: en.viewers.readNew }).click();
  await expect(dialog.getByText('new number 0', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});

test('a list whose object is deleted while it is read reports that it is gone', async ({ win, lab }) => {
  await putAll(lab, 'deleted', files);
  await goTo(win, 'Lab', 'deleted/');
  const dialog = await open(win, 'lines.jsonl');
  await expect(dialog.getByText(/read so far/)).toBeVisible();
  lab.store.deleteObject(lab.store.buckets.get('deleted')?.id ?? 0, 'lines.jsonl');
  await scrollToEnd(dialog);
  await expect(dialog.getByRole('alert')).toContainText(en.errors.reasons['no-such-key'].title);
});

const rowCount = 150_000;
/** Tables whose last rows are not read when they open. */
const tables = (first: number) => {
  const depth = Float64Array.from({ length: rowCount }, (_, row) => first + row);
  return {
    'depths.parquet': new Uint8Array(
      parquetWriteBuffer({
        columnData: ['depth', 'again'].map((name) => ({ name, data: Array.from(depth), type: 'DOUBLE' })),
        rowGroupSize: [10_000],
        codec: 'UNCOMPRESSED',
      }),
    ),
    'depths.arrow': tableToIPC(tableFromArrays({ depth, again: depth.slice() }), 'file'),
  };
};

for (const name of ['depths.parquet', 'depths.arrow'] as const)
  test(`${name} keeps its rows when others are denied, and shows the new version of a changed object`, async ({
    win,
    lab,
  }, info) => {
    const bucket = `refused-${name.replace('.', '-')}`;
    await putAll(lab, bucket, tables(0.25));
    await goTo(win, 'Lab', `${bucket}/`);
    const dialog = await open(win, name);
    const table = dialog.getByRole('grid', { name: /^Rows of/ });
    await expect(table.getByRole('row', { name: /^1 / })).toContainText('0.25');
    const rule = lab.faults.add({
      operation: 'GetObject',
      bucket,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
      times: Infinity,
    });
    await table.focus();
    await win.keyboard.press('End');
    const alert = dialog.getByRole('alert');
    await expect(alert).toContainText(en.errors.codes['access-denied'].title);
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 800],
    ] as const) {
      await win.setViewportSize({ width, height: 700 });
      await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await win.screenshot({ path: info.outputPath(`refused-${colorScheme}.png`) });
      expect(await axeFindings(win)).toEqual([]);
    }
    await table.focus();
    await win.keyboard.press('Home');
    await expect(table.getByRole('row', { name: /^1 / })).toContainText('0.25');
    await win.keyboard.press('End');
    rule.remove();
    await alert.getByRole('button', { name: en.common.retry }).click();
    await expect(alert).toHaveCount(0);
    await expect(table.getByRole('row', { name: /^150,000 / })).toContainText('149999.25');

    await lab.store.putBytes(lab.store.buckets.get(bucket)?.id ?? 0, name, Buffer.from(tables(0.5)[name]), {
      modifiedMs: 2e12,
    });
    await table.focus();
    await scrollTo(dialog, 100_000);
    await expect(alert).toContainText(en.errors.reasons['object-changed'].title);
    await alert.getByRole('button', { name: en.viewers.readNew }).click();
    await expect(table.getByRole('row', { name: /^1 / })).toContainText('0.5');
  });

/** Scrolls a table until this row is visible. */
async function scrollTo(dialog: Locator, row: number): Promise<void> {
  await dialog
    .getByRole('grid')
    .locator('[role=row]')
    .nth(1)
    .evaluate((element, top) => {
      let scroller: Element | null = element;
      while (scroller !== null && scroller.scrollHeight <= scroller.clientHeight)
        scroller = scroller.parentElement;
      scroller?.scrollTo({ top });
    }, row * 26);
  await expect(dialog.getByRole('row', { name: new RegExp(`^${row.toLocaleString('en')} `) })).toBeVisible();
}
