import { expect } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { goTo, test } from '../support/window.ts';
import { countReads, open, putAll } from './viewing.ts';

test('the bytes of any file are shown, searched and jumped to, reading only visible ones', async ({
  win,
  lab,
}) => {
  const bytes = Buffer.alloc(3_000_000);
  bytes.write('Hidden in the middle', 2_000_005);
  bytes.write('\xde\xad\xbe\xef', bytes.length - 4, 'latin1');
  await putAll(lab, 'raw-bytes', { 'unknown.bin': bytes });
  await goTo(win, 'Lab', 'raw-bytes/');
  const asked = countReads(win);
  const dialog = await open(win, 'unknown.bin');
  await dialog.getByRole('button', { name: 'Show bytes' }).click();
  const table = dialog.getByRole('grid', { name: 'Bytes of unknown.bin' });
  await expect(table.getByRole('row').nth(1)).toContainText('00000000');
  await expect(table.getByRole('row').nth(1)).toContainText('00 00 00');
  expect(await axeFindings(win)).toEqual([]);

  await dialog.getByRole('textbox', { name: 'Go to offset' }).fill('0x2dc6b0');
  await win.keyboard.press('Enter');
  await expect(table.getByRole('row').last()).toContainText('de ad be ef');
  expect(asked.bytes).toBeLessThan(1_500_000);

  await dialog.getByRole('textbox', { name: 'Go to offset' }).fill('0');
  await win.keyboard.press('Enter');
  const find = dialog.getByRole('textbox', { name: 'Find' });
  await find.fill('HIDDEN in');
  await find.press('Enter');
  await expect(table.locator('mark').last()).toHaveText('Hidden in');
  await find.fill('de ad');
  await dialog.getByRole('combobox', { name: 'Search for' }).selectOption('Bytes');
  await dialog.getByRole('button', { name: 'Next match' }).click();
  await expect(table.locator('mark').first()).toHaveText('de ad');
  await find.fill('xyz');
  await find.press('Enter');
  await expect(dialog.getByText('Write bytes in hexadecimal')).toBeVisible();
  await dialog.getByRole('button', { name: 'Back to the preview' }).click();
  await expect(dialog.getByText('No preview for this type of object')).toBeVisible();
});
