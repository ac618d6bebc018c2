import { expect } from '@playwright/test';
import type { Bookmark } from '../../../shared/models/settings.ts';
import { connection, test } from '../support/fake-window.ts';

const nameOf = (at: number): string => `mark-${String(at).padStart(3, '0')}`;

test('1,000 bookmarks are rendered as some 100 rows, which keys and scrolling reach', async ({ open }) => {
  const bookmarks = Array.from({ length: 1000 }, (_, at): Bookmark => ({
    id: `b${String(at)}`,
    name: nameOf(at),
    connectionId: connection.id,
    bucket: 'harbour',
    prefix: `${nameOf(at)}/`,
  }));
  const win = await open({ bookmarks: { list: () => bookmarks } });
  const region = win.getByRole('region', { name: 'Bookmarks' });
  const entries = region.getByRole('listitem');
  const entry = (at: number) => region.getByRole('button', { name: nameOf(at) });
  await expect(entry(0)).toBeVisible();
  expect(await entries.count()).toBeLessThan(165);
  await expect(entries.first()).toHaveAttribute('aria-setsize', '1000');

  await entry(0).focus();
  await win.keyboard.press('ArrowDown');
  await expect(entry(1)).toBeFocused();
  await win.keyboard.press('End');
  await expect(entry(999)).toBeFocused();
  await expect(entry(999)).toBeInViewport();
  await expect(entry(990)).toBeInViewport();
  expect(await entries.count()).toBeLessThan(165);
  await win.keyboard.press('ArrowUp');
  await expect(entry(998)).toBeFocused();

  // The focused entry stays rendered, wherever the user scrolls to.
  await region.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await expect(entry(0)).toBeInViewport();
  await expect(entry(998)).toBeFocused();
  expect(await entries.count()).toBeLessThan(165);

  // The menu returns focus to its entry.
  await win.keyboard.press('Home');
  await win.keyboard.press('Shift+F10');
  await expect(win.getByRole('menuitem', { name: 'Rename…' })).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(entry(0)).toBeFocused();
  const [first, second] = [await entry(0).boundingBox(), await entry(1).boundingBox()];
  expect((second?.y ?? 0) - (first?.y ?? 0)).toBe(28);
});
