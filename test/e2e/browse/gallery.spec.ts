import { expect, type Page } from '@playwright/test';
import { encodePng } from '../../../electron/service/samples/landscape.ts';
import { en } from '../../../shared/messages/en/index.ts';
import { axeFindings } from '../support/axe.ts';
import { expectThumbnails, focusedTile, gallery, showGallery, thumbnail, tile } from '../support/gallery.ts';
import { goTo, grid, labBucket, rowOf, selected, sidebarRow, test } from '../support/window.ts';

const words = en.viewers.thumbnail;
const pictures = 'documents/formats/pictures/';

/** Returns an image of one colour; its size identifies the object. */
async function png(width: number, height: number): Promise<Buffer> {
  return await encodePng(width, height, Buffer.alloc(width * height * 3, 120));
}

test('a folder is shown as a gallery in both themes and narrow windows, and the bucket remembers it', async ({
  win,
}, info) => {
  await goTo(win, 'Sample buckets', pictures);
  await expect(grid(win)).toBeVisible();
  await showGallery(win);
  await expectThumbnails(win, ['light.jpg', 'light.webp', 'light.avif', 'chart.tiff']);
  // Measured before the window changes, since tiles follow its width a moment later.
  const before = (await tile(win, 'light.jpg').boundingBox())?.width ?? 0;
  // The content of an SVG is not rendered for a tile.
  await expect(thumbnail(win, 'bank.svg')).toHaveCount(0);
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 1024],
    ['dark', 800],
  ] as const) {
    await win.setViewportSize({ width, height: 900 });
    await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await win.screenshot({ path: info.outputPath(`gallery-${colorScheme}-${String(width)}.png`) });
    expect(await axeFindings(win)).toEqual([]);
  }
  await win.setViewportSize({ width: 1280, height: 800 });

  const size = win.getByRole('slider', { name: en.objects.gallery.size });
  await size.focus();
  await win.keyboard.press('End');
  await expect
    .poll(async () => (await tile(win, 'light.jpg').boundingBox())?.width ?? 0)
    .toBeGreaterThan(before * 1.5);
  await win.keyboard.press('Home');

  await goTo(win, 'Sample buckets', 'documents/notes/');
  await expect(gallery(win)).toBeVisible();
  await win.reload();
  await expect(gallery(win)).toBeVisible();
  await gallery(win).focus();
  await win.keyboard.press('Control+1');
  await expect(grid(win)).toBeVisible();
  await expect(gallery(win)).toHaveCount(0);
});

test('a gallery is navigated by keyboard alone and shares its selection with the list', async ({
  win,
  lab,
}) => {
  const bucket = lab.store.buckets.create('gallery-keys', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  for (let at = 0; at < 60; at += 1)
    await lab.store.putBytes(bucket.id, `p${String(at).padStart(2, '0')}.png`, await png(40 + at, 30), {
      modifiedMs: 1e12,
    });
  await lab.store.putBytes(bucket.id, 'inside/z.png', await png(9, 9), { modifiedMs: 1e12 });
  await goTo(win, 'Lab', 'gallery-keys');
  await expect(grid(win)).toBeFocused();
  await showGallery(win);
  await expect(gallery(win)).toBeFocused();
  await win.keyboard.press('Home');
  await expect(focusedTile(win)).toContainText('inside');
  await win.keyboard.press('ArrowRight');
  await expect(focusedTile(win)).toContainText('p00.png');
  const perLine = await gallery(win).evaluate(
    (box) =>
      new Set(
        [...box.querySelectorAll('[role=option]')].map((node) =>
          Math.round(node.getBoundingClientRect().left),
        ),
      ).size,
  );
  expect(perLine).toBeGreaterThan(2);
  await win.keyboard.press('ArrowDown');
  await expect(focusedTile(win)).toContainText(`p${String(perLine).padStart(2, '0')}.png`);
  await win.keyboard.press('ArrowUp');
  await win.keyboard.press('Shift+ArrowDown');
  await expect(gallery(win).locator('[aria-selected="true"]')).toHaveCount(perLine + 1);
  await win.keyboard.press('End');
  await expect(focusedTile(win)).toContainText('p59.png');
  await expect(focusedTile(win)).toBeInViewport();
  await win.keyboard.press('PageUp');
  await expect(focusedTile(win)).not.toContainText('p59.png');
  await win.keyboard.press('Home');
  await win.keyboard.press('ArrowRight');

  await win.keyboard.press('Space');
  const look = win.getByRole('region', { name: /^Look at/ });
  await expect(look.getByRole('img', { name: 'p00.png' })).toBeVisible();
  await win.keyboard.press('ArrowRight');
  await expect(look.getByRole('img', { name: 'p01.png' })).toBeVisible();
  await win.keyboard.press('Space');
  await expect(look).toBeHidden();
  await win.keyboard.press('Enter');
  await expect(win.getByRole('dialog').getByRole('img', { name: 'p01.png' })).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(win.getByRole('dialog')).toHaveCount(0);
  await expect(gallery(win)).toBeFocused();
  await win.keyboard.press('Shift+F10');
  await expect(win.getByRole('menu')).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(gallery(win)).toBeFocused();

  await win.keyboard.type('p4');
  await expect(focusedTile(win)).toContainText('p40.png');
  const active = await gallery(win).getAttribute('aria-activedescendant');
  await expect(win.locator(`[id="${active ?? ''}"]`)).toContainText('p40.png');

  // The same rows are selected and visible in the list.
  await win.keyboard.press('Control+1');
  await expect(selected(win)).toHaveCount(1);
  await expect(rowOf(win, 'p40.png')).toBeInViewport();
});

/** Returns the number of visible tiles whose thumbnail is loading; tiles outside the viewport are queued. */
async function waitingInSight(page: Page): Promise<number> {
  return await gallery(page).evaluate((box) => {
    const sight = box.parentElement?.getBoundingClientRect();
    if (sight === undefined) throw new Error('The gallery is gone.');
    return [...box.querySelectorAll('[class*="shimmer"]')].filter((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return bottom > sight.top && top < sight.bottom;
    }).length;
  });
}

/** Returns the names of the visible tiles. */
async function namesInSight(page: Page): Promise<readonly string[]> {
  return await gallery(page).evaluate((box) => {
    const sight = box.parentElement?.getBoundingClientRect();
    if (sight === undefined) throw new Error('The gallery is gone.');
    return [...box.querySelectorAll('[role="option"]')].flatMap((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      const isInSight = bottom > sight.top && top < sight.bottom;
      return isInSight ? [/p\d{4}\.png/u.exec(node.textContent)?.[0] ?? ''] : [];
    });
  });
}

test('only visible thumbnails are requested, once, and then read from disk', async ({ win, lab }) => {
  const bucket = lab.store.buckets.create('gallery-many', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  const count = 400;
  for (let at = 0; at < count; at += 1)
    await lab.store.putBytes(bucket.id, `p${String(at).padStart(4, '0')}.png`, await png(64, 48 + (at % 9)), {
      modifiedMs: 1e12,
    });
  const asked = (): readonly string[] =>
    lab.faults.journal
      .filter(({ operation, bucket: name }) => operation === 'GetObject' && name === 'gallery-many')
      .map(({ key }) => key ?? '');
  await goTo(win, 'Lab', 'gallery-many');
  await expect(grid(win)).toBeFocused();
  await showGallery(win);
  await expectThumbnails(win, ['p0000.png', 'p0005.png']);
  await expect.poll(() => waitingInSight(win)).toBe(0);
  const first = asked().length;
  expect(first).toBeGreaterThan(5);
  expect(first).toBeLessThan(120);
  expect(new Set(asked()).size).toBe(first);
  // Jumps to the end, past the rows between.
  await win.keyboard.press('End');
  await expectThumbnails(win, ['p0399.png']);
  expect(asked()).not.toContain('p0200.png');
  await win.keyboard.press('Home');
  await expectThumbnails(win, ['p0000.png']);
  await expect.poll(() => waitingInSight(win)).toBe(0);
  const shown = await namesInSight(win);
  expect(shown.length).toBeGreaterThan(5);
  const askedForShown = (): number => asked().filter((key) => shown.includes(key)).length;
  expect(askedForShown()).toBe(shown.length);
  await win.reload();
  await expectThumbnails(win, shown);
  await expect.poll(() => waitingInSight(win)).toBe(0);
  expect(askedForShown()).toBe(shown.length);

  // The stored thumbnails can be deleted.
  await win.keyboard.press('Control+,');
  const dialog = win.getByRole('dialog');
  await expect(dialog.getByText(/^\d+ thumbnails?, /)).toBeVisible();
  await dialog.getByRole('button', { name: en.settings.thumbnails.clear }).click();
  await expect(dialog.getByText(/^0 thumbnails, /)).toBeVisible();
  await win.keyboard.press('Escape');
});

test('tiles of hostile, damaged, cold and large images say what they are without decoding or charges', async ({
  win,
  lab,
}) => {
  const huge = Buffer.from(await png(8, 8));
  // Makes the header declare 50,000 × 50,000 pixels.
  huge.writeUInt32BE(50_000, 16);
  huge.writeUInt32BE(50_000, 20);
  const bucket = lab.store.buckets.create('gallery-hostile', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  const put = async (key: string, bytes: Buffer, storageClass = 'STANDARD'): Promise<void> =>
    await lab.store.putBytes(bucket.id, key, bytes, { modifiedMs: 1e12, storageClass });
  await put('cold.png', await png(40, 30), 'COLD');
  await put('cut.png', (await png(400, 300)).subarray(0, 200));
  await put('good.png', await png(40, 30));
  await put('huge.png', huge);
  await put('page.png', Buffer.from('<html><script>document.title = "run"</script>'));
  await put('script.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'));
  const asked = (key: string): number =>
    lab.faults.journal.filter(
      (record) =>
        record.operation === 'GetObject' && record.bucket === 'gallery-hostile' && record.key === key,
    ).length;

  await goTo(win, 'Lab', 'gallery-hostile');
  await expect(grid(win)).toBeFocused();
  await showGallery(win);
  await expectThumbnails(win, ['good.png']);
  await expect(gallery(win).locator('[class*="shimmer"]')).toHaveCount(0);
  for (const name of ['huge.png', 'page.png', 'script.png'])
    await expect(thumbnail(win, name)).toHaveCount(0);
  expect(asked('huge.png')).toBe(1);

  const cold = tile(win, 'cold.png');
  await expect(cold).toContainText('COLD');
  await expect(cold).toContainText(words.paid);
  expect(asked('cold.png')).toBe(0);
  await gallery(win).focus();
  await win.keyboard.press('Home');
  await expect(focusedTile(win)).toContainText('cold.png');
  await win.keyboard.press('Shift+F10');
  await win.getByRole('menuitem', { name: en.objects.menu.thumbnails }).click();
  await expectThumbnails(win, ['cold.png']);
  expect(asked('cold.png')).toBe(1);
});

test('tiles that failed say so and are retried when they become visible again', async ({ win, lab }) => {
  const bucket = lab.store.buckets.create('gallery-faults', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  await lab.store.putBytes(bucket.id, 'a.png', await png(40, 30), { modifiedMs: 1e12 });
  const rule = lab.faults.add({
    operation: 'GetObject',
    bucket: 'gallery-faults',
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
    times: Infinity,
  });
  await goTo(win, 'Lab', 'gallery-faults');
  await expect(grid(win)).toBeFocused();
  await showGallery(win);
  await expect(tile(win, 'a.png')).toContainText(words.failed);
  rule.remove();
  await win.keyboard.press('Control+1');
  await expect(grid(win)).toBeVisible();
  await showGallery(win);
  await expectThumbnails(win, ['a.png']);
});

test('the details show the thumbnail of an image', async ({ win }) => {
  await goTo(win, 'Sample buckets', pictures);
  // The bucket keeps the view of an earlier test.
  await win.getByRole('radiogroup', { name: 'View' }).getByTitle(/^List/).click();
  await rowOf(win, 'light.jpg').click();
  const details = win.getByRole('complementary', { name: en.objects.details.label });
  await expect(details.locator('img')).toBeVisible();
  await expect(details.getByRole('button', { name: 'Download…' })).toBeVisible();
  expect(await axeFindings(win)).toEqual([]);
});

test('a bucket left as a gallery reopens as one without rendering a list first', async ({ win, lab }) => {
  await labBucket(lab, 'kept-gallery', ['a.txt', 'b.txt']);
  await goTo(win, 'Lab', 'kept-gallery');
  await showGallery(win);
  await goTo(win, 'Lab', 'lab-home');
  await win.reload();
  const bucket = sidebarRow(win, 'kept-gallery');
  await expect(bucket).toBeVisible();
  await win.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      for (const list of document.querySelectorAll('[role="grid"], [role="listbox"]')) {
        const text = `${list.role ?? ''}: ${list.textContent}`;
        if (text.includes('a.txt') && !seen.includes(text)) seen.push(text);
      }
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  const listed = (): number =>
    lab.faults.journal.filter(
      (record) => record.operation === 'ListObjectsV2' && record.bucket === 'kept-gallery',
    ).length;
  const before = listed();
  await bucket.hover();
  await expect.poll(listed).toBe(before + 1);
  await bucket.click();
  await expect(tile(win, 'a.txt')).toBeVisible();
  const seen = await win.evaluate(() => (globalThis as unknown as { seen: readonly string[] }).seen);
  expect(seen.filter((event) => event.startsWith('grid'))).toEqual([]);
  expect(seen.length).toBeGreaterThan(0);
});
