import { expect, type Locator, type Page } from '@playwright/test';
import type { Service } from '../../support/lab-service/server.ts';
import { grid } from '../support/window.ts';

/** Opens an object of the current folder and returns the dialog. Types its name if the row is not visible. */
export async function open(page: Page, name: string): Promise<Locator> {
  const row = grid(page).getByText(name, { exact: true });
  await expect(grid(page).getByRole('row').nth(1)).toBeVisible();
  // A busy machine may pause between two letters, after which type-ahead starts a new name.
  await expect(async () => {
    if (await row.isVisible()) return;
    await grid(page).focus();
    await page.keyboard.type(name);
    await expect(row).toBeVisible({ timeout: 2000 });
  }).toPass();
  await row.dblclick();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  return dialog;
}

export async function putAll(
  lab: Service,
  bucketName: string,
  objects: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const bucket = lab.store.buckets.create(bucketName, 1e12);
  if (bucket === null) throw new Error(`The bucket ${bucketName} already exists.`);
  for (const [key, content] of Object.entries(objects))
    await lab.store.putBytes(bucket.id, key, Buffer.from(content as string), { modifiedMs: 1e12 });
}

export interface Asked {
  requests: number;
  bytes: number;
}

/** Counts the window's reads of objects from now on. */
export function countReads(page: Page): Asked {
  const asked: Asked = { requests: 0, bytes: 0 };
  page.on('response', (response) => {
    if (!new URL(response.url()).pathname.startsWith('/bytes/')) return;
    asked.requests += 1;
    asked.bytes += Number(response.headers()['content-length'] ?? 0);
  });
  return asked;
}

/** Checks that the buttons above the content are on one line. */
export async function expectOneLine(dialog: Locator, among: Locator): Promise<void> {
  const [first, last] = [
    await among.boundingBox(),
    await dialog.getByRole('button', { name: 'Download' }).boundingBox(),
  ];
  if (first === null || last === null) throw new Error('They are not drawn.');
  expect(Math.abs(first.y + first.height / 2 - last.y - last.height / 2)).toBeLessThan(3);
}
