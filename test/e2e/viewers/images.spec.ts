import { expect, type Locator, type Page } from '@playwright/test';
import { encodePng } from '../../../electron/service/samples/landscape.ts';
import { chartSheets, tiffOf } from '../../../electron/service/samples/sample-files.ts';
import { en } from '../../../shared/messages/en/index.ts';
import { seededRandom } from '../../../electron/service/samples/random.ts';
import { noisyTiff } from '../../support/files/noisy-tiff.ts';
import { svgOfUses } from '../../support/hostile/svg-of-uses.ts';
import { memoryOf } from '../../support/process-memory.ts';
import { axeFindings } from '../support/axe.ts';
import { goTo, test } from '../support/window.ts';
import { longestAwayMs, watchWindow } from './hostile.ts';
import { open, putAll } from './viewing.ts';

const words = en.viewers.image;
const tool = (dialog: Locator, name: string): Locator => dialog.getByRole('button', { name, exact: true });

/** Returns the displayed size of an image, in whole pixels. */
async function shownSize(image: Locator): Promise<readonly [number, number]> {
  const box = await image.boundingBox();
  return [Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)];
}

async function looks(win: Page, info: { outputPath: (name: string) => string }, name: string): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 800],
  ] as const) {
    await win.setViewportSize({ width, height: 800 });
    await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await win.screenshot({ path: info.outputPath(`${name}-${colorScheme}.png`) });
    expect(await axeFindings(win)).toEqual([]);
  }
  await win.setViewportSize({ width: 1280, height: 800 });
}

test('a photo shows its camera data and can be zoomed, turned and moved, also by keyboard', async ({
  win,
}, info) => {
  await goTo(win, 'Sample buckets', 'documents/formats/pictures/');
  const dialog = await open(win, 'light.jpg');
  const image = dialog.getByRole('img', { name: 'light.jpg' });
  await expect.poll(() => shownSize(image)).toEqual([320, 200]);
  const facts = dialog.getByLabel(words.info, { exact: true }).last();
  await expect(facts).toContainText('Slipway Forty');
  await expect(facts).toContainText('1/250 s, f/2.8, ISO 200, 35 mm');
  await expect(facts).toContainText('54.30000° N, 8.60000° W');
  await looks(win, info, 'photo');

  await tool(dialog, words.turnRight).click();
  await expect.poll(() => shownSize(image)).toEqual([200, 320]);
  await win.keyboard.press('Shift+R');
  await expect.poll(() => shownSize(image)).toEqual([320, 200]);
  await win.keyboard.press('+');
  await expect(dialog.getByText('150%')).toBeVisible();
  await expect.poll(() => shownSize(image)).toEqual([480, 300]);
  for (let press = 0; press < 5; press += 1) await win.keyboard.press('+');
  await expect(dialog.getByText('800%')).toBeVisible();
  const stage = dialog.getByRole('group', { name: 'Image light.jpg' });
  const left = () => stage.evaluate(({ scrollLeft }) => scrollLeft);
  const middle = await left();
  expect(middle).toBeGreaterThan(100);
  // Arrows and the pointer pan an image larger than the stage.
  await stage.focus();
  await win.keyboard.press('ArrowRight');
  await expect.poll(left).toBeGreaterThan(middle);
  await expect(image).toBeVisible();
  const box = await stage.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 200, (box?.y ?? 0) + 200];
  await win.mouse.move(x, y);
  await win.mouse.down();
  await win.mouse.move(x - 80, y, { steps: 4 });
  await win.mouse.up();
  await expect.poll(left).toBeGreaterThan(middle + 60);
  await looks(win, info, 'zoomed');
  await win.keyboard.press('0');
  await expect.poll(() => shownSize(image)).toEqual([320, 200]);
  // If the whole image is visible, the arrows open the next object.
  await win.keyboard.press('ArrowLeft');
  const heic = dialog.getByRole('img', { name: 'light.heic' });
  await expect.poll(() => shownSize(heic)).toEqual([320, 200]);
  // The lamp's yellow shows that Cooper decoded the image, since browsers do not support HEIC.
  const [red = 0, green = 0, blue = 255] = await heic.evaluate((canvas: HTMLCanvasElement) =>
    Array.from(canvas.getContext('2d')?.getImageData(224, 53, 1, 1).data ?? []),
  );
  expect([red > 220, green > 190, blue < 190]).toEqual([true, true, true]);
  await expect(facts).toContainText('Slipway Forty');
  await looks(win, info, 'heic');
  await win.keyboard.press('ArrowLeft');
  await expect(dialog.getByRole('img', { name: 'light.avif' })).toBeVisible();
  await expect(dialog.getByText('320 × 200 pixels')).toBeVisible();
  await expect(tool(dialog, words.info)).toHaveCount(0);
});

test('a TIFF is shown page by page', async ({ win }, info) => {
  await goTo(win, 'Sample buckets', 'documents/formats/pictures/');
  const dialog = await open(win, 'chart.tiff');
  await expect(dialog.getByText('240 × 160 pixels')).toBeVisible();
  const corner = () =>
    dialog.getByRole('img', { name: 'chart.tiff' }).evaluate((canvas: HTMLCanvasElement) => {
      return Array.from(canvas.getContext('2d')?.getImageData(0, 0, 1, 1).data ?? []).slice(0, 3);
    });
  const [first, second] = chartSheets().map(({ rgb }) => Array.from(rgb.subarray(0, 3)));
  await expect.poll(corner).toEqual(first);
  await looks(win, info, 'tiff');
  await dialog.getByRole('button', { name: en.viewers.pdf.next }).click();
  await expect(dialog.getByText('Page 2 of 2')).toBeVisible();
  await expect.poll(corner).toEqual(second);
});

test('images that are too large, damaged or of an unknown kind are reported as such', async ({
  win,
  lab,
}) => {
  test.setTimeout(180_000);
  const png = await encodePng(8, 8, new Uint8Array(192));
  const huge = Buffer.from(png);
  huge.writeUInt32BE(60_000, 16);
  huge.writeUInt32BE(60_000, 20);
  const tiff = Buffer.from(tiffOf(chartSheets()));
  const wide = Buffer.from(tiff);
  wide.writeUInt32LE(2_000_000, 8 + 2 + 12 + 8);
  const cut = Buffer.from(tiff);
  cut.writeUInt32LE(tiff.length, 4);
  // One of these sends the decoder into an endless loop, so its worker is terminated.
  const random = seededRandom('noise');
  const noise = [2, 3, 4, 5, 5, 5].map(
    (coding, at) => [`noise-${String(at)}.tif`, noisyTiff(coding, random)] as const,
  );
  await putAll(lab, 'odd-images', {
    ...Object.fromEntries(noise),
    'cut.tif': cut,
    'huge.png': huge,
    'phone.heic': Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
    'text.jpg': 'no image at all',
    'webp.tif': noisyTiff(50_001, random),
    'wide.tif': wide,
  });
  await goTo(win, 'Lab', 'odd-images/');
  for (const [name, sentence] of [
    ['cut.tif', words.failed],
    ['huge.png', words.pixels],
    ['phone.heic', words.failed],
    ['text.jpg', words.failed],
    ['webp.tif', words.unknown],
    ['wide.tif', words.pixels],
  ] as const) {
    const dialog = await open(win, name);
    await expect(dialog.getByText(sentence), name).toBeVisible();
    await expect(dialog.getByRole('button', { name: en.viewers.showAsText })).toBeVisible();
    await win.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  const memory = memoryOf(process.pid);
  for (const [name] of noise) {
    const dialog = await open(win, name);
    const refused = dialog.getByText(words.failed).or(dialog.getByText(words.unknown));
    await expect(refused.or(dialog.getByText('64 × 64 pixels'))).toBeVisible();
    await win.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
  await expect.poll(() => win.workers().length).toBe(0);
  expect(memory.largestBytes()).toBeLessThan(1_500_000_000);
});

test('an SVG of countless elements is reported instead of drawn, and the window stays responsive', async ({
  win,
  lab,
}) => {
  await putAll(lab, 'countless', { 'uses.svg': svgOfUses() });
  await goTo(win, 'Lab', 'countless/');
  const awayMs = await watchWindow(win);
  const dialog = await open(win, 'uses.svg');
  await expect(dialog.getByText(words.work)).toBeVisible();
  await expect(dialog.getByRole('button', { name: en.viewers.showAsText })).toBeVisible();
  expect(await awayMs()).toBeLessThan(longestAwayMs);
});
