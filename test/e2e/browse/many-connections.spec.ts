import { expect } from '@playwright/test';
import type { FiledConnection } from '../../../shared/models/connection.ts';
import { coreOfAddress } from '../../support/window/core-of-address.ts';
import { axeFindings } from '../support/axe.ts';
import { crumb, goTo, sidebarRow, test } from '../support/window.ts';
import { revealInTree } from '../support/tree.ts';

const count = 1000;
const nameOf = (at: number): string => `account-${String(at).padStart(3, '0')}`;

/** A file of connections to a port on which nothing listens. */
const file = JSON.stringify({
  format: 'cooper-connections',
  version: 1,
  connections: Array.from({ length: count }, (_, at): FiledConnection => ({
    name: nameOf(at),
    provider: 'other',
    endpoint: 'http://127.0.0.1:9',
    region: 'us-east-1',
    addressing: 'path',
    caPem: null,
    proxy: { kind: 'none' },
    start: null,
    auth: { kind: 'keys', accessKeyId: `KEY${String(at)}` },
  })),
});

test('1,000 connections are imported, and opened from the start page and the path, as some 100 rows each', async ({
  win,
  cooper,
}) => {
  // The start page lists connections once a folder was visited.
  await goTo(win, 'Sample buckets', 'documents');
  await expect(crumb(win)).toHaveText('documents');
  const actions = win.getByRole('button', { name: 'Connection actions' });
  await actions.click();
  await win.getByRole('menuitem', { name: 'Import connections…' }).click();
  const dialog = win.getByRole('dialog', { name: 'Import connections' });
  const choosing = win.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a file' }).click();
  await (
    await choosing
  ).setFiles({ name: 'many.json', mimeType: 'application/json', buffer: Buffer.from(file) });
  const boxes = dialog.getByRole('checkbox');
  const box = (at: number) => dialog.getByRole('checkbox', { name: nameOf(at) });
  await expect(box(0)).toBeChecked();
  expect(await boxes.count()).toBeLessThan(165);
  expect(await axeFindings(win), 'the import dialog').toEqual([]);

  // Tab enters the list at its ends, and Space ticks an entry.
  await dialog.getByRole('button', { name: 'Cancel' }).focus();
  await win.keyboard.press('Shift+Tab');
  await expect(box(999)).toBeFocused();
  await expect(box(998)).toBeInViewport();
  await win.keyboard.press('Space');
  await expect(box(999)).not.toBeChecked();
  await expect(dialog.getByRole('button', { name: 'Import 999 connections' })).toBeVisible();
  await win.keyboard.press('Space');
  expect(await boxes.count()).toBeLessThan(165);
  await dialog.getByRole('button', { name: 'Import 1000 connections' }).click();
  await expect(dialog).toBeHidden();
  await revealInTree(win, sidebarRow(win, nameOf(0)));

  // The menu of all connections opens from the path.
  await win.keyboard.press('Control+k');
  await win.keyboard.type(nameOf(500));
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText(nameOf(500));
  await win.keyboard.press('Alt+ArrowDown');
  const entries = win.getByRole('menu').getByRole('menuitem');
  await expect(entries.filter({ hasText: nameOf(500) })).toBeFocused();
  expect(await entries.count()).toBeLessThan(165);
  await win.keyboard.type('account-77');
  await expect(entries.filter({ hasText: nameOf(770) })).toBeFocused();
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText(nameOf(770));

  const behind = await coreOfAddress(await cooper.newAddress());
  const { core } = behind;
  const stored = await core.connections.list();
  await win.keyboard.press('Control+t');
  const links = win.getByRole('group', { name: 'Connections' }).getByRole('listitem');
  const link = (at: number) => links.filter({ hasText: nameOf(at) });
  await expect(link(0)).toBeVisible();
  expect(await links.count()).toBeLessThan(165);
  await expect(link(999)).toHaveAttribute('aria-setsize', String(stored.length));
  await link(999).getByRole('button').focus();
  await expect(link(998)).toBeInViewport();
  expect(await links.count()).toBeLessThan(165);
  expect(await axeFindings(win), 'the start page').toEqual([]);
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText(nameOf(999));

  await win.close();
  // Later tests of the worker use its other connections.
  for (const { id, name } of stored)
    if (name.startsWith('account-')) await core.connections.remove({ connectionId: id });
  behind.close();
});
