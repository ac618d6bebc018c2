import { expect, type Locator, type Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { gallery } from '../support/gallery.ts';
import { focusedRow, goTo, grid, labBucket, rowOf, selected, test } from '../support/window.ts';

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const look = (page: Page): Locator => page.getByRole('region', { name: /^Look at/ });

test('Space opens a quick look at the focused row, which follows the arrow keys without focus', async ({
  win,
  lab,
}) => {
  const bucket = lab.store.buckets.create('looked-at', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  for (const name of ['a.png', 'b.png', 'c.txt'])
    await lab.store.putBytes(bucket.id, name, name.endsWith('.png') ? pixel : Buffer.from('quiet words'), {
      modifiedMs: 1e12,
    });
  await lab.store.putBytes(bucket.id, 'z/inside.txt', Buffer.from('x'), { modifiedMs: 1e12 });
  const reads = (key: string): number =>
    lab.faults.journal.filter(
      (record) => record.operation === 'GetObject' && record.bucket === 'looked-at' && record.key === key,
    ).length;

  await goTo(win, 'Lab', 'looked-at');
  // Hides the details, which read the beginning of an image for its thumbnail.
  await win.setViewportSize({ width: 850, height: 800 });
  await expect(win.getByRole('complementary', { name: 'Details' })).toBeHidden();
  await expect(grid(win)).toBeFocused();
  // The folder comes first.
  await win.keyboard.press('Home');
  await win.keyboard.press('Space');
  await expect(look(win)).toContainText('z');
  await win.keyboard.press('ArrowDown');
  await expect(look(win).getByRole('img', { name: 'a.png' })).toBeVisible();
  await expect(grid(win)).toBeFocused();
  expect(await axeFindings(win)).toEqual([]);
  await win.keyboard.press('ArrowDown');
  await expect(look(win).getByRole('img', { name: 'b.png' })).toBeVisible();
  await win.keyboard.press('ArrowDown');
  await expect(look(win)).toContainText('quiet words');

  // Going back to an object sends no further request.
  expect(reads('a.png')).toBe(1);
  await win.keyboard.press('ArrowUp');
  await win.keyboard.press('ArrowUp');
  await expect(look(win).getByRole('img', { name: 'a.png' })).toBeVisible();
  expect(reads('a.png')).toBe(1);

  await win.keyboard.press('Escape');
  await expect(look(win)).toBeHidden();
  await expect(selected(win)).toHaveCount(1);
  await win.keyboard.press('Space');
  await expect(look(win)).toBeVisible();
  await win.keyboard.press('Space');
  await expect(look(win)).toBeHidden();

  // Enter opens the object of the quick look in the large preview.
  await win.keyboard.press('Space');
  await expect(look(win).getByRole('img', { name: 'a.png' })).toBeVisible();
  await win.keyboard.press('Enter');
  await expect(win.getByRole('dialog').getByRole('img', { name: 'a.png' })).toBeVisible();
  await expect(look(win)).toBeHidden();
  await win.keyboard.press('Escape');
  await expect(grid(win)).toBeFocused();

  // Ctrl+Space selects a row, as Space used to.
  await win.keyboard.press('Control+ArrowDown');
  await expect(focusedRow(win)).toContainText('b.png');
  await win.keyboard.press('Control+Space');
  await expect(selected(win)).toHaveCount(2);
});

test('a quick look reads no more than its limit and says how to see the rest', async ({ win, lab }) => {
  const bucket = lab.store.buckets.create('looked-large', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  await lab.store.putBytes(bucket.id, 'large.png', Buffer.alloc(9 * 1024 ** 2, 'a'), { modifiedMs: 1e12 });
  await goTo(win, 'Lab', 'looked-large');
  // Hides the details, which read the beginning of an image for its thumbnail.
  await win.setViewportSize({ width: 850, height: 800 });
  await expect(rowOf(win, 'large.png')).toBeVisible();
  await expect(grid(win)).toBeFocused();
  await win.keyboard.press('Home');
  await win.keyboard.press('Space');
  await expect(look(win)).toContainText('Press Enter');
  expect(
    lab.faults.journal.some(
      (record) =>
        record.operation === 'GetObject' && record.bucket === 'looked-large' && record.key === 'large.png',
    ),
  ).toBe(false);
});

test('objects billed per read are shown only on request in quick look and preview', async ({ win, lab }) => {
  const bucket = lab.store.buckets.create('looked-cold', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  for (const name of ['a.txt', 'b.txt', 'c.txt'])
    await lab.store.putBytes(bucket.id, name, Buffer.from(`words of ${name}`), {
      modifiedMs: 1e12,
      storageClass: 'STANDARD_IA',
    });
  const reads = (): readonly (string | null)[] =>
    lab.faults.journal
      .filter((record) => record.operation === 'GetObject' && record.bucket === 'looked-cold')
      .map(({ key }) => key);
  await goTo(win, 'Lab', 'looked-cold');
  await win.setViewportSize({ width: 850, height: 800 });
  await expect(grid(win)).toBeFocused();
  await win.keyboard.press('Home');
  await win.keyboard.press('Space');
  await expect(look(win)).toContainText(
    'The service bills each reading of an object of the class STANDARD_IA.',
  );
  expect(await axeFindings(win)).toEqual([]);
  expect(reads()).toEqual([]);
  await look(win).getByRole('button', { name: 'Show it' }).click();
  await expect(look(win)).toContainText('words of a.txt');

  // Enter loads this one; the arrow in the preview loads none.
  await rowOf(win, 'b.txt').click();
  await win.keyboard.press('Enter');
  const preview = win.getByRole('dialog');
  await expect(preview).toContainText('words of b.txt');
  await win.keyboard.press('ArrowRight');
  await expect(preview).toContainText('The service bills each reading');
  expect(new Set(reads())).toEqual(new Set(['a.txt', 'b.txt']));
  await preview.getByRole('button', { name: 'Show it' }).click();
  await expect(preview).toContainText('words of c.txt');
});

test('a quick look never covers its own row or tile', async ({ win, lab }) => {
  await labBucket(
    lab,
    'looked-beside',
    Array.from({ length: 60 }, (_, at) => `picture ${String(at)}.txt`),
  );
  await goTo(win, 'Lab', 'looked-beside');
  await expect(rowOf(win, 'picture 0.txt')).toBeVisible();
  for (const [width, view] of [
    [1280, 'Control+1'],
    [1280, 'Control+2'],
    [420, 'Control+2'],
    [420, 'Control+1'],
  ] as const) {
    // The window is high enough for a tile above the quick look.
    await win.setViewportSize({ width, height: 1100 });
    await win.keyboard.press(view);
    await expect(view === 'Control+1' ? grid(win) : gallery(win)).toBeFocused();
    const focused = win.locator('[data-row-position][data-focused="true"]');
    // Retries, because a key pressed before the new width applies scrolls by the old number of lines.
    await expect(async () => {
      await win.keyboard.press('End');
      await expect(focused).toContainText('picture 59.txt', { timeout: 1000 });
    }).toPass();
    await win.keyboard.press('Space');
    await expect(look(win)).toContainText('picture 59.txt');
    for (const key of ['ArrowUp', 'Home', 'ArrowDown', 'End']) {
      await win.keyboard.press(key);
      // The ratio is not exactly 1, because heights in percent leave fractions of a pixel.
      await expect(focused).toBeInViewport({ ratio: 0.95 });
      const [row, over] = [await focused.boundingBox(), await look(win).boundingBox()];
      if (row === null || over === null) throw new Error('Neither is drawn.');
      const isBeside = row.x + row.width <= over.x + 1 || row.y + row.height <= over.y + 1;
      expect(isBeside, `${view} at ${String(width)} px, after ${key}`).toBe(true);
    }
    expect(await axeFindings(win, '#tab-panel')).toEqual([]);
    await win.keyboard.press('Escape');
    await expect(look(win)).toBeHidden();
  }
});

test('the details give way to a quick look if there is no room for both, until requested', async ({
  win,
  lab,
}) => {
  await labBucket(
    lab,
    'looked-room',
    Array.from({ length: 40 }, (_, at) => `picture ${String(at)}.txt`),
  );
  await goTo(win, 'Lab', 'looked-room');
  const details = win.getByRole('complementary', { name: 'Details' });
  await win.setViewportSize({ width: 1024, height: 768 });
  if (!(await details.isVisible())) await win.keyboard.press('Control+i');
  await expect(details).toBeVisible();
  await win.keyboard.press('Control+2');
  await expect(gallery(win)).toBeFocused();
  await win.keyboard.press('Home');
  await win.keyboard.press('Space');
  await expect(look(win)).toContainText('picture 0.txt');
  await expect(details).toBeHidden();
  // The quick look opens beside the tiles, which keep the height of the window.
  const whole = gallery(win).getByRole('option', { name: /^picture 2\.txt/ });
  await expect(whole).toBeInViewport({ ratio: 1 });
  await win.keyboard.press('Control+i');
  await expect(details).toBeVisible();
  await expect(look(win)).toBeVisible();
  await win.keyboard.press('Control+i');
  await expect(details).toBeHidden();
  await win.keyboard.press('Space');
  await expect(look(win)).toBeHidden();
  await expect(details).toBeVisible();
  // With enough room, the details and the quick look are both visible.
  await win.setViewportSize({ width: 1440, height: 900 });
  await win.keyboard.press('Space');
  await expect(look(win)).toBeVisible();
  await expect(details).toBeVisible();
  await win.keyboard.press('Escape');
});

test('the focused item stays visible when the window is resized, unless it was scrolled away', async ({
  win,
  lab,
}) => {
  await labBucket(
    lab,
    'resized',
    Array.from({ length: 120 }, (_, at) => `picture ${String(100 + at)}.txt`),
  );
  await win.setViewportSize({ width: 1280, height: 900 });
  await goTo(win, 'Lab', 'resized');
  const focused = win.locator('[data-row-position][data-focused="true"]');
  for (const view of ['Control+2', 'Control+1'] as const) {
    await win.setViewportSize({ width: 1280, height: 900 });
    await win.keyboard.press(view);
    const list = view === 'Control+1' ? grid(win) : gallery(win);
    await expect(list).toBeFocused();
    // Moves focus to the last visible item.
    await win.keyboard.press('Home');
    await expect(focused).toContainText('picture 100.txt');
    await win.keyboard.press('PageDown');
    await win.keyboard.press('End');
    await expect(focused).toContainText('picture 219.txt');
    await win.keyboard.press('ArrowUp');
    for (const [width, height] of [
      [1280, 700],
      [900, 700],
      [600, 500],
      [1280, 900],
    ] as const) {
      await win.setViewportSize({ width, height });
      await expect(focused).toBeInViewport({ ratio: 0.95 });
    }
    await win.keyboard.press('Home');
    await expect(focused).toContainText('picture 100.txt');
    await list.hover();
    await win.mouse.wheel(0, 1500);
    await expect(focused).toHaveCount(0);
    await win.setViewportSize({ width: 900, height: 600 });
    await expect(list.locator('[data-row-position]').first()).not.toContainText('picture 100.txt');
    await expect(focused).toHaveCount(0);
  }
});
