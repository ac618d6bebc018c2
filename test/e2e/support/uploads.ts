import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { ServiceCredentials, Service } from '../../support/lab-service/server.ts';
import { addConnection } from './forms.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';
import { clientFor } from '../../support/servers/s3-client.ts';
import type { RunningCooper } from '../../support/window/start-cooper.ts';
import { crumb, openConnection, sidebarRow, typeAddress } from './window.ts';

export const partSize = 5 * 1024 * 1024;
const dayMs = 86_400_000;

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes a file to the folder of samples, which the picker shows as a root. Returns its bytes. */
export function sampleFile(dataDir: string, name: string, sizeBytes: number, seed: number): Buffer {
  const bytes = bytesOf(sizeBytes, seed);
  const dir = path.join(dataDir, 'sample-files');
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, name), bytes);
  return bytes;
}

/** Creates an upload that another program started two days ago. Returns its id. Creates the bucket if missing. */
export async function stall(
  service: Service,
  place: { readonly bucket: string; readonly key: string },
  bytes: Buffer,
  parts: readonly number[],
): Promise<string> {
  const initiatedMs = Date.now() - 2 * dayMs;
  const bucket =
    service.store.buckets.get(place.bucket) ?? service.store.buckets.create(place.bucket, initiatedMs);
  if (bucket === null) throw new Error(`There is no bucket ${place.bucket}.`);
  const uploadId = service.store.createUpload(bucket.id, place.key, {
    initiatedMs,
    storageClass: 'STANDARD',
    attributes: { headers: {}, metadata: {} },
    checksumAlgorithm: null,
    checksumType: null,
  });
  for (const part of parts) {
    const slice = bytes.subarray((part - 1) * partSize, part * partSize);
    await service.store.putPartBytes(uploadId, part, slice, initiatedMs + part * 1000);
  }
  return uploadId;
}

/** Returns the object as any other client reads it, by a signed GET. */
export async function objectBytes(
  endpoint: string,
  keys: ServiceCredentials,
  place: { readonly bucket: string; readonly key: string },
): Promise<Buffer> {
  const { client } = clientFor(endpoint, { credentials: () => Promise.resolve(keys) });
  const { body } = await client.getObject(place);
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** Returns the part numbers sent to a service, in request order, from a position on. */
export function sentParts(service: Service, key: string, from = 0): readonly number[] {
  return service.faults.journal
    .slice(from)
    .filter((entry) => entry.operation === 'UploadPart' && entry.key === key)
    .map((entry) => entry.partNumber ?? 0);
}

/** Returns how often a service received an operation for this key. */
export function asked(service: Service, operation: string, key: string): number {
  return service.faults.journal.filter((entry) => entry.operation === operation && entry.key === key).length;
}

/** Adds a connection in the window, by its form. */
export async function connect(
  page: Page,
  name: string,
  { endpoint }: { readonly endpoint: string },
  keys: ServiceCredentials,
  provider = 'MinIO',
): Promise<void> {
  await addConnection(page, { name, endpoint, keys, provider });
  await expect(crumb(page)).toHaveText(name);
}

export async function openWindow(page: Page, cooper: RunningCooper): Promise<void> {
  await page.goto(await cooper.newAddress());
  await expect(sidebarRow(page, 'Sample buckets')).toBeVisible();
  await showTransfers(page);
}

/** Opens the stalled uploads of a bucket, or of the whole connection without a bucket. */
export async function openStalled(page: Page, connection: string, bucket?: string): Promise<void> {
  await openConnection(page, connection);
  if (bucket !== undefined) {
    await typeAddress(page, bucket);
    await expect(crumb(page)).toHaveText(bucket);
  }
  await page.keyboard.press('Alt+u');
  await expect(page.getByRole('heading', { name: 'Stalled uploads', level: 1 })).toBeVisible();
}

export const uploadsGrid = (page: Page): Locator => page.getByRole('grid', { name: 'Stalled uploads' });
export const uploadRow = (page: Page, name: string): Locator =>
  uploadsGrid(page).getByRole('row').filter({ hasText: name });
export const toolbar = (page: Page): Locator =>
  page.getByRole('toolbar', { name: 'Actions for stalled uploads' });
export const panel = (page: Page): Locator => page.getByRole('region', { name: 'Transfers', exact: true });
export const jobRow = (page: Page, name: string): Locator =>
  panel(page).getByRole('grid').getByRole('row').filter({ hasText: name });

/** Opens the list of transfers if it is closed, because a starting transfer does not open it. */
export async function showTransfers(page: Page): Promise<void> {
  await expect(async () => {
    if (!(await panel(page).isVisible())) await page.getByTitle('Show transfers').click({ timeout: 500 });
    await expect(panel(page)).toBeVisible({ timeout: 1000 });
  }).toPass();
}

export async function hideTransfers(page: Page): Promise<void> {
  await expect(async () => {
    if (await panel(page).isVisible())
      await page.getByTitle('Hide transfers').first().click({ timeout: 500 });
    await expect(panel(page)).toBeHidden({ timeout: 1000 });
  }).toPass();
}

/**
 * Waits until a transfer shows this text. Opens the list if closed: a window's state is saved with a delay, so a killed one may
 * have lost it.
 */
export async function expectTransfer(page: Page, name: string, text: string): Promise<void> {
  await expect(async () => {
    if (!(await panel(page).isVisible())) await page.getByTitle('Show transfers').click({ timeout: 500 });
    await expect(jobRow(page, name).first()).toContainText(text, { timeout: 2000 });
  }).toPass({ timeout: 60_000 });
}

/** Selects an upload and chooses an action for it. */
export async function act(page: Page, name: string, action: string): Promise<void> {
  await uploadRow(page, name).click();
  await expect(uploadRow(page, name)).toHaveAttribute('aria-selected', 'true');
  await toolbar(page).getByRole('button', { name: action }).click();
}

/** Chooses a file in the picker, starting from the roots of this computer. */
export async function pick(page: Page, name: string, folder = 'sample-files'): Promise<void> {
  const picker = page.getByRole('dialog', { name: /^Choose the file/ });
  await picker.getByRole('button', { name: 'This computer' }).click();
  await picker.getByRole('row').filter({ hasText: folder }).dblclick();
  await picker.getByRole('row').filter({ hasText: name }).dblclick();
  await expect(picker).toBeHidden();
}

/** Opens the plan for resuming an upload from a file. Does not start it. */
export async function planFrom(page: Page, upload: string, file: string): Promise<Locator> {
  await act(page, upload, 'Resume from a file…');
  const dialog = page.getByRole('dialog', { name: 'Resume from a file' });
  await dialog.getByRole('button', { name: 'Choose the file…' }).click();
  await pick(page, file);
  return dialog;
}

export const done = 'Done. The object has the expected size and ETag';
export const seconds = (count: number): { readonly timeout: number } => ({ timeout: count * 1000 });
