import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { sampleCredentials } from '../../../electron/host/sample-credentials.ts';
import { tarOf } from '../../../electron/service/samples/sample-files.ts';
import { seededBytes } from '../../../electron/service/samples/random.ts';
import { startService } from '../../support/lab-service/server.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import {
  act,
  done,
  jobRow,
  objectBytes,
  openStalled,
  openWindow,
  pick,
  planFrom,
  seconds,
  sha256,
  uploadRow,
  uploadsGrid,
} from '../support/uploads.ts';
import { test } from '../support/window.ts';

const dataDir = removedAtExit('cooper-samples-');
let cooper: RunningCooper;
test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  cooper = await startCooper({ dataDir });
});
test.afterAll(async () => {
  await cooper.end();
});
test.beforeEach(async ({ page }) => {
  await openWindow(page, cooper);
  await openStalled(page, 'Sample buckets');
});

test('the three stalled uploads of the sample buckets are listed with their state', async ({ page }) => {
  await expect(page.getByRole('status').filter({ hasText: '3 uploads' })).toBeVisible();
  await expect(uploadRow(page, 'website.tar')).toContainText('No gaps');
  await expect(uploadRow(page, 'harbour at dawn.wav')).toContainText('Has gaps');
  await expect(uploadRow(page, 'buoys-2025.csv')).toContainText('No gaps');
  // The parts of the visible rows are loaded: the heading shows their total size.
  await expect(page.getByText(/^3 uploads, 2[78](?:\.\d)?\sMiB stored, oldest from /u)).toBeVisible();
});

test('the upload of website.tar is completed with the parts that are stored', async ({ page }) => {
  await act(page, 'website.tar', 'Complete as it is…');
  const dialog = page.getByRole('dialog', { name: 'Complete this upload as it is?' });
  await expect(dialog.getByText('The 3 stored parts become one object of')).toBeVisible();
  await expect(dialog.getByText('No object exists at this key yet.')).toBeVisible();
  await expect(
    dialog.getByText('Neither the service nor Cooper knows the intended length of the object'),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Complete', exact: true }).click();
  await expect(jobRow(page, 'website.tar')).toContainText(done);
  await expect(uploadRow(page, 'website.tar')).toHaveCount(0);
  await expect(uploadsGrid(page)).toHaveAttribute('aria-rowcount', '3');
});

test('the upload of harbour at dawn.wav is resumed from its file by sending only the missing part', async ({
  page,
}) => {
  const dialog = await planFrom(page, 'harbour at dawn.wav', 'harbour at dawn.wav');
  await expect(dialog.getByText('3 stored parts match your file.')).toBeVisible();
  await expect(dialog.getByText('1 part is missing. Cooper sends it.')).toBeVisible();
  await expect(dialog.getByText(/^To send: 5.* of 1[78]/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Start sending' }).click();
  await expect(jobRow(page, 'harbour at dawn.wav')).toContainText(done, seconds(20));
  await expect(uploadRow(page, 'harbour at dawn.wav')).toHaveCount(0);
});

test("the upload of buoys-2025.csv refuses the previous year's file and is finished from the right one", async ({
  page,
}) => {
  const dialog = await planFrom(page, 'buoys-2025.csv', 'buoys-2024.csv');
  const refusal = dialog.getByRole('alert');
  await expect(refusal).toContainText('This does not seem to be the right file');
  await expect(refusal).toContainText('No stored part matches this file. Nothing was sent or changed.');
  await expect(dialog.getByRole('button', { name: 'Start sending' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Choose another file…' }).click();
  await pick(page, 'buoys-2025.csv');
  await expect(dialog.getByText('1 stored part matches your file')).toBeVisible();
  await dialog.getByRole('button', { name: 'Start sending' }).click();
  await expect(jobRow(page, 'buoys-2025.csv')).toContainText(done, seconds(20));
  await expect(page.getByRole('heading', { name: 'No stalled uploads' })).toBeVisible();
});

test("a completed upload has its file's SHA-256, and every transfer is still listed", async ({ page }) => {
  await expect(jobRow(page, 'website.tar')).toContainText(done);
  await cooper.end();
  const service = await startService({
    dataDir: path.join(dataDir, 'sample-buckets'),
    credentials: [sampleCredentials(dataDir)],
    region: 'us-east-1',
  });
  try {
    const read = (key: string) =>
      objectBytes(service.endpoint, sampleCredentials(dataDir), { bucket: 'backups', key });
    for (const [key, file] of [
      ['recordings/harbour at dawn.wav', 'harbour at dawn.wav'],
      ['measurements/buoys-2025.csv', 'buoys-2025.csv'],
    ] as const)
      expect(sha256(await read(key)), key).toBe(
        sha256(readFileSync(path.join(dataDir, 'sample-files', file))),
      );

    const archive = await read('2026/website.tar');
    const modifiedMs = 1000 * Number.parseInt(archive.toString('latin1', 136, 147), 8);
    const mebi = 1024 * 1024;
    const page1 = Buffer.from('<!doctype html><title>Harbour</title><h1>Harbour</h1>\n');
    const made = tarOf(
      [
        { name: 'website/index.html', bytes: page1 },
        { name: 'website/database.bin', bytes: seededBytes('website database', 8 * mebi) },
        { name: 'website/pictures.bin', bytes: seededBytes('website pictures', 3 * mebi - 77_777) },
      ],
      modifiedMs,
    );
    expect(sha256(archive)).toBe(sha256(made));
  } finally {
    await service.close();
  }
});
