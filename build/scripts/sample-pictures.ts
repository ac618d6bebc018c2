/// <reference lib="dom" />
// Draws the small images of the sample buckets and encodes them: JPEG and WebP in Chromium, AVIF with `avifenc` (of libavif), HEIC with
// `heif-enc` (of libheif), which have to be installed: `node build/scripts/sample-pictures.ts`. The results are checked in.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from '../../test/support/window/chromium.ts';
import { withExif } from '../../test/support/files/exif-bytes.ts';
import { keepSamples } from './keep-sample.ts';
import { makeScratchFolder } from './scratch-folder.ts';

const found = await findChromium();
const browser = await chromium.launch({ executablePath: found.file, chromiumSandbox: false });
const page = await browser.newPage();
const drawn = await page.evaluate(draw);
await browser.close();

const jpeg = withExif(Buffer.from(drawn.jpeg, 'base64'), {
  main: {
    0x10e: { kind: 'text', text: 'The light on the outer bank' },
    0x10f: { kind: 'text', text: 'Slipway' },
    0x110: { kind: 'text', text: 'Slipway Forty' },
    0x13b: { kind: 'text', text: 'OpenMap of the outer bank' },
  },
  exif: {
    0x829a: { kind: 'ratio', ratios: [[1, 250]] },
    0x829d: { kind: 'ratio', ratios: [[28, 10]] },
    0x8827: { kind: 'short', number: 200 },
    0x9003: { kind: 'text', text: '2026:05:09 06:30:00' },
    0x920a: { kind: 'ratio', ratios: [[35, 1]] },
    0xa434: { kind: 'text', text: 'Slipway 35 mm' },
  },
  gps: {
    1: { kind: 'text', text: 'N' },
    2: {
      kind: 'ratio',
      ratios: [
        [54, 1],
        [18, 1],
        [0, 1],
      ],
    },
    3: { kind: 'text', text: 'W' },
    4: {
      kind: 'ratio',
      ratios: [
        [8, 1],
        [36, 1],
        [0, 1],
      ],
    },
    5: { kind: 'byte', number: 0 },
    6: { kind: 'ratio', ratios: [[12, 1]] },
  },
  thumbnail: Buffer.from(drawn.thumbnail, 'base64'),
});
const scratch = makeScratchFolder();
const [pngFile, avifFile] = [path.join(scratch.path, 'a.png'), path.join(scratch.path, 'a.avif')];
writeFileSync(pngFile, Buffer.from(drawn.png, 'base64'));
const { status, error } = spawnSync('avifenc', ['--min', '30', '--max', '40', pngFile, avifFile]);
if (status !== 0) throw error ?? new Error(`avifenc ended with ${String(status)}.`);
const avif = readFileSync(avifFile);
const [jpegFile, heicFile] = [path.join(scratch.path, 'b.jpg'), path.join(scratch.path, 'b.heic')];
writeFileSync(jpegFile, jpeg);
const encoded = spawnSync('heif-enc', ['-q', '45', jpegFile, '-o', heicFile]);
if (encoded.status !== 0) throw encoded.error ?? new Error(`heif-enc ended with ${String(encoded.status)}.`);
const heic = readFileSync(heicFile);
scratch.remove();

const webp = Buffer.from(drawn.webp, 'base64');
keepSamples({ lightJpeg: jpeg, lightWebp: webp, lightAvif: avif, lightHeic: heic });
console.log(
  `${String(jpeg.length)}, ${String(webp.length)}, ${String(avif.length)}, ${String(heic.length)} bytes`,
);

/** Draws a lighthouse at dusk. Runs in the page. */
async function draw() {
  // The page gets only this function, so it must contain everything it needs.
  // oxlint-disable unicorn/consistent-function-scoping
  const paint = (width: number, height: number): OffscreenCanvas => {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('There is no canvas.');
    context.scale(width / 320, height / 200);
    const sky = context.createLinearGradient(0, 0, 0, 140);
    sky.addColorStop(0, '#22405c');
    sky.addColorStop(1, '#e9a56b');
    context.fillStyle = sky;
    context.fillRect(0, 0, 320, 140);
    context.fillStyle = '#2d5a63';
    context.fillRect(0, 140, 320, 60);
    context.fillStyle = '#b99f6b';
    context.fillRect(180, 128, 90, 16);
    context.fillStyle = '#f4f1ea';
    context.fillRect(214, 60, 20, 72);
    context.fillStyle = '#c2412d';
    context.fillRect(214, 78, 20, 16);
    context.fillRect(214, 108, 20, 14);
    context.fillStyle = '#ffe28a';
    context.beginPath();
    context.arc(224, 54, 8, 0, Math.PI * 2);
    context.fill();
    return canvas;
  };
  const base64 = async (canvas: OffscreenCanvas, type: string): Promise<string> => {
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type, quality: 0.7 })).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  };
  const canvas = paint(320, 200);
  return {
    jpeg: await base64(canvas, 'image/jpeg'),
    webp: await base64(canvas, 'image/webp'),
    png: await base64(canvas, 'image/png'),
    thumbnail: await base64(paint(96, 60), 'image/jpeg'),
  };
}
