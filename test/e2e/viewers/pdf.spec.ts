import { expect, type Locator, type Page } from '@playwright/test';
import { en } from '../../../shared/messages/en/index.ts';
import { hostilePdf, lockedPdf, longPdf, sparsePdf, wordOf } from '../../support/files/pdf-files.ts';
import {
  pdfOfAnnotations,
  pdfOfNotes,
  pdfOfPictures,
  pdfWithoutPage,
} from '../../support/files/pdf-of-pictures.ts';
import { memoryOf } from '../../support/process-memory.ts';
import { startSparseServer } from '../../support/servers/sparse-server.ts';
import { axeFindings } from '../support/axe.ts';
import { addConnection } from '../support/forms.ts';
import { goTo, labKeys, sidebarRow, test, typeAddress } from '../support/window.ts';
import { expectOneLine, open, putAll } from './viewing.ts';

const words = en.viewers.pdf;
const pageOf = (dialog: Locator, page: number): Locator =>
  dialog.getByRole('document').getByRole('region', { name: `Page ${String(page)} of the document` });
const field = (dialog: Locator): Locator => dialog.getByRole('textbox', { name: words.goTo });

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

test('a PDF scrolls from page to page, can be searched, and its thumbnails lead to pages', async ({
  win,
}, info) => {
  await goTo(win, 'Sample buckets', 'documents/formats/');
  const dialog = await open(win, 'pilot-book.pdf');
  await expect(pageOf(dialog, 1)).toContainText('Reach 1: Old Slip to Mole Head');
  await expect(dialog.getByText('of 12')).toBeVisible();
  await win.setViewportSize({ width: 800, height: 800 });
  await expectOneLine(dialog, field(dialog));
  await win.setViewportSize({ width: 1280, height: 800 });
  const pages = dialog.getByRole('document');
  await pages.focus();
  for (let press = 0; press < 5; press += 1) await win.keyboard.press('PageDown');
  await expect(field(dialog)).not.toHaveValue('1');
  await dialog.getByRole('button', { name: 'Page 4 of the document' }).click();
  await expect(field(dialog)).toHaveValue('4');
  await expect(pageOf(dialog, 4)).toContainText('Heron Bar to Curlew Creek');
  await looks(win, info, 'pages');

  // While a document is open, the key of the window's search searches in it.
  await pages.focus();
  await win.keyboard.press('ControlOrMeta+f');
  await expect(dialog.getByRole('textbox', { name: en.viewers.text.find })).toBeFocused();
  await win.keyboard.type('Reach 11');
  await expect(dialog.getByText('1 of 1', { exact: true })).toBeVisible();
  await expect(field(dialog)).toHaveValue('11');
  await expect(dialog.locator('.highlight.selected')).toHaveText('Reach 11');
  await looks(win, info, 'search');
  await dialog.getByRole('textbox', { name: en.viewers.text.find }).fill('reach');
  await expect(dialog.getByText(/^\d+ of 12$/)).toBeVisible();
  await win.keyboard.press('Enter');
  await win.keyboard.press('Shift+Enter');
  await dialog.getByRole('textbox', { name: en.viewers.text.find }).fill('nowhere');
  await expect(dialog.getByText(words.noMatch)).toBeVisible();

  const width = async () => (await pageOf(dialog, 11).boundingBox())?.width ?? 0;
  const before = await width();
  await pages.focus();
  await win.keyboard.press('+');
  await expect.poll(width).toBeGreaterThan(before * 1.1);
});

test('a PDF of 2,000 pages keeps a few canvases and is searched to its end', async ({ win, lab }) => {
  test.setTimeout(120_000);
  await putAll(lab, 'long-pdf', { 'long.pdf': longPdf(2000) });
  await goTo(win, 'Lab', 'long-pdf/');
  const memory = memoryOf(process.pid);
  const dialog = await open(win, 'long.pdf');
  await expect(pageOf(dialog, 1)).toContainText(wordOf(1));
  for (const page of [50, 400, 1999]) {
    await field(dialog).fill(String(page));
    await expect(pageOf(dialog, page)).toContainText(wordOf(page));
    expect(await dialog.locator('canvas').count()).toBeLessThan(40);
  }
  await dialog.getByRole('textbox', { name: en.viewers.text.find }).fill(wordOf(1234));
  await expect(dialog.getByText('1 of 1', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(field(dialog)).toHaveValue('1234');
  expect(memory.largestBytes()).toBeLessThan(1_500_000_000);
});

test('a PDF of a gigabyte is read by ranges as needed', async ({ win }) => {
  const server = await startSparseServer({ 'large.pdf': sparsePdf() });
  try {
    await addConnection(win, { name: 'Sparse pages', endpoint: server.endpoint, keys: labKeys });
    await sidebarRow(win, 'Sparse pages').click();
    await typeAddress(win, 'sparse/');
    const dialog = await open(win, 'large.pdf');
    await expect(pageOf(dialog, 1)).toContainText(wordOf(1));
    await field(dialog).fill('40');
    await expect(pageOf(dialog, 40)).toContainText(wordOf(40));
    const { requests, bytes } = server.reads();
    expect(requests).toBeLessThan(20);
    expect(bytes).toBeLessThan(4_000_000);
  } finally {
    await server.close();
  }
});

test('a locked PDF asks for its password, and a damaged one is reported as such', async ({
  win,
  lab,
}, info) => {
  await putAll(lab, 'locked-pdf', { 'locked.pdf': lockedPdf('keel'), 'broken.pdf': '%PDF-1.7 and no more' });
  await goTo(win, 'Lab', 'locked-pdf/');
  let dialog = await open(win, 'locked.pdf');
  const password = dialog.getByRole('textbox', { name: words.password });
  await password.fill('mast');
  await looks(win, info, 'locked');
  await password.press('Enter');
  await expect(dialog.getByText(words.passwordWrong)).toBeVisible();
  await password.fill('keel');
  await password.press('Enter');
  await expect(pageOf(dialog, 1)).toContainText('Behind a lock');
  await win.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  dialog = await open(win, 'broken.pdf');
  await expect(dialog.getByText(words.failed)).toBeVisible();
});

test('a PDF runs nothing, fetches nothing from elsewhere, and its links are inactive', async ({
  win,
  lab,
}) => {
  const elsewhere = 'http://elsewhere.invalid/ran';
  await putAll(lab, 'hostile-pdf', { 'hostile.pdf': hostilePdf(elsewhere) });
  await goTo(win, 'Lab', 'hostile-pdf/');
  const requests: string[] = [];
  win.on('request', (request) => requests.push(request.url()));
  const here = win.url();
  const dialog = await open(win, 'hostile.pdf');
  const page = pageOf(dialog, 1);
  await expect(page).toContainText('Hostile');
  await page.click({ position: { x: 100, y: 200 } });
  await expect(page.getByRole('link')).toHaveCount(0);
  await win.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(await win.evaluate(() => 'ranFromObject' in globalThis)).toBe(false);
  expect(win.url()).toBe(here);
  expect(win.context().pages()).toHaveLength(1);
  expect(requests.filter((url) => new URL(url).origin !== new URL(here).origin)).toEqual([]);
});

/** Returns the pixel in the middle of a page. */
async function middleOf(page: Locator): Promise<readonly number[]> {
  return await pixelOf(page, 0.5);
}

/** Returns the pixel in the middle of a line of a page. `down` is the fraction of the page's height above the line. */
async function pixelOf(page: Locator, down: number): Promise<readonly number[]> {
  return await page
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement, part) => {
      const context = canvas.getContext('2d');
      return Array.from(context?.getImageData(canvas.width / 2, canvas.height * part, 1, 1).data ?? []);
    }, down);
}

test('a PDF shows the values of its form and its annotations, as part of the page', async ({ win, lab }) => {
  await putAll(lab, 'annotated-pdf', { 'annotated.pdf': pdfOfAnnotations() });
  await goTo(win, 'Lab', 'annotated-pdf/');
  const dialog = await open(win, 'annotated.pdf');
  const page = pageOf(dialog, 1);
  await expect.poll(async () => await pixelOf(page, 0.25)).toEqual([255, 0, 0, 255]);
  expect(await pixelOf(page, 0.75)).toEqual([0, 0, 255, 255]);
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expect(page.locator('.annotationLayer')).toHaveCount(0);
  await page.click({ position: { x: 100, y: 20 } });
  await win.keyboard.type('B');
  expect(await win.evaluate(() => 'ranFromObject' in globalThis)).toBe(false);
});

test('a PDF shows the icons of its notes and attached files, and names a page that cannot be read', async ({
  win,
  lab,
}, info) => {
  await putAll(lab, 'notes-pdf', { 'notes.pdf': pdfOfNotes(0), 'turned.pdf': pdfOfNotes(90) });
  await goTo(win, 'Lab', 'notes-pdf/');
  // The corner of the note at [20 150 40 170], which is 22 points wide and keeps its upper left corner.
  for (const [name, left, top] of [
    ['notes.pdf', 20 / 200, 30 / 200],
    ['turned.pdf', 148 / 200, 20 / 200],
  ] as const) {
    const dialog = await open(win, name);
    const page = pageOf(dialog, 1);
    const icons = page.locator('img');
    await expect(icons).toHaveCount(3);
    expect(await icons.evaluateAll((all) => all.map((image) => image.getAttribute('alt')))).toEqual([
      'Note: Is this the depth?',
      'Note',
      'Attached file: tides.csv',
    ]);
    await expect
      .poll(() => icons.evaluateAll((all) => all.map((node) => (node as HTMLImageElement).naturalWidth > 0)))
      .toEqual([true, true, true]);
    const box = await page.boundingBox();
    const first = await icons.first().boundingBox();
    if (box === null || first === null) throw new Error('They are not drawn.');
    expect((first.x - box.x) / box.width).toBeCloseTo(left, 2);
    expect((first.y - box.y) / box.height).toBeCloseTo(top, 2);
    expect(first.width / box.width).toBeCloseTo(22 / 200, 2);
    const thumbnail = dialog.getByRole('button', { name: 'Page 1 of the document' });
    const small = thumbnail.locator('img');
    await expect(small).toHaveCount(3);
    const sheet = await thumbnail.locator('canvas').boundingBox();
    const note = await small.first().boundingBox();
    if (sheet === null || note === null) throw new Error('The thumbnail is not drawn.');
    expect((note.x - sheet.x) / sheet.width).toBeCloseTo(left, 1);
    expect((note.y - sheet.y) / sheet.height).toBeCloseTo(top, 1);
    expect(note.width / sheet.width).toBeCloseTo(22 / 200, 1);
    await win.screenshot({ path: info.outputPath(`${name}.png`) });
    await dialog.getByRole('document').focus();
    await win.keyboard.press('+');
    await expect.poll(async () => (await page.boundingBox())?.width).toBeGreaterThan(box.width);
    await expect(icons).toHaveCount(3);
    await field(dialog).fill('2');
    await win.keyboard.press('Enter');
    await expect(dialog.getByText('Page 2 could not be drawn.')).toBeVisible();
    await win.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  }
});

test('a PDF shows JPEG 2000, JBIG2 and Japanese text, and names a page with a damaged picture', async ({
  win,
  lab,
}, info) => {
  await putAll(lab, 'pictures-pdf', { 'pictures.pdf': pdfOfPictures(), 'no-page.pdf': pdfWithoutPage() });
  await goTo(win, 'Lab', 'pictures-pdf/');
  let dialog = await open(win, 'pictures.pdf');
  const goToPage = async (number: number): Promise<Locator> => {
    await dialog.getByRole('button', { name: `Page ${String(number)} of the document` }).click();
    await expect(field(dialog)).toHaveValue(String(number));
    return pageOf(dialog, number);
  };
  const [red = 0, green = 255] = await expect
    .poll(async () => await middleOf(pageOf(dialog, 1)))
    .not.toEqual([255, 255, 255, 255])
    .then(async () => await middleOf(pageOf(dialog, 1)));
  expect([red > 180, green < 60]).toEqual([true, true]);
  const second = await goToPage(2);
  await expect.poll(async () => await middleOf(second)).toEqual([0, 0, 0, 255]);
  await expect(dialog.getByRole('note')).toHaveCount(0);
  await expect(await goToPage(3)).toContainText('日本');
  await goToPage(4);
  const note = words.broken.pictures.replace('{{page}}', '4');
  await expect(dialog.getByText(note)).toBeVisible();
  await looks(win, info, 'damaged-picture');
  await win.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  dialog = await open(win, 'no-page.pdf');
  await expect(dialog.getByText(words.failed)).toBeVisible();
});
