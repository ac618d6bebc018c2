// Opens every file of a folder of public corpora in the preview of a real window, one after the other, and prints a table: the
// viewer of each file, the result, and the sentences that the window shows about it. Run by hand after a build, with Node 24:
// node test/corpora/open-in-window.ts FOLDER [part of a name] [--pictures DIR]
//
// Pictures that differ from those of other programs although both are right, or although the window is right:
// - BMP of run lengths (RLE4, RLE8): pixels that no run covers are black in Chromium, and of palette entry 0 in Pillow, ImageMagick and
//   FFmpeg. The format leaves their color open (MS-WMF, section 3.1.6). Chromium cuts runs at the end of a line, as ImageMagick does
//   not, where a file has no escapes for it. All covered pixels are equal, except that Pillow 9.4 reads absolute runs of RLE4 wrongly.
// - TIFF with big-endian floats and a predictor, and planes of Lab: Pillow 9.4 reads them wrongly; ImageMagick agrees with the window.
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { launchBrowser } from '../bench/support/open-window.ts';
import { startService } from '../support/lab-service/server.ts';
import { removedAtExit } from '../support/at-exit.ts';
import { coreOfAddress } from '../support/window/core-of-address.ts';
import { startCooper } from '../support/window/start-cooper.ts';
import { outcomeInWindow, type WindowOutcome } from './window-outcome.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { pictures: { type: 'string' } },
});
const [folder, part = ''] = positionals;
if (folder === undefined) {
  console.error('Usage: node test/corpora/open-in-window.ts FOLDER [part of a name] [--pictures DIR]');
  process.exit(1);
}
const { pictures } = values;
if (pictures !== undefined) mkdirSync(pictures, { recursive: true });

/** One page of a listing contains all rows, so that each file has a next one. */
const folderLength = 500;
const names = readdirSync(folder, { encoding: 'utf8', recursive: true })
  .filter((name) => name.includes(part) && statSync(path.join(folder, name)).isFile())
  .toSorted();
const credentials = { accessKeyId: 'CORPORA', secretAccessKey: 'corpora-secret' };
const service = await startService({
  dataDir: removedAtExit('cooper-corpora-'),
  credentials: [credentials],
  region: 'us-east-1',
});
const bucket = service.store.buckets.create('corpora', Date.now());
if (bucket === null) throw new Error('The bucket exists already.');
for (const [at, name] of names.entries())
  await service.store.putBytes(bucket.id, keyOf(at, name), readFileSync(path.join(folder, name)), {
    modifiedMs: 1e12,
  });

const cooper = await startCooper();
const behind = await coreOfAddress(await cooper.newAddress());
await behind.core.connections.create({
  name: 'Corpora',
  provider: 'custom',
  endpoint: service.endpoint,
  region: 'us-east-1',
  addressing: 'path',
  caPem: null,
  proxy: { kind: 'none' },
  start: null,
  auth: { kind: 'keys', ...credentials, sessionToken: '' },
});
behind.close();
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
await page.goto(cooper.address);
let problems: string[] = [];
page.on('pageerror', (error) => problems.push(`ERROR ${error.message}`));
page.on('console', (message) => {
  if (message.type() === 'error') problems.push(`CONSOLE ${message.text().slice(0, 200)}`);
});
const counts = new Map<string, number>();
for (const [at, name] of names.entries()) {
  problems = [];
  const { viewer, result, detail } = await outcomeOf(at, name);
  const key = `${viewer}\t${result}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  console.log([viewer.padEnd(8), result.padEnd(8), name, detail, ...problems].join('\t'));
}
console.log('');
for (const [key, count] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${key}\t${String(count)}`);
await browser.close();
await cooper.end();
await service.close();

function keyOf(at: number, name: string): string {
  const number = String(at).padStart(5, '0');
  return `${String(Math.floor(at / folderLength))}/${number}-${name.replaceAll('/', '_')}`;
}

async function outcomeOf(at: number, name: string): Promise<WindowOutcome> {
  try {
    const dialog = await show(page, keyOf(at, name), at % folderLength === 0);
    const outcome = await outcomeInWindow(dialog);
    if (pictures !== undefined)
      await dialog.screenshot({
        path: path.join(pictures, `${String(at).padStart(5, '0')}.jpg`),
        type: 'jpeg',
        quality: 60,
      });
    return outcome;
  } catch (thrown) {
    return { viewer: '?', result: 'stuck', detail: String(thrown).split('\n', 1)[0] ?? '' };
  }
}

/** Shows a file in the dialog: the next one, or the first one of a folder. */
async function show(within: Page, key: string, isFirst: boolean): Promise<Locator> {
  const dialog = within.getByRole('dialog');
  const name = path.posix.basename(key);
  if (isFirst) {
    if (await dialog.isVisible()) await within.keyboard.press('Escape');
    await within.getByRole('treeitem', { name: 'Corpora' }).first().click();
    await within.keyboard.press('Control+l');
    const field = within.getByLabel('Address: bucket/prefix');
    await field.fill(`corpora/${path.posix.dirname(key)}/`);
    await field.press('Enter');
    await within.getByRole('grid').getByText(name, { exact: true }).dblclick();
  } else await dialog.getByRole('button', { name: 'Next object' }).click();
  await dialog.getByRole('heading').getByText(name).waitFor({ timeout: 10_000 });
  return dialog;
}
