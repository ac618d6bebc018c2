import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { ServiceCredentials } from '../../support/lab-service/server.ts';
import { revealInTree } from './tree.ts';

/** Every secret that this worker's tests have typed into a form. None may be found in a file afterwards. */
export const typedSecrets = new Set<string>();

export interface ConnectionFields {
  readonly name: string;
  readonly endpoint: string;
  readonly keys: ServiceCredentials;
  /** The provider as named in the form. Absent for MinIO. */
  readonly provider?: string;
}

/** Opens the form of a new connection and fills it. Does not submit it. */
export async function fillConnection(page: Page, fields: ConnectionFields): Promise<Locator> {
  const { name, endpoint, keys, provider = 'MinIO' } = fields;
  const form = page.getByRole('dialog', { name: 'Add a connection' });
  // The start page exchanges its button when its lists are there, maybe between a press and its release.
  await expect(async () => {
    const add = page.getByRole('button', { name: 'Add a connection' }).first();
    if (!(await form.isVisible())) await add.click({ timeout: 5000 });
    await expect(form).toBeVisible({ timeout: 5000 });
  }).toPass();
  await form.getByLabel('Provider').first().click();
  await page.getByRole('option', { name: provider }).click();
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Endpoint').fill(endpoint);
  await form.getByLabel('Access key ID').fill(keys.accessKeyId);
  await form.getByLabel('Secret access key', { exact: true }).fill(keys.secretAccessKey);
  typedSecrets.add(keys.secretAccessKey);
  return form;
}

export async function addConnection(page: Page, fields: ConnectionFields): Promise<void> {
  const form = await fillConnection(page, fields);
  await form.getByRole('button', { name: 'Add connection' }).click();
  await expect(form).toBeHidden();
}

/**
 * Removes a connection: the worker's tests share connections, and a second one of the same service would list its buckets twice.
 */
export async function removeConnection(page: Page, name: string): Promise<void> {
  const row = page.getByRole('treeitem', { name: new RegExp(`^${name}`) });
  await revealInTree(page, row);
  await row.focus();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** Opens the download picker in a folder of the home directory; the test presses its last button. */
export async function openInPicker(page: Page, home: string, folder: string): Promise<Locator> {
  const picker = page.getByRole('dialog', { name: 'Choose the folder to download to' });
  await picker.getByRole('button', { name: 'This computer' }).click();
  for (const name of [path.basename(home), folder])
    await picker.getByRole('row').filter({ hasText: name }).dblclick();
  return picker.getByRole('button', { name: `Choose “${folder}”` });
}
