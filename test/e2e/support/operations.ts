import { expect, type Locator, type Page } from '@playwright/test';
import type { Service } from '../../support/lab-service/server.ts';
import { axeFindings } from './axe.ts';
import { panel, showTransfers } from './uploads.ts';
import { grid, rowOf, selected, typeAddress } from './window.ts';

/** Returns all keys of a lab bucket, in order. */
export function labKeysOf(lab: Service, bucket: string): readonly string[] {
  const row = lab.store.buckets.get(bucket);
  if (row === null) throw new Error(`There is no bucket ${bucket}.`);
  return lab.store
    .list(row.id, { prefix: '', delimiter: '', after: null, limit: 10_000 })
    .rows.map(({ key }) => key);
}

/** Creates a bucket in the visible connection, as a user does, and opens it. */
export async function makeBucket(page: Page, bucket: string): Promise<void> {
  await page.keyboard.press('Alt+n');
  const dialog = page.getByRole('dialog', { name: /bucket/u });
  await dialog.getByRole('textbox').first().fill(bucket);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden({ timeout: 20_000 });
  await typeAddress(page, bucket);
}

/** Waits until the bucket has exactly these keys. Does not trust the panel, which may show an older job with the same text. */
export async function expectLabKeys(lab: Service, bucket: string, keys: readonly string[]): Promise<void> {
  await expect.poll(() => labKeysOf(lab, bucket), { timeout: 20_000 }).toEqual(keys);
}

/** Selects rows by clicks. */
export async function selectRows(page: Page, ...names: readonly string[]): Promise<void> {
  const [first = '', ...others] = names;
  await rowOf(page, first).click();
  for (const name of others) await rowOf(page, name).click({ modifiers: ['ControlOrMeta'] });
  await expect(selected(page)).toHaveCount(names.length);
}

/** Presses a key in the list, which must have focus. */
export async function pressInList(page: Page, key: string): Promise<void> {
  await grid(page).focus();
  await page.keyboard.press(key);
}

/** Returns the field in which the list edits the name of a row. */
export const nameField = (page: Page, name: string): Locator =>
  page.getByRole('textbox', { name: `New name of ${name}`, exact: true });

/** Renames the selected row in the list. */
export async function renameInList(page: Page, before: string, name: string): Promise<void> {
  await pressInList(page, 'F2');
  await expect(nameField(page, before)).toBeFocused();
  await nameField(page, before).fill(name);
  await page.keyboard.press('Enter');
}

export const dialogOf = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });

/** Waits until a job in the panel shows this text; any of several similar ones may match. */
export async function expectJob(page: Page, text: string): Promise<void> {
  await showTransfers(page);
  await expect(panel(page).getByRole('grid').getByRole('row').filter({ hasText: text }).first()).toBeVisible({
    timeout: 20_000,
  });
}

/** Waits until the newest transfer has ended this way; it cannot be undone before. */
export async function ended(page: Page, words: string): Promise<void> {
  await showTransfers(page);
  await expect(panel(page).getByRole('grid').getByRole('row').first()).toContainText(words, {
    timeout: 30_000,
  });
}

/** Checks that axe finds nothing in the open dialog, in either theme. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await axeFindings(page, '[role="dialog"]'), colorScheme).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
