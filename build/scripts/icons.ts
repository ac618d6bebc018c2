/** Renders build/icons/cooper.svg in every size that a system needs. Run it after changing that file. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium, isRoot } from '../../test/support/window/chromium.ts';
import { icnsOf, icoOf, type Picture } from './icon-files.ts';
import { root } from './run-command.ts';

const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;
const icoSizes: ReadonlySet<number> = new Set([16, 24, 32, 48, 64, 128, 256]);
const icnsSizes: ReadonlySet<number> = new Set([16, 32, 64, 128, 256, 512, 1024]);
const linuxSizes: ReadonlySet<number> = new Set([16, 24, 32, 48, 64, 128, 256, 512]);

const dir = path.join(root, 'build', 'icons');
const svg = readFileSync(path.join(dir, 'cooper.svg'), 'utf8');
const pictures = await draw();
const picturesOf = (chosenSizes: ReadonlySet<number>): readonly Picture[] =>
  pictures.filter(({ size }) => chosenSizes.has(size));
mkdirSync(path.join(dir, 'png'), { recursive: true });
for (const { size, png } of picturesOf(linuxSizes)) {
  writeFileSync(path.join(dir, 'png', `${String(size)}x${String(size)}.png`), png);
}
writeFileSync(path.join(dir, 'icon.ico'), icoOf(picturesOf(icoSizes)));
writeFileSync(path.join(dir, 'icon.icns'), icnsOf(picturesOf(icnsSizes)));

async function draw(): Promise<readonly Picture[]> {
  const found = await findChromium();
  const browser = await chromium.launch({
    executablePath: found.file,
    env: { ...process.env, ...found.env },
    args: isRoot ? ['--no-sandbox'] : [],
  });
  try {
    const page = await browser.newPage();
    const drawn: Picture[] = [];
    for (const size of sizes) {
      await page.setViewportSize({ width: size, height: size });
      await page.setContent(
        `<style>html,body{margin:0;background:transparent}svg{display:block;width:${String(size)}px}</style>${svg}`,
      );
      drawn.push({ size, png: await page.screenshot({ omitBackground: true }) });
    }
    return drawn;
  } finally {
    await browser.close();
  }
}
