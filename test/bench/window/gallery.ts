import type { Page } from '@playwright/test';
import { sampleDocuments } from '../../../electron/service/samples/documents.ts';
import { withExif } from '../../support/files/exif-bytes.ts';
import { heapBytes, openWindow } from '../support/open-window.ts';
import { startPictureServer } from './picture-server.ts';
import { median, type Figure } from '../report.ts';

const latencyMs = 25;
const count = 100_000;
const imageBytes = 3_000_000;
const scrollMs = 6000;

/** Measures a gallery of 100,000 images of 3 MB: frames while scrolling, memory, requests, and the quick look. */
export async function benchGallery(): Promise<readonly Figure[]> {
  const server = await startPictureServer(
    { bucket: 'bench', prefix: 'photos/', count, picture: await cameraPicture(), imageBytes },
    latencyMs,
  );
  const { page, devtools, close } = await openWindow(server.endpoint, { width: 1440, height: 900 });
  try {
    const firstMs = await openGallery(page);
    await loadAll(page);
    const idle = server.asked();
    const scrolled = await scroll(page);
    const after = server.asked();
    const heap = await heapBytes(devtools);
    const looks = await benchLook(page);
    return [
      { name: 'gallery: first thumbnails beyond the latency', value: firstMs - 2 * latencyMs, unit: 'ms' },
      { name: 'gallery: frames a second, scrolling', value: scrolled.framesASecond, unit: 'frames' },
      {
        name: 'gallery: longest task, scrolling',
        value: scrolled.longestTaskMs,
        unit: 'ms',
        limit: atMost(50),
      },
      { name: 'gallery: tiles at most', value: scrolled.maxTiles, unit: 'tiles', limit: atMost(200) },
      { name: 'gallery: tiles scrolled past', value: scrolled.tilesPassed, unit: 'tiles' },
      {
        name: 'gallery: images asked for meanwhile',
        value: after.requests - idle.requests,
        unit: 'requests',
      },
      {
        name: 'gallery: requests for images at once',
        value: after.maxAtOnce,
        unit: 'requests',
        limit: atMost(4),
      },
      { name: 'gallery: heap at 100,000 images', value: heap / 1e6, unit: 'MB', limit: atMost(150) },
      ...looks,
    ];
  } finally {
    await close();
    await server.close();
  }
}

/** Returns a JPEG like a camera's, with a thumbnail in its EXIF data. */
async function cameraPicture(): Promise<Uint8Array> {
  const light = sampleDocuments().find(({ key }) => key.endsWith('light.jpg'));
  if (light === undefined) throw new Error('The sample light.jpg is gone.');
  const jpeg = Buffer.from(light.text as string);
  return await Promise.resolve(withExif(jpeg, { thumbnail: jpeg }));
}

/** Returns the time from Enter on the folder until the first thumbnail is visible. */
async function openGallery(page: Page): Promise<number> {
  await page.getByRole('treeitem', { name: 'Bench' }).click();
  await page.getByText('bench', { exact: true }).first().dblclick();
  await page.getByRole('row', { name: /photos/ }).waitFor();
  await page.keyboard.press('Control+2');
  await page.getByRole('option', { name: /photos/ }).waitFor();
  await page.keyboard.press('Control+l');
  const field = page.getByLabel('Address: bucket/prefix');
  await field.fill('bench/photos/');
  const startedMs = performance.now();
  await field.press('Enter');
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('[role=option] img')].some((node) => node.complete),
  );
  return performance.now() - startedMs;
}

async function loadAll(page: Page): Promise<void> {
  for (;;) {
    await page.getByRole('listbox').focus();
    await page.keyboard.press('End');
    if (await page.getByText('100,000 items').isVisible()) break;
    await page.waitForTimeout(20);
  }
  await page.keyboard.press('Home');
}

interface Scrolled {
  readonly framesASecond: number;
  readonly longestTaskMs: number;
  readonly maxTiles: number;
  readonly tilesPassed: number;
}

/** Scrolls at a steady three screens per second, as with a mouse wheel, and measures the frames. */
async function scroll(page: Page): Promise<Scrolled> {
  return await page.evaluate(async (forMs) => {
    const box = document.querySelector('[role=listbox]');
    const scroller = box?.parentElement;
    if (box === null || scroller === null || scroller === undefined) throw new Error('There is no gallery.');
    let longestTaskMs = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, entry.duration);
    });
    observer.observe({ type: 'longtask' });
    let frames = 0;
    let maxTiles = 0;
    const seen = new Set<string>();
    const startedMs = performance.now();
    const pxPerMs = (3 * scroller.clientHeight) / 1000;
    for (;;) {
      const atMs = await new Promise<number>(requestAnimationFrame);
      const passedMs = atMs - startedMs;
      if (passedMs >= forMs) break;
      frames += 1;
      scroller.scrollTop = passedMs * pxPerMs;
      const tiles = box.querySelectorAll<HTMLElement>('[data-row-position]');
      maxTiles = Math.max(maxTiles, tiles.length);
      for (const tile of tiles) seen.add(tile.dataset['position'] ?? '');
    }
    observer.disconnect();
    return {
      framesASecond: (frames * 1000) / (performance.now() - startedMs),
      longestTaskMs,
      maxTiles,
      tilesPassed: seen.size,
    };
  }, scrollMs);
}

/**
 * Measures the time from an arrow key to the picture in the quick look, for an object that was shown before and for a new one.
 */
async function benchLook(page: Page): Promise<readonly Figure[]> {
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await page.locator('section img').waitFor();
  const first: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) first.push(await timeToPicture(page, 'ArrowRight'));
  const again: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) again.push(await timeToPicture(page, 'ArrowLeft'));
  await page.keyboard.press('Escape');
  return [
    { name: 'look: picture from cache', value: median(again), unit: 'ms' },
    // Two round trips (HEAD and the image), and the delay until the quick look loads a focused object.
    { name: 'look: picture of 3 MB beyond the latency', value: median(first) - 2 * latencyMs, unit: 'ms' },
  ];
}

async function timeToPicture(page: Page, key: string): Promise<number> {
  await page.evaluate(() => {
    const before = document.querySelector<HTMLImageElement>('section img')?.alt;
    globalThis.benchPicture = new Promise((resolve) => {
      document.addEventListener(
        'keydown',
        () => {
          const startedMs = performance.now();
          const look = (): void => {
            const image = document.querySelector<HTMLImageElement>('section img');
            if (image !== null && image.alt !== before && image.complete && image.naturalWidth > 0)
              resolve(performance.now() - startedMs);
            else requestAnimationFrame(look);
          };
          look();
        },
        { capture: true, once: true },
      );
    });
  });
  await page.keyboard.press(key);
  return await page.evaluate(() => globalThis.benchPicture);
}

declare global {
  var benchPicture: Promise<number>;
}

function atMost(value: number): { readonly kind: 'at-most'; readonly value: number } {
  return { kind: 'at-most', value };
}
