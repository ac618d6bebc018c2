import { expect, type Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { goTo, grid, labBucket, rowOf, test } from '../support/window.ts';

async function copyAs(page: Page, row: string, form: string): Promise<void> {
  await rowOf(page, row).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: form, exact: true }).click();
}

const clipboard = async (page: Page): Promise<string> =>
  await page.evaluate(() => navigator.clipboard.readText());

test('an object is copied as a command line for other programs with its name quoted', async ({
  win,
  lab,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await labBucket(lab, 'copied-as', ["it's a $HOME.txt", 'letters/a.txt']);
  await goTo(win, 'Lab', 'copied-as');
  const name = String.raw`it'\''s a $HOME.txt`;
  await copyAs(win, "it's a $HOME.txt", 'Key');
  await expect.poll(() => clipboard(win)).toBe("it's a $HOME.txt");
  await copyAs(win, 'letters', 'Prefix');
  await expect.poll(() => clipboard(win)).toBe('letters/');
  await copyAs(win, "it's a $HOME.txt", 's3:// address');
  await expect.poll(() => clipboard(win)).toBe("s3://copied-as/it's a $HOME.txt");
  await copyAs(win, "it's a $HOME.txt", 'Web address');
  await expect.poll(() => clipboard(win)).toMatch(/\/copied-as\/it.*%20a%20%24HOME\.txt$/u);
  await copyAs(win, "it's a $HOME.txt", 'aws s3 cp');
  await expect.poll(() => clipboard(win)).toContain(`aws s3 cp 's3://copied-as/${name}' . --endpoint-url '`);
  expect(await clipboard(win)).toContain(`:${String(lab.port)}'`);
  await copyAs(win, "it's a $HOME.txt", 'curl with a link for a day');
  await expect.poll(() => clipboard(win)).toContain(`--output './${name}' '`);
  expect(await clipboard(win)).toContain('X-Amz-Expires=86400');
  await copyAs(win, 'letters', 'rclone copy');
  await expect.poll(() => clipboard(win)).toMatch(/^rclone copy ':s3,.*:copied-as\/letters' '\.\/letters'$/u);
});

test('the public address of a bucket is asked for once and stored', async ({ win, lab, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await labBucket(lab, 'behind-cdn', ['a b.txt', 'c.txt']);
  await goTo(win, 'Lab', 'behind-cdn');
  await copyAs(win, 'a b.txt', 'Public address');
  const dialog = win.getByRole('dialog', { name: 'Public address of behind-cdn' });
  const field = dialog.getByRole('textbox', { name: 'Address of the bucket for everybody' });
  await expect(field).toBeFocused();
  await field.fill('cdn.example.com');
  await win.keyboard.press('Enter');
  await expect(dialog.getByText('Enter an address that starts with')).toBeVisible();
  expect(await axeFindings(win, '[role="dialog"]')).toEqual([]);
  await field.fill('https://cdn.example.com/files/');
  await win.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect.poll(() => clipboard(win)).toBe('https://cdn.example.com/files/a%20b.txt');
  await copyAs(win, 'c.txt', 'Public address');
  await expect.poll(() => clipboard(win)).toBe('https://cdn.example.com/files/c.txt');
  await copyAs(win, 'c.txt', 'Change the public address…');
  await expect(field).toHaveValue('https://cdn.example.com/files');
  await dialog.getByRole('button', { name: 'Forget' }).click();
  await expect(grid(win)).toBeFocused();
});

test('"Copy as" is reachable from the row\'s menu by keyboard and passes axe', async ({ win, lab }) => {
  await labBucket(lab, 'copy-keys', ['a.txt']);
  await goTo(win, 'Lab', 'copy-keys');
  await rowOf(win, 'a.txt').click();
  await win.keyboard.press('Shift+F10');
  const entry = win.getByRole('menuitem', { name: 'Copy as' });
  await entry.waitFor();
  await win.keyboard.press('ArrowUp');
  await expect(entry).toBeFocused();
  await win.keyboard.press('ArrowRight');
  await expect(win.getByRole('menuitem', { name: 'Key', exact: true })).toBeFocused();
  expect(await axeFindings(win)).toEqual([]);
  await win.keyboard.press('Escape');
  await win.keyboard.press('Escape');
  await expect(win.getByRole('menu')).toHaveCount(0);
  await expect(grid(win)).toBeFocused();
});
