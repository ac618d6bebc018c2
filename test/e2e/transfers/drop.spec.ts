import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import { jobRow, openWindow, seconds } from '../support/uploads.ts';
import { goTo, rowOf, test } from '../support/window.ts';

const dataDir = removedAtExit('cooper-drops-');
let cooper: RunningCooper;
test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  cooper = await startCooper({ dataDir });
});
test.afterAll(async () => {
  await cooper.end();
});

/** Drags files over the list, and drops them if `kind` says so. */
async function drag(
  page: Page,
  kind: 'dragover' | 'dragleave' | 'drop',
  names: readonly string[],
): Promise<void> {
  await page.getByTestId('drop-upload').evaluate(
    (area, [type, files]) => {
      const data = new DataTransfer();
      for (const name of files) data.items.add(new File([`bytes of ${name}`], name));
      for (const step of type === 'dragleave' ? [type] : ['dragenter', type])
        area.dispatchEvent(new DragEvent(step, { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [kind, [...names]] as const,
  );
}

test('files dragged over a folder are counted and uploaded when dropped', async ({ page }) => {
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups');
  await expect(page.getByRole('heading', { name: 'Contents of backups' })).toBeAttached();
  await drag(page, 'dragover', ['one.txt', 'two.txt', 'three.txt']);
  await expect(page.getByText('Drop to upload 3 items to backups')).toBeVisible();
  expect(await axeFindings(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath('over.png') });
  await drag(page, 'drop', ['one.txt', 'two.txt', 'three.txt']);
  await expect(page.getByText('Drop to upload 3 items to backups')).toBeHidden();
  await expect(page.getByText('Done. Uploaded ').first()).toBeVisible(seconds(20));
  await page.keyboard.press('F5');
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await expect(rowOf(page, name)).toBeVisible();
});

test('three hundred dropped files are sent in one batch', async ({ page }) => {
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
  await expect(jobRow(page, 'many-')).toContainText('Done. Uploaded ', seconds(60));
  expect(bodies).toHaveLength(1);
});

test('pasted files are uploaded into the current folder', async ({ page }) => {
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
  await expect(jobRow(page, 'pasted.txt')).toContainText('Done. Uploaded ', seconds(20));
});

/** Drags real files and folders over the list, as the system passes them to the page. */
async function dragReal(
  page: Page,
  type: 'dragOver' | 'drop',
  at: Locator,
  files: readonly string[],
): Promise<void> {
  const box = await at.boundingBox();
  if (box === null) throw new Error('It is not on the page.');
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  const where = { x: box.x + Math.min(60, box.width / 2), y: box.y + box.height / 2, data };
  for (const step of ['dragEnter', 'dragOver', ...(type === 'drop' ? (['drop'] as const) : [])] as const)
    await session.send('Input.dispatchDragEvent', { type: step, ...where });
  await session.detach();
}

/** Creates a folder with nested files and an empty folder. Not in /dev/shm: pages may not read below /dev. */
function album(): string {
  const root = test.info().outputPath('dropped', 'album');
  mkdirSync(path.join(root, 'deep', 'deeper'), { recursive: true });
  mkdirSync(path.join(root, 'empty'));
  writeFileSync(path.join(root, 'cover.txt'), 'cover');
  writeFileSync(path.join(root, 'deep', 'deeper', 'Grüße & co.txt'), 'greetings');
  return root;
}

test('a dropped folder is uploaded with all its content', async ({ page }) => {
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups');
  await expect(page.getByRole('heading', { name: 'Contents of backups' })).toBeAttached();
  await dragReal(page, 'drop', page.getByTestId('drop-upload'), [album()]);
  await expect(jobRow(page, 'album')).toContainText('Done. Uploaded ', seconds(20));
  await page.keyboard.press('F5');
  await rowOf(page, 'album').dblclick();
  for (const name of ['cover.txt', 'deep', 'empty']) await expect(rowOf(page, name)).toBeVisible();
  await rowOf(page, 'deep').dblclick();
  await rowOf(page, 'deeper').dblclick();
  await expect(rowOf(page, 'Grüße & co.txt')).toBeVisible();
});

test("files dropped on a folder's row go into that folder", async ({ page }) => {
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups');
  const target = rowOf(page, 'album');
  await expect(target).toBeVisible();
  const file = path.join(album(), 'cover.txt');
  const moved = file.replace('cover.txt', 'onto-the-row.txt');
  renameSync(file, moved);
  await dragReal(page, 'dragOver', target, [moved]);
  await expect(page.getByText('Drop to upload 1 item to album')).toBeVisible();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: test.info().outputPath(`row-${scheme}.png`) });
  }
  await dragReal(page, 'drop', target, [moved]);
  await expect(jobRow(page, 'onto-the-row.txt')).toContainText('Done. Uploaded ', seconds(20));
  await rowOf(page, 'album').dblclick();
  await expect(rowOf(page, 'onto-the-row.txt')).toBeVisible();
});

test('the drop target is visible in both themes and in a narrow window', async ({ page }) => {
  test.slow();
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups');
  await expect(page.getByRole('heading', { name: 'Contents of backups' })).toBeAttached();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [1280, 480]) {
      await page.setViewportSize({ width, height: 800 });
      await drag(page, 'dragover', ['one.txt', 'two.txt']);
      await expect(page.getByText('Drop to upload 2 items to backups')).toBeInViewport({ ratio: 1 });
      expect(await axeFindings(page)).toEqual([]);
      await page.screenshot({ path: test.info().outputPath(`target-${scheme}-${width}.png`) });
      await drag(page, 'dragleave', ['one.txt', 'two.txt']);
      await expect(page.getByText('Drop to upload 2 items to backups')).toBeHidden();
    }
  }
});

test('Ctrl+V pastes system files while nothing was copied in Cooper', async ({ page }) => {
  await openWindow(page, cooper);
  await goTo(page, 'Sample buckets', 'backups');
  await expect(page.getByRole('heading', { name: 'Contents of backups' })).toBeAttached();
  await page.evaluate(() => {
    addEventListener(
      'paste',
      () => {
        document.body.dataset['pastes'] = String(Number(document.body.dataset['pastes'] ?? 0) + 1);
      },
      { capture: true },
    );
  });
  // Pastes from the focused list, and from the elements that Tab reaches.
  await page.keyboard.press('Control+v');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+v');
  await expect(page.locator('body')).toHaveAttribute('data-pastes', '2');
});
