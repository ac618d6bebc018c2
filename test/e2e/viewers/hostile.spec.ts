import { expect, type Page } from '@playwright/test';
import { en } from '../../../shared/messages/en/index.ts';
import type { Service } from '../../support/lab-service/server.ts';
import { changedSamples } from '../../support/hostile/changed-samples.ts';
import { hostileArchives } from '../../support/hostile/archives.ts';
import { hostileDocuments } from '../../support/hostile/documents.ts';
import { hostileMedia } from '../../support/hostile/media.ts';
import { memoryOf } from '../../support/process-memory.ts';
import { isWhole, sampleOf, seed } from '../../support/sample.ts';
import { goTo, test } from '../support/window.ts';
import { longestAwayMs, maxBytes, watchWindow } from './hostile.ts';
import { open, putAll } from './viewing.ts';

/** The number of files per kind that `npm test` opens, from one seed; `npm run test:whole` opens all, from more seeds. */
const few = 12;

test('hostile archives and compressed files are reported, and nothing in them expands, runs or escapes', async ({
  win,
  lab,
}) => {
  await openEach(win, lab, 'hostile-archives', hostileArchives());
});

test('hostile texts, trees, tables, Markdown and PDFs run nothing, fetch nothing and stay small', async ({
  win,
  lab,
}) => {
  await openEach(win, lab, 'hostile-documents', hostileDocuments());
});

test('hostile images and recordings run nothing and fetch nothing', async ({ win, lab }) => {
  await openEach(win, lab, 'hostile-media', await hostileMedia());
});

for (const round of isWhole ? [1, 2, 3, 6, 8] : [seed])
  test(`randomly altered samples of each kind (${String(round)}) are shown or reported; nothing runs, loads or grows`, async ({
    win,
    lab,
  }) => {
    await openEach(win, lab, `changed-samples-${String(round)}`, changedSamples(String(round)));
  });

/** Opens the files one after another, each in its viewer and as text. */
async function openEach(
  page: Page,
  lab: Service,
  bucketName: string,
  all: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  test.setTimeout(240_000);
  const files = Object.fromEntries(sampleOf(Object.entries(all), few));
  await putAll(lab, bucketName, files);
  const happened: string[] = [];
  await page.exposeFunction('MARK', () => {
    happened.push('a script ran');
  });
  page.on('pageerror', (error) => happened.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => happened.push(`dialog: ${dialog.message()}`));
  page.on('download', () => happened.push('something was saved'));
  page.context().on('page', () => happened.push('another page was opened'));
  await goTo(page, 'Lab', `${bucketName}/`);
  const { origin } = new URL(page.url());
  page.on('request', (request) => {
    const { protocol, origin: asked, pathname } = new URL(request.url());
    const isOwn = asked === origin && /^\/(?:bytes|assets)\//.test(pathname);
    if (protocol.startsWith('http') && !isOwn) happened.push(`asked ${request.url()}`);
  });
  const awayMs = await watchWindow(page);
  const memory = memoryOf(process.pid);
  for (const name of Object.keys(files)) {
    const dialog = await open(page, name);
    await expect(dialog.getByRole('status', { name: en.viewers.loading }), name).toHaveCount(0, {
      timeout: 30_000,
    });
    // Any file can be shown as bytes.
    const isText = (await dialog.locator('[data-viewer="text"]').count()) > 0;
    if (!isText)
      await expect(dialog.getByRole('button', { name: en.viewers.showAsText }).first(), name).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog, name).toBeHidden();
    expect(happened, name).toEqual([]);
    expect.soft(await awayMs(), name).toBeLessThan(longestAwayMs);
  }
  await expect.poll(() => page.workers().length).toBe(0);
  expect(memory.largestBytes()).toBeLessThan(maxBytes);
}
