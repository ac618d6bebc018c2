import { expect, type Locator, type Page } from '@playwright/test';

export const results = (page: Page): Locator => page.getByRole('grid', { name: 'Search results' });

export const nameField = (page: Page): Locator => page.getByRole('textbox', { name: 'Name', exact: true });

/** Starts a search in the current location by keyboard. */
export async function searchFor(page: Page, text: string, kind?: string): Promise<void> {
  await page.keyboard.press('Control+Shift+E');
  await expect(nameField(page)).toBeFocused();
  if (kind !== undefined) await page.getByLabel('Match', { exact: true }).selectOption(kind);
  await nameField(page).fill(text);
  await nameField(page).press('Enter');
}
