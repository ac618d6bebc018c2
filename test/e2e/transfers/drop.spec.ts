import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { startCooper, type RunningCooper } from '../../support/start-cooper.ts';
import { jobRow, openWindow, seconds } from '../support/uploads.ts';
import { goTo, rowOf } from '../support/window.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'cooper-drops-'));
let cooper: RunningCooper;
test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  cooper = await startCooper({ dataDir });
});
test.afterAll(async () => {
  await cooper.end();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Holds files above the list, and lets them go where `kind` says so. */
async function drag(page: Page, kind: 'dragover' | 'drop', names: readonly string[]): Promise<void> {
  await page.getByTestId('drop-upload').evaluate(
    (area, [type, files]) => {
      const data = new DataTransfer();
      for (const name of files) data.items.add(new File([`bytes of ${name}`], name));
      for (const step of ['dragenter', type])
        area.dispatchEvent(new DragEvent(step, { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [kind, [...names]] as const,
  );
}

test('files held above a folder are counted, and uploaded where they are let go', async ({ page }) => {
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups');
  await expect(page.getByRole('heading', { name: 'Contents of backups' })).toBeAttached();
  await drag(page, 'dragover', ['one.txt', 'two.txt', 'three.txt']);
  await expect(page.getByText('Drop to upload 3 items to backups')).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('over.png') });
  await drag(page, 'drop', ['one.txt', 'two.txt', 'three.txt']);
  await expect(page.getByText('Drop to upload 3 items to backups')).toBeHidden();
  await expect(page.getByText('Done. Everything is uploaded').first()).toBeVisible(seconds(20));
  await page.keyboard.press('F5');
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await expect(rowOf(page, name)).toBeVisible();
});

test('three hundred files go in one batch', async ({ page }) => {
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups');
  await expect(page.getByRole('heading', { name: 'Contents of backups' })).toBeAttached();
  const bodies: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') bodies.push(request.url());
  });
  await drag(
    page,
    'drop',
    Array.from({ length: 300 }, (_, index) => `many-${index}.txt`),
  );
  await expect(jobRow(page, 'many-')).toContainText('Done. Everything is uploaded', seconds(60));
  expect(bodies).toHaveLength(1);
});

test('pasted files are uploaded into the folder that is shown', async ({ page }) => {
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups');
  await expect(page.getByRole('heading', { name: 'Contents of backups' })).toBeAttached();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['pasted'], 'pasted.txt'));
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  });
  await expect(jobRow(page, 'pasted.txt')).toContainText('Done. Everything is uploaded', seconds(20));
});
