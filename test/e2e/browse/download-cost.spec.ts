import { expect, type Page } from '@playwright/test';
import type { Service } from '../../support/lab-service/server.ts';
import { axeFindings } from '../support/axe.ts';
import { removeConnection } from '../support/forms.ts';
import { connect } from '../support/uploads.ts';
import { crumb, labKeys, rowOf, test, typeAddress } from '../support/window.ts';

const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });

async function bucketOf(lab: Service, name: string): Promise<void> {
  const bucket = lab.store.buckets.create(name, 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  for (const key of ['a.bin', 'b.bin', 'below/c.bin'])
    await lab.store.putBytes(bucket.id, key, Buffer.alloc(10_000), { modifiedMs: Date.UTC(2026, 1, 3) });
}

async function open(page: Page, bucket: string): Promise<void> {
  await typeAddress(page, bucket);
  await expect(crumb(page)).toHaveText(bucket);
}

/** Enters prices by which a download of 10,000 bytes costs 10 dollars. */
async function enterPrices(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Enter prices…' }).first().click();
  const dialog = page.getByRole('dialog', { name: /^Prices of/ });
  await dialog.getByLabel('Name of the list').fill('Mine');
  await dialog.getByLabel('Currency').fill('EUR');
  await dialog.getByLabel('Download to the internet, per GB').fill('1000000');
  await dialog.getByLabel('1,000 requests that read').fill('0');
  await dialog.getByLabel('Retrieval, per GB').fill('0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
}

test('the details show the cost of a download, note uncounted folders, and a costly one asks first', async ({
  win,
  lab,
}) => {
  await bucketOf(lab, 'priced');
  await bucketOf(lab, 'priced-uncounted');
  await connect(win, 'Priced', lab, labKeys);
  await open(win, 'priced');
  await win.keyboard.press('Control+3');
  await enterPrices(win);
  await win.keyboard.press('Control+1');
  await rowOf(win, 'a.bin').click();
  await expect(details(win)).toContainText('Download: about €10.00, an estimate.');
  await rowOf(win, 'b.bin').click({ modifiers: ['ControlOrMeta'] });
  await expect(details(win)).toContainText('Download: about €20.00, an estimate.');
  // The map has summed this folder, so its cost is known.
  await rowOf(win, 'below').click({ modifiers: ['ControlOrMeta'] });
  await expect(details(win)).toContainText('Download: about €30.00, an estimate.');
  expect(await axeFindings(win)).toEqual([]);

  await details(win).getByRole('button', { name: 'Download…' }).click();
  const question = win.getByRole('dialog', { name: 'Download for about €30.00?' });
  await expect(question).toContainText('An estimate. Counted with your own prices.');
  expect(await axeFindings(win)).toEqual([]);
  // Cancel has focus, because the download costs money.
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(win.getByRole('dialog')).toHaveCount(0);
  await details(win).getByRole('button', { name: 'Download…' }).click();
  await question.getByRole('button', { name: 'Download', exact: true }).click();
  // The download continues as usual.
  await expect(win.getByRole('dialog', { name: 'Choose the folder to download to' })).toBeVisible();
  await win.keyboard.press('Escape');

  await open(win, 'priced-uncounted');
  await rowOf(win, 'below').click();
  await expect(details(win)).toContainText('cost not known, because Cooper has not counted this folder');
  await win.setViewportSize({ width: 1440, height: 800 });
  await win.emulateMedia({ colorScheme: 'dark' });
  await details(win).getByRole('button', { name: 'Count in the map' }).click();
  await expect(win.getByRole('region', { name: /^Map of/ })).toContainText('1 object');
  await removeConnection(win, 'Priced');
});

test('a costly download asks first from the preview, versions, search results and the map', async ({
  win,
  lab,
}) => {
  await bucketOf(lab, 'priced-all');
  await connect(win, 'Priced all', lab, labKeys);
  await open(win, 'priced-all');
  await win.keyboard.press('Control+3');
  await enterPrices(win);

  const asksFor = async (amount: string): Promise<void> => {
    const question = win.getByRole('dialog', { name: `Download for about ${amount}?` });
    await expect(question).toBeVisible();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(win.getByRole('dialog', { name: 'Choose the folder to download to' })).toHaveCount(0);
  };
  // Without a selection, the download covers the whole map.
  await expect(win.getByRole('region', { name: /^Map of/ })).toContainText('3 objects');
  await win.keyboard.press('Control+s');
  await asksFor('€30.00');

  await win.keyboard.press('Control+1');
  await rowOf(win, 'a.bin').click();
  await win.keyboard.press('Enter');
  await win.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click();
  await asksFor('€10.00');
  await win.keyboard.press('Escape');
  await expect(win.getByRole('dialog')).toHaveCount(0);

  await rowOf(win, 'a.bin').click({ button: 'right' });
  await win.getByRole('menuitem', { name: 'Download in the browser' }).click();
  await asksFor('€10.00');

  await rowOf(win, 'a.bin').click({ button: 'right' });
  await win.getByRole('menuitem', { name: 'Versions…' }).click();
  const versions = win.getByRole('dialog');
  await versions.getByRole('row').nth(1).click({ button: 'right' });
  await win.getByRole('menuitem', { name: 'Download…' }).click();
  await asksFor('€10.00');
  await win.keyboard.press('Escape');
  await expect(win.getByRole('dialog')).toHaveCount(0);

  await win.keyboard.press('Control+Shift+E');
  await win.getByRole('textbox', { name: 'Name', exact: true }).fill('.bin');
  await win.keyboard.press('Enter');
  await expect(win.getByText('3 found in 3 keys')).toBeVisible();
  const results = win.getByRole('grid', { name: 'Search results' });
  await results.getByRole('row').nth(1).click();
  const toolbar = win.getByRole('toolbar', { name: 'Actions for the results' });
  await toolbar.getByRole('button', { name: 'Download…', exact: true }).click();
  await asksFor('€10.00');
  await win.getByRole('button', { name: 'Select all results' }).click();
  await toolbar.getByRole('button', { name: 'Download…', exact: true }).click();
  await asksFor('€30.00');
  await removeConnection(win, 'Priced all');
});
