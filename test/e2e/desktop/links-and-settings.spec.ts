import { expect, type Page } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { askControl } from '../../../electron/host/control.ts';
import { crumb, goTo, test } from '../support/window.ts';

const box = (page: Page) => page.getByRole('dialog', { name: 'Open this place?' });

test('a link from another program is shown before any request and opens a tab after confirmation', async ({
  cooper,
  win,
}) => {
  await goTo(win, 'Sample buckets', 'documents/');
  // Other tests may have left some open in this Cooper.
  const tabs = await win.getByRole('tab').count();
  await askControl(cooper.dataDir, 's3://documents/settings/');
  const dialog = box(win);
  await expect(dialog).toContainText('documents');
  await expect(dialog).toContainText('settings/');
  // Cancel has focus, so that a stray Enter opens nothing.
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(crumb(win)).toHaveText('settings');
  await expect(win.getByRole('tab')).toHaveCount(tabs + 1);
});

test('a link with escapes offers both readings, and Escape leaves the page unchanged', async ({
  cooper,
  win,
}) => {
  await goTo(win, 'Sample buckets', 'documents/');
  await askControl(cooper.dataDir, 's3://documents/a%20b/');
  const dialog = box(win);
  await expect(dialog.getByRole('radio')).toHaveCount(2);
  await expect(dialog.getByRole('radio').first()).toBeChecked();
  await win.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(crumb(win)).toHaveText('documents');
});

test('a start argument that is not a valid link opens no dialog', async ({ cooper, win }) => {
  await askControl(cooper.dataDir, 'javascript:alert(1)');
  await askControl(cooper.dataDir, 's3://user@host/x');
  await askControl(cooper.dataDir, 's3://last/');
  await expect(box(win)).toContainText('last');
  await win.keyboard.press('Escape');
  await expect(box(win)).toBeHidden();
});

test('licences, updates and transfer settings are in the settings', async ({ win }) => {
  await win.getByRole('button', { name: 'Settings' }).click();
  const dialog = win.getByRole('dialog', { name: 'Settings' });
  for (const name of [
    'Appearance',
    'Folders',
    'Previews',
    'Transfers',
    'Downloads',
    'General',
    'Updates',
    'About',
  ])
    await expect(dialog.getByRole('group', { name, exact: true })).toBeVisible();
  await expect(dialog.getByRole('group', { name: 'Updates' })).toContainText('npm updates Cooper');
  const transfers = dialog.getByRole('group', { name: 'Transfers' });
  await transfers.getByLabel('Speed limit, in MiB/s').fill('5');
  await transfers.getByRole('button', { name: 'Save' }).click();
  await expect(transfers.getByRole('status')).toHaveText('Saved');
  await dialog.getByRole('button', { name: 'Third-party licences' }).click();
  const text = win.getByRole('document', { name: 'Third-party licences' });
  await expect(text).toContainText('Cooper contains these packages.');
  const lines = await text.locator('[data-index]').count();
  expect(lines).toBeLessThan(200);
  await text.focus();
  await win.keyboard.press('End');
  await expect(text).not.toContainText('Cooper contains these packages.');
  await win.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
});

test('axe finds no problems in the link dialog, the settings and the licences', async ({ cooper, win }) => {
  const check = async (): Promise<void> => {
    expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  };
  await askControl(cooper.dataDir, 's3://documents/a%20b/');
  await expect(box(win)).toBeVisible();
  await check();
  await win.keyboard.press('Escape');
  await win.getByRole('button', { name: 'Settings' }).click();
  const settings = win.getByRole('dialog', { name: 'Settings' });
  await expect(settings.getByRole('group', { name: 'General' })).toBeVisible();
  // Searches only in the settings, because the transfers panel may be a region with the same name.
  await expect(settings.getByRole('group', { name: 'Transfers' }).getByRole('button')).toBeVisible();
  await check();
  await win.getByRole('button', { name: 'Third-party licences' }).click();
  await expect(win.getByRole('document', { name: 'Third-party licences' })).toBeVisible();
  await check();
});
