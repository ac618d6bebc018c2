import { expect } from '@playwright/test';
import { film } from '../../../electron/service/samples/kept-files.ts';
import type { SparseFile } from '../../support/files/sparse-file.ts';
import { startSparseServer } from '../../support/servers/sparse-server.ts';
import { addConnection } from '../support/forms.ts';
import { axeFindings } from '../support/axe.ts';
import { goTo, labKeys, sidebarRow, test, typeAddress } from '../support/window.ts';
import { expectOneLine, open, putAll } from './viewing.ts';

const html = '<html><body onload="top.MARK()"><script>top.MARK()</script></body></html>';

test('video and audio are played from any position and read by ranges', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents/formats/');
  let dialog = await open(win, 'buoy.webm');
  const video = dialog.locator('video');
  await expect(dialog.getByText('192 × 108 pixels')).toBeVisible();
  await video.evaluate(async (player: HTMLVideoElement) => {
    player.currentTime = 2.5;
    await new Promise((resolve) => player.addEventListener('seeked', resolve, { once: true }));
  });
  expect(await video.evaluate((player: HTMLVideoElement) => player.currentTime)).toBeCloseTo(2.5, 1);
  expect(await axeFindings(win)).toEqual([]);
  await win.keyboard.press('Escape');
  dialog = await open(win, 'harbour-bell.wav');
  await expect
    .poll(() => dialog.locator('audio').evaluate((player: HTMLAudioElement) => player.duration))
    .toBeGreaterThan(0.3);
});

test('a file that is not a video despite its name is reported and runs nothing', async ({ win, lab }) => {
  await putAll(lab, 'no-films', { 'page.mp4': Buffer.from(html), 'cut.webm': film.subarray(0, 90) });
  await goTo(win, 'Lab', 'no-films/');
  await win.evaluate(() => Object.assign(globalThis, { MARK: () => (document.title = 'ran') }));
  for (const name of ['page.mp4', 'cut.webm']) {
    const dialog = await open(win, name);
    await expect(dialog.getByText('This recording cannot be played')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Show as text' })).toBeVisible();
    await win.keyboard.press('Escape');
  }
  expect(await win.title()).not.toBe('ran');
});

test('a text has line numbers, a search with a count, and line wrapping', async ({ win, lab }) => {
  const lines = Array.from(
    { length: 400 },
    (_, line) => `${String(line)} level=${line % 7 === 0 ? 'ERROR' : 'INFO'} ${'x'.repeat(200)}`,
  );
  await putAll(lab, 'texts', { 'app.log': Buffer.from(lines.join('\n')), 'page.html': Buffer.from(html) });
  await goTo(win, 'Lab', 'texts/');
  let dialog = await open(win, 'app.log');
  const content = dialog.getByRole('textbox', { name: 'Content of app.log' });
  await expect(content).toContainText('0 level=ERROR');
  await expect(dialog.locator('.cm-lineNumbers')).toContainText('12');
  await dialog.getByRole('textbox', { name: 'Find' }).fill('error');
  await expect(dialog.getByText('58 matches')).toBeVisible();
  await dialog.getByRole('button', { name: 'Wrap long lines' }).click();
  await expect(dialog.getByRole('button', { name: 'Wrap long lines' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await dialog.getByRole('button', { name: 'Go to the end' }).click();
  await expect(content).toContainText('399 level=ERROR');
  await win.mouse.move(2, 2);
  await expect(win.getByRole('tooltip')).toHaveCount(0);
  expect(await axeFindings(win)).toEqual([]);
  await win.keyboard.press('Escape');
  // The page is shown as text, and its scripts do not run.
  await win.evaluate(() => Object.assign(globalThis, { MARK: () => (document.title = 'ran') }));
  dialog = await open(win, 'page.html');
  await expect(dialog.getByRole('textbox', { name: 'Content of page.html' })).toContainText('top.MARK()');
  expect(await win.title()).not.toBe('ran');
});

const line = (number: number): string =>
  `${String(number).padStart(9, '0')} all is well at the pier${' '.repeat(66)}\n`;

/** Returns a log of 100 MB with lines of equal length. It has no gaps of zeros, which would not count as text. */
function largeLog(): SparseFile {
  const sizeBytes = 100_000_000;
  const block = Buffer.from(Array.from({ length: 1000 }, (_, number) => line(number)).join(''));
  const pieces = Array.from({ length: sizeBytes / block.byteLength }, (_, at) => ({
    at: at * block.byteLength,
    bytes: block,
  }));
  return {
    sizeBytes,
    pieces: [...pieces, { at: sizeBytes - 100, bytes: Buffer.from('the last word is haddock'.padEnd(99)) }],
  };
}

test('a text of 100 MB opens at once, jumps to its end and is searched completely', async ({ win }) => {
  const server = await startSparseServer({ 'large.log': largeLog() });
  try {
    await addConnection(win, { name: 'Sparse text', endpoint: server.endpoint, keys: labKeys });
    await sidebarRow(win, 'Sparse text').click();
    await typeAddress(win, 'sparse/');
    const dialog = await open(win, 'large.log');
    const content = dialog.getByRole('textbox', { name: 'Content of large.log' });
    await expect(content).toContainText('000000000 all is well');
    expect(server.reads().requests).toBeLessThan(10);
    expect(server.reads().bytes).toBeLessThan(2_000_000);
    await win.setViewportSize({ width: 800, height: 800 });
    await expectOneLine(dialog, dialog.getByRole('textbox', { name: 'Find' }));
    await win.setViewportSize({ width: 1280, height: 800 });
    await dialog.getByRole('button', { name: 'Go to the end' }).click();
    await expect(content).toContainText('haddock');
    expect(server.reads().bytes).toBeLessThan(4_000_000);
    await dialog.getByRole('slider', { name: 'Place in the file' }).fill('0');
    await expect(content).toContainText('000000000 all is well');
    await dialog.getByRole('textbox', { name: 'Find' }).fill('HADDOCK');
    await dialog.getByRole('textbox', { name: 'Find' }).press('Enter');
    await expect(content).toContainText('haddock', { timeout: 60_000 });
  } finally {
    await server.close();
  }
});

test('a followed log shows its new end as it grows', async ({ win, lab }) => {
  await putAll(lab, 'growing', { 'app.log': 'the first line\n' });
  await goTo(win, 'Lab', 'growing/');
  const dialog = await open(win, 'app.log');
  const content = dialog.getByRole('textbox', { name: 'Content of app.log' });
  await expect(content).toContainText('the first line');
  // Forced, because the visible part of the switch covers the input.
  await dialog.getByRole('switch', { name: 'Follow' }).check({ force: true });
  const grown = Buffer.from(`the first line\n${'x\n'.repeat(500)}the newest line\n`);
  await lab.store.putBytes(lab.store.buckets.get('growing')?.id ?? 0, 'app.log', grown, { modifiedMs: 2e12 });
  await expect(content.getByText('the newest line')).toBeInViewport({ timeout: 20_000 });
});
