import { expect, type Locator, type Page } from '@playwright/test';
import { tiffOf } from '../../../electron/service/samples/sample-files.ts';
import {
  avifOf,
  exifOf,
  gifWith,
  jpegExif,
  jpegWith,
  jpegXmp,
  orientations,
  pngWith,
  pngXmp,
  rawProfile,
  webpWith,
  xmpOf,
  type Orientation,
} from '../../support/files/oriented-files.ts';
import { exifBytes } from '../../support/files/exif-bytes.ts';
import { expectThumbnails, showGallery, thumbnail } from '../support/gallery.ts';
import { goTo, grid, test } from '../support/window.ts';
import { open, putAll } from './viewing.ts';

const size = { width: 48, height: 32 };
/** The colors of the stored image, row by row; in each other orientation as a viewer of EXIF shows them (CIPA DC-008). */
const shown: Readonly<Record<Orientation, string>> = {
  1: 'red green blue yellow',
  2: 'green red yellow blue',
  3: 'yellow blue green red',
  4: 'blue yellow red green',
  5: 'red blue green yellow',
  6: 'blue red yellow green',
  7: 'yellow green blue red',
  8: 'green yellow red blue',
};

interface Stored {
  readonly jpeg: Buffer;
  readonly png: Buffer;
  readonly webp: Buffer;
}

/** Draws the four colors in the page, in each format that it encodes. */
async function storedImages(page: Page): Promise<Stored> {
  const encoded = await page.evaluate(async ({ width, height }) => {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('The canvas has no context.');
    for (const [at, color] of ['#e61414', '#14c814', '#1414e6', '#e6e614'].entries()) {
      context.fillStyle = color;
      context.fillRect((at % 2) * (width / 2), Math.floor(at / 2) * (height / 2), width / 2, height / 2);
    }
    const bytesOf = async (type: string): Promise<readonly number[]> =>
      Array.from(new Uint8Array(await (await canvas.convertToBlob({ type, quality: 1 })).arrayBuffer()));
    return [await bytesOf('image/jpeg'), await bytesOf('image/png'), await bytesOf('image/webp')];
  }, size);
  const [jpeg, png, webp] = encoded.map((bytes) => Buffer.from(bytes));
  if (jpeg === undefined || png === undefined || webp === undefined) throw new Error('Not encoded.');
  return { jpeg, png, webp };
}

const colors = [
  [230, 20, 20],
  [20, 200, 20],
  [20, 20, 230],
  [230, 230, 20],
];
/** The color of each stored pixel. */
const indexes = Uint8Array.from({ length: size.width * size.height }, (_, at) => {
  const right = at % size.width >= size.width / 2 ? 1 : 0;
  return right + (at >= (size.width * size.height) / 2 ? 2 : 0);
});

function tiffIn(orientation: Orientation): Buffer {
  const rgb = Uint8Array.from(Array.from(indexes, (index) => colors[index] ?? []).flat());
  return Buffer.from(tiffOf([{ ...size, rgb, orientation }]));
}

/** Returns files of one orientation: of each format, and each place where it is stated. */
function filesOf({ jpeg, png, webp }: Stored, orientation: Orientation): Readonly<Record<string, Buffer>> {
  const exif = exifOf(orientation);
  const xmp = xmpOf(orientation);
  return {
    'avif-beside-exif.avif': avifOf(orientation, exifOf(orientation === 6 ? 3 : 6)),
    'gif-xmp.gif': gifWith(size, indexes, { colors: Buffer.from(colors.flat()), xmp }),
    'jpeg-exif.jpg': jpegWith(jpeg, jpegExif(exif)),
    'jpeg-xmp.jpg': jpegWith(jpeg, jpegXmp(xmp)),
    'png-exif.png': pngWith(png, { before: [['eXIf', exif]] }),
    'png-exif-last.png': pngWith(png, { after: [['eXIf', exif]] }),
    'png-profile.png': pngWith(png, { before: [rawProfile(exif)] }),
    'png-xmp.png': pngWith(png, { before: [pngXmp(xmp)] }),
    'tiff.tif': tiffIn(orientation),
    'webp-exif.webp': webpWith(webp, size, [['EXIF', exif]]),
    'webp-xmp.webp': webpWith(webp, size, [['XMP ', xmp]]),
  };
}

/** Returns the colors in the middles of the four quarters of a PNG. */
async function colorsOf(page: Page, png: string): Promise<string> {
  return await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    if (context === null) throw new Error('The canvas has no context.');
    context.drawImage(bitmap, 0, 0);
    const colorAt = (across: number, down: number): string => {
      const [red = 0, green = 0, blue = 0] = context.getImageData(
        Math.floor(bitmap.width * across),
        Math.floor(bitmap.height * down),
        1,
        1,
      ).data;
      if (blue > 128) return 'blue';
      return red > 128 ? (green > 128 ? 'yellow' : 'red') : 'green';
    };
    return [colorAt(0.25, 0.25), colorAt(0.75, 0.25), colorAt(0.25, 0.75), colorAt(0.75, 0.75)].join(' ');
  }, png);
}

async function thumbnailColors(page: Page, name: string): Promise<string> {
  const address = await thumbnail(page, name).evaluate((image: HTMLImageElement) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    return canvas.toDataURL('image/png');
  });
  return await colorsOf(page, address.slice(address.indexOf(',') + 1));
}

for (const orientation of orientations)
  test(`images of all formats with orientation ${String(orientation)} are shown alike in viewer, quick look and gallery`, async ({
    win,
    lab,
  }) => {
    const files = filesOf(await storedImages(win), orientation);
    const names = Object.keys(files).toSorted();
    const bucket = `oriented-${String(orientation)}`;
    await putAll(lab, bucket, files);
    await goTo(win, 'Lab', `${bucket}/`);
    await expect(grid(win)).toBeVisible();
    const expected = Object.fromEntries(names.map((name) => [name, shown[orientation]]));
    const [width, height] = orientation >= 5 ? [32, 48] : [48, 32];
    const colorsIn = async (area: Locator, name: string): Promise<string> => {
      const image = area.getByRole('img', { name, exact: true });
      await expect.poll(async () => await image.boundingBox(), name).toMatchObject({ width, height });
      return await colorsOf(win, (await image.screenshot()).toString('base64'));
    };
    const [first = '', ...others] = names;
    const dialog = await open(win, first);
    const seen = { [first]: await colorsIn(dialog, first) };
    for (const name of others) {
      await win.keyboard.press('ArrowRight');
      seen[name] = await colorsIn(dialog, name);
    }
    expect(seen).toEqual(expected);
    await win.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await win.keyboard.press('End');
    await win.keyboard.press('Space');
    const look = win.getByRole('region', { name: /^Look at/ });
    expect(await colorsIn(look, names.at(-1) ?? '')).toBe(shown[orientation]);
    await win.keyboard.press('Space');
    await showGallery(win);
    await expectThumbnails(win, names);
    const made: Record<string, string> = {};
    for (const name of names) made[name] = await thumbnailColors(win, name);
    expect(made).toEqual(expected);
  });

test('an embedded thumbnail is rotated by the EXIF data of the image, not by its own', async ({
  win,
  lab,
}) => {
  const { jpeg } = await storedImages(win);
  const thumbnailOf = jpegWith(jpeg, jpegExif(exifOf(6)));
  const exif = exifBytes({ main: { 0x112: { kind: 'short', number: 6 } }, thumbnail: thumbnailOf });
  // Longer than the part that is read for a thumbnail, so that the embedded thumbnail is used.
  const long = Buffer.concat([jpegWith(jpeg, jpegExif(exif)), Buffer.alloc(200_000)]);
  await putAll(lab, 'oriented-embedded', { 'long.jpg': long });
  await goTo(win, 'Lab', 'oriented-embedded/');
  await expect(grid(win)).toBeVisible();
  await showGallery(win);
  await expectThumbnails(win, ['long.jpg']);
  expect(await thumbnailColors(win, 'long.jpg')).toBe(shown[6]);
});
