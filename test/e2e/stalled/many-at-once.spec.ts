import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import {
  objectBytes,
  openStalled,
  panel,
  partSize,
  sampleFile,
  sha256,
  stall,
  toolbar,
  uploadRow,
  uploadsGrid,
} from '../support/uploads.ts';
import { axeFindings } from '../support/axe.ts';
import { labKeys, test } from '../support/window.ts';

const count = 300;

async function selectAll(page: Page, amount: number): Promise<void> {
  await uploadsGrid(page).focus();
  await page.keyboard.press('Control+a');
  await expect(page.getByText(`${amount} selected`)).toBeVisible();
}

function jobOf(page: Page, bucket: string) {
  return panel(page)
    .getByRole('grid')
    .getByRole('row')
    .filter({ hasText: `${bucket}/` })
    .first();
}

test('300 uploads are aborted as one transfer with one report, and the others stay', async ({ win, lab }) => {
  const bucket = 'abort-all';
  const part = Buffer.alloc(1000);
  for (let at = 0; at < count; at += 1)
    await stall(lab, { bucket, key: `logs/${String(at).padStart(3, '0')}.gz` }, part, [1]);
  await stall(lab, { bucket, key: 'kept.gz' }, part, [1]);
  await openStalled(win, 'Lab', bucket);
  await expect(win.getByRole('status').filter({ hasText: '301 uploads' })).toBeVisible();
  await selectAll(win, 301);
  await uploadRow(win, 'kept.gz').click({ modifiers: ['ControlOrMeta'] });
  await toolbar(win).getByRole('button', { name: 'Abort…' }).click();
  const dialog = win.getByRole('dialog', { name: 'Abort 300 uploads?' });
  await dialog.getByLabel('Number of uploads').fill('300');
  await dialog.getByRole('button', { name: 'Abort 300 uploads' }).click();
  const row = jobOf(win, bucket);
  await expect(row).toContainText('Done. Aborted 300 uploads, freed 293 KiB');
  await expect(row).toContainText('and 299 more');
  await expect(uploadsGrid(win).getByRole('row')).toHaveCount(2);
  await expect(uploadRow(win, 'kept.gz')).toBeVisible();
  const asked = lab.faults.journal.filter(
    (record) => record.operation === 'AbortMultipartUpload' && record.bucket === bucket,
  );
  expect(asked).toHaveLength(count);

  await row.click();
  await win.keyboard.press('Enter');
  const saved = win.waitForEvent('download');
  await win.getByRole('button', { name: 'Save report' }).click();
  await win.getByRole('menuitem', { name: 'As CSV…' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('abort-all-report.csv');
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(count + 1);
  expect(lines[1]).toMatch(/^abort-all,logs\/000\.gz,[^,]+,done,,1000$/u);
  expect(await axeFindings(win)).toEqual([]);
});

test('201 uploads are completed as one transfer, and those that need a decision are left with reasons', async ({
  win,
  lab,
}) => {
  const bucket = 'complete-all';
  const part = Buffer.from('whole');
  for (let at = 0; at < 200; at += 1)
    await stall(lab, { bucket, key: `logs/${String(at).padStart(3, '0')}.gz` }, part, [1]);
  await stall(lab, { bucket, key: 'logs/gaps.gz' }, Buffer.alloc(11 * 1024 * 1024), [1, 3]);
  await openStalled(win, 'Lab', bucket);
  await expect(win.getByRole('status').filter({ hasText: '201 uploads' })).toBeVisible();
  await selectAll(win, 201);
  await toolbar(win).getByRole('button', { name: 'Complete as it is…' }).click();
  const dialog = win.getByRole('dialog', { name: 'Complete 201 uploads as they are?' });
  await expect(dialog).toContainText('in one transfer');
  expect(await axeFindings(win)).toEqual([]);
  await dialog.getByRole('button', { name: 'Complete 201 uploads' }).click();
  const row = jobOf(win, bucket);
  await expect(row).toContainText(/of 201 failed\. /u, { timeout: 20_000 });
  await row.click();
  await win.keyboard.press('Enter');
  const failed = win.getByRole('region', { name: 'Failed items' });
  await expect(failed).toContainText('parts are missing between others');
  await expect(failed.getByRole('listitem')).toHaveCount(1);
  await expect(uploadRow(win, 'gaps.gz')).toBeVisible();
  await expect(uploadsGrid(win).getByRole('row')).toHaveCount(2);
});

test('uploads are resumed from a folder as one transfer with one report, sending only missing parts', async ({
  win,
  lab,
  cooper,
}) => {
  const bucket = 'resume-all';
  const files = ['one.img', 'two.img', 'three.img'].map((name, at) => ({
    name,
    bytes: sampleFile(cooper.dataDir, `resume-all-${name}`, 2 * partSize + at, 60 + at),
  }));
  for (const { name, bytes } of files)
    await stall(lab, { bucket, key: `disks/resume-all-${name}` }, bytes, [1]);
  await stall(lab, { bucket, key: 'disks/nowhere.img' }, Buffer.alloc(10), [1]);
  await openStalled(win, 'Lab', bucket);
  await expect(win.getByRole('status').filter({ hasText: '4 uploads' })).toBeVisible();
  await selectAll(win, 4);
  await toolbar(win).getByRole('button', { name: 'Resume from a folder…' }).click();
  const dialog = win.getByRole('dialog', { name: 'Resume several from a folder' });
  await dialog.getByRole('button', { name: 'Choose the folder…' }).click();
  const picker = win.getByRole('dialog', { name: 'Choose the folder with the files' });
  await picker.getByRole('button', { name: 'This computer' }).click();
  await picker.getByRole('row').filter({ hasText: 'sample-files' }).dblclick();
  await picker.getByRole('button', { name: 'Choose “sample-files”' }).click();
  await expect(dialog).toContainText('3 of 4 have a file that matches by name and size.');
  await dialog.getByRole('button', { name: 'Compare 3 files' }).click();
  await expect(dialog).toContainText('3 uploads are ready');
  expect(await axeFindings(win)).toEqual([]);
  await dialog.getByRole('button', { name: 'Start 3 uploads' }).click();
  const row = jobOf(win, bucket);
  await expect(row).toContainText('Done. Finished 3 uploads', { timeout: 30_000 });
  await expect(row).toContainText('and 2 more');
  await expect(uploadsGrid(win).getByRole('row')).toHaveCount(2);
  for (const { name, bytes } of files) {
    const key = `disks/resume-all-${name}`;
    expect(sha256(await objectBytes(lab.endpoint, labKeys, { bucket, key }))).toBe(sha256(bytes));
  }
  await row.click();
  await win.keyboard.press('Enter');
  const saved = win.waitForEvent('download');
  await win.getByRole('button', { name: 'Save report' }).click();
  await win.getByRole('menuitem', { name: 'As CSV…' }).click();
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(/^resume-all,disks\/resume-all-\w+\.img,[^,]+,done,,\d+$/u);
});
