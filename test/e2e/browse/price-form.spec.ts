import { expect, type Locator } from '@playwright/test';
import { connection, test } from '../support/fake-window.ts';

/** Returns the distance between the lower end of an element and the upper end of another in px. */
async function distance(above: Locator, below: Locator): Promise<number> {
  const [upper, lower] = [await above.boundingBox(), await below.boundingBox()];
  if (upper === null || lower === null) throw new Error('An element is not visible.');
  return lower.y - upper.y - upper.height;
}

test('the rarely used prices keep a distance to their headings', async ({ open }) => {
  const page = await open({ prices: { shipped: () => [] } });
  await page.getByRole('treeitem', { name: connection.name }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Prices…' }).click();
  const dialog = page.getByRole('dialog', { name: `Prices of ${connection.name}` });
  for (const text of [
    'For the whole account: fee, included amounts, batch jobs',
    'Archive and rarely used prices',
  ]) {
    const part = dialog.locator('details').filter({ hasText: text });
    await part.getByText(text).click();
    const field = part.getByRole('textbox').first().locator('xpath=ancestor::*[label][1]');
    expect(await distance(part.locator('summary'), field)).toBeGreaterThanOrEqual(8);
  }
});
