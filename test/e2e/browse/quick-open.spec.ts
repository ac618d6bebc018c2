import { expect, type Page } from '@playwright/test';
import type { RunningCooper } from '../../support/window/start-cooper.ts';
import { coreOfAddress } from '../../support/window/core-of-address.ts';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import {
  crumb,
  goTo,
  grid,
  labBucket,
  openConnection,
  selected,
  sidebarRow,
  test,
} from '../support/window.ts';

const field = (page: Page) => page.getByRole('combobox', { name: /^Go to a file/u });

/** Reads all names of a Lab bucket into a catalogue. */
async function catalogued(cooper: RunningCooper, bucket: string): Promise<void> {
  const behind = await coreOfAddress(await cooper.newAddress());
  const { core } = behind;
  const lab = (await core.connections.list()).find(({ name }) => name === 'Lab');
  const { mapId } = await core.map.open({
    connectionId: lab?.id ?? '',
    bucket,
    prefix: '',
    refresh: 'always',
  });
  for await (const { isComplete, walk } of await core.map.watch({ mapId }))
    if (isComplete && walk?.state !== 'running') break;
  behind.close();
}

test('quick open finds an object of a bucket that was never opened, in its catalogue', async ({
  win,
  lab,
  cooper,
}) => {
  await labBucket(lab, 'catalogued', ['2026/06/quarterly-invoice.pdf', '2026/07/photo.jpg']);
  await catalogued(cooper, 'catalogued');
  await sidebarRow(win, 'Sample buckets').click();
  await win.keyboard.press('Control+p');
  await win.keyboard.type('quart inv');
  await expect(win.getByRole('option', { selected: true })).toHaveText(
    'quarterly-invoice.pdf catalogued/2026/06/',
  );
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('06');
  await expect(selected(win)).toContainText('quarterly-invoice.pdf');
});

test('quick open opens the URL of an object, whatever its signature', async ({ win, lab }) => {
  await labBucket(lab, 'quick-linked', ['docs/read me.txt', 'docs/other.txt']);
  await win.reload();
  await goTo(win, 'Sample buckets', 'documents');
  await win.keyboard.press('Control+p');
  await field(win).fill(`${lab.endpoint}/quick-linked/docs/read%20me.txt?X-Amz-Expires=60&X-Amz-Signature=0`);
  await expect(win.getByRole('option', { selected: true })).toHaveText(
    'Open quick-linked/docs/read me.txt Lab',
  );
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('docs');
  await expect(selected(win)).toContainText('read me.txt');
});

test('quick open opens an s3 address with the connection that has its bucket', async ({ win, lab }) => {
  await labBucket(lab, 'addressed', ['letters/a.txt']);
  await win.reload();
  await goTo(win, 'Sample buckets', 'documents');
  await win.keyboard.press('Control+p');
  await field(win).fill('s3://addressed/letters/');
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('letters');
  await expect(grid(win).getByText('a.txt')).toBeVisible();
});

test('the last line of quick open searches the whole bucket for the text', async ({ win, lab }) => {
  await labBucket(lab, 'searched', ['deep/down/needle.txt', 'top.txt']);
  await goTo(win, 'Lab', 'searched');
  await win.keyboard.press('Control+p');
  await field(win).fill('needle');
  await expect(win.getByRole('option').last()).toHaveText('Search everything in searched for “needle”');
  await win.keyboard.press('ArrowUp');
  await win.keyboard.press('Enter');
  await expect(win.getByRole('grid').getByText('needle.txt')).toBeVisible();
});

test('where no bucket is open, the last line of quick open asks for one', async ({ win, lab }) => {
  await labBucket(lab, 'asked-for', ['deep/needle.txt']);
  await win.reload();
  await openConnection(win, 'Lab');
  await win.keyboard.press('Control+p');
  await field(win).fill('zzz needle');
  await expect(win.getByRole('option', { selected: true })).toHaveText('Search everything for “zzz needle”');
  await field(win).fill('needle');
  await win.getByRole('option', { name: 'Search everything for “needle”' }).click();
  await win.getByRole('combobox', { name: 'In which bucket?' }).fill('asked');
  await win.keyboard.press('Enter');
  await expect(win.getByRole('grid').getByText('needle.txt')).toBeVisible();
});

test('the palette knows other words for commands, and offers no deletion first', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents');
  await win.keyboard.press('Control+k');
  const commands = win.getByPlaceholder('Type a command or the name of a place');
  for (const [typed, first] of [
    ['lifecycle', /^Settings of this bucket…/u],
    ['refresh', /^Reload this folder/u],
    ['share', 'Create a link to the selected object…'],
    ['multipart', /^Stalled uploads here/u],
    ['prices', 'Prices of this connection…'],
    ['language', /^Language: /u],
  ] as const) {
    await commands.fill(typed);
    await expect(win.getByRole('option').first()).toHaveText(first);
  }
  await commands.fill('erase');
  await expect(win.getByRole('option').first()).toBeVisible();
  await expect(win.getByRole('option', { selected: true })).toHaveCount(0);
  await win.keyboard.press('Enter');
  await expect(commands).toBeFocused();
});
