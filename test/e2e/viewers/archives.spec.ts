import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { zipOf } from '../../../electron/service/samples/sample-files.ts';
import { en } from '../../../shared/messages/en/index.ts';
import { bzip2Text, xzText } from '../../fixtures/packed.ts';
import { sparseZip } from '../../support/files/sparse-zip.ts';
import { startSparseServer } from '../../support/servers/sparse-server.ts';
import { addConnection } from '../support/forms.ts';
import { goTo, labKeys, sidebarRow, test, typeAddress } from '../support/window.ts';
import { open, putAll } from './viewing.ts';

test('an archive lists its entries, and one is opened in its own viewer and saved', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents/formats/');
  const dialog = await open(win, 'survey.zip');
  const list = dialog.getByRole('grid', { name: /^Files in/ });
  await expect(list.getByRole('row')).toHaveCount(4);
  await dialog.getByRole('textbox', { name: 'Filter by name' }).fill('csv');
  await expect(list.getByRole('row')).toHaveCount(2);
  await list.focus();
  await win.keyboard.press('Enter');
  await expect(dialog.getByRole('grid', { name: /^Rows of soundings\.csv/ })).toBeVisible();
  const saved = win.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  expect((await saved).suggestedFilename()).toBe('soundings.csv');
  await dialog.getByRole('button', { name: 'Back to the list' }).click();
  await expect(list).toBeFocused();
  await win.keyboard.press('Escape');

  await open(win, 'survey.tar.gz');
  await expect(list.getByRole('row', { name: /lights\.xml/ })).toBeVisible();
  await win.keyboard.press('Escape');
  await open(win, 'soundings.csv.zst');
  await expect(dialog.getByRole('columnheader', { name: 'depth_m' })).toBeVisible();
  await win.keyboard.press('Escape');
  await open(win, 'passages.jsonl.br');
  await expect(dialog.getByRole('treegrid')).toContainText('Curlew');
});

test('xz and bzip2 files are shown decompressed', async ({ win, lab }) => {
  await putAll(lab, 'packed-files', { 'tide.log.xz': xzText, 'tide.log.bz2': bzip2Text });
  await goTo(win, 'Lab', 'packed-files/');
  for (const name of ['tide.log.xz', 'tide.log.bz2']) {
    const dialog = await open(win, name);
    await expect(dialog.getByText('Low water at ten past six').first()).toBeVisible();
    await win.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});

test('archive bombs and paths that leave the folder are reported, and nothing expands or runs', async ({
  win,
  lab,
}) => {
  const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024));
  const evil = zipOf(
    [
      { name: '../../.profile', bytes: Buffer.from('echo') },
      { name: '<img src=x onerror=MARK()>.html', bytes: Buffer.from('<script>top.MARK()</script>') },
    ],
    1e12,
  );
  await putAll(lab, 'evil-archives', {
    'bomb.bin.gz': bomb,
    'evil.zip': evil,
    'damaged.zip': evil.subarray(0, -30),
  });
  await goTo(win, 'Lab', 'evil-archives/');
  let dialog = await open(win, 'bomb.bin.gz');
  await expect(dialog.getByText('Cooper unpacked the first 32 MiB. The rest is not shown.')).toBeVisible({
    timeout: 30_000,
  });
  await win.keyboard.press('Escape');
  dialog = await open(win, 'evil.zip');
  await dialog.getByRole('row', { name: /\.profile/ }).dblclick();
  await expect(dialog.getByText('Cooper saves it as .profile.')).toBeVisible();
  await win.keyboard.press('Escape');
  dialog = await open(win, 'damaged.zip');
  await expect(dialog.getByText('This file could not be read')).toBeVisible();
});

for (const [size, sizeBytes] of [
  ['a gigabyte', 1024 ** 3],
  ['ten gigabytes', 10 * 1024 ** 3],
] as const)
  test(`a zip of ${size} is listed and opened with fewer than ten requests`, async ({ win }) => {
    const server = await startSparseServer({ 'large.zip': sparseZip(sizeBytes) });
    try {
      await addConnection(win, { name: `Zip of ${size}`, endpoint: server.endpoint, keys: labKeys });
      await sidebarRow(win, `Zip of ${size}`).click();
      await typeAddress(win, 'sparse/');
      const dialog = await open(win, 'large.zip');
      await expect(dialog.getByText('5,002 entries')).toBeVisible();
      const list = dialog.getByRole('grid', { name: /^Files in/ });
      await list.focus();
      await win.keyboard.press('End');
      await win.keyboard.press('Enter');
      await expect(dialog.getByRole('row', { name: /^file\s*4999/ })).toBeVisible();
      const { requests, bytes } = server.reads();
      expect(requests).toBeLessThan(10);
      expect(bytes).toBeLessThan(2_000_000);
    } finally {
      await server.close();
    }
  });

test('an object with a wrong Content-Encoding is shown by its real format with a note', async ({
  win,
  lab,
}) => {
  await putAll(lab, 'codings', {});
  const bucket = lab.store.buckets.get('codings');
  const text = Buffer.from('Low water at ten past six.\n'.repeat(20));
  const stored = {
    'a.txt': ['br', text],
    'b.txt': ['utf-8', text],
    'c.txt': ['gzip, gzip', gzipSync(gzipSync(text))],
    'd.txt': ['deflate', deflateRawSync(text)],
    'e.txt': ['br', gzipSync(text)],
  } as const;
  for (const [key, [contentEncoding, bytes]] of Object.entries(stored)) {
    const id = bucket?.id ?? 0;
    await lab.store.putBytes(id, key, bytes, { modifiedMs: 1e12, contentType: 'text/plain' });
    lab.store.changeAttributes(id, key, (before) => ({
      ...before,
      headers: { ...before.headers, 'content-encoding': contentEncoding },
    }));
  }
  await goTo(win, 'Lab', 'codings/');
  const { coding } = en.viewers.packed;
  const notes: Readonly<Record<string, string | null>> = {
    'a.txt': coding.plain.replace('{{coding}}', 'br'),
    'b.txt': coding.unknown.replace('{{coding}}', 'utf-8'),
    'c.txt': null,
    'd.txt': null,
    'e.txt': coding.other.replace('{{coding}}', 'br').replace('{{found}}', 'gzip'),
  };
  for (const [name, note] of Object.entries(notes)) {
    const dialog = await open(win, name);
    await expect(dialog.getByText('Low water at ten past six.').first(), name).toBeVisible();
    await expect(dialog.getByRole('note'), name).toHaveText(note === null ? [] : [note]);
    await win.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
});
