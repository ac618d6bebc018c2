import { expect, type Page } from '@playwright/test';
import type { Service } from '../../support/lab-service/server.ts';
import { expectJob } from '../support/operations.ts';
import { crumb, goTo, grid, labBucket, numbered, rowOf, selected, test } from '../support/window.ts';

/** Presses a row at its middle. */
async function pressRow(
  win: Page,
  name: string,
  options: Parameters<Page['mouse']['down']>[0] = {},
): Promise<void> {
  await rowOf(win, name).hover();
  await win.mouse.down(options);
}

/** Deletes an object by another program, and lists the folder again, so that later rows move up by one. */
async function moveRowsUp(win: Page, lab: Service, bucket: string, deleted: string): Promise<void> {
  lab.store.deleteObject(lab.store.buckets.get(bucket)?.id ?? -1, deleted);
  await win.keyboard.press('F5');
  await expect(rowOf(win, deleted.split('/', 1)[0] ?? '')).toHaveCount(0);
}

test('a click acts on the row that was pressed, although the rows have moved since', async ({ win, lab }) => {
  await labBucket(lab, 'moving-click', numbered(30));
  await goTo(win, 'Lab', 'moving-click');
  await pressRow(win, '0003.txt');
  await moveRowsUp(win, lab, 'moving-click', '0001.txt');
  await win.mouse.up();
  await expect(selected(win)).toContainText('0003.txt');
  await expect(selected(win)).toHaveCount(1);

  // The row that takes the place of a pressed row is not selected. Listing the folder again has cleared the selection.
  await pressRow(win, '0006.txt');
  await moveRowsUp(win, lab, 'moving-click', '0006.txt');
  await expect(selected(win)).toHaveCount(0);
  await win.mouse.up();
  await expect(rowOf(win, '0007.txt')).toHaveAttribute('aria-selected', 'false');
  await expect(selected(win)).toHaveCount(0);
});

test('a double click opens the row that was pressed twice, and no other', async ({ win, lab }) => {
  await labBucket(lab, 'moving-double', ['a.txt', 'b.txt', 'c/x.txt', 'd/y.txt', 'e/z.txt']);
  await goTo(win, 'Lab', 'moving-double');
  await rowOf(win, 'd').click();
  await pressRow(win, 'd', { clickCount: 2 });
  await moveRowsUp(win, lab, 'moving-double', 'c/x.txt');
  await win.mouse.up({ clickCount: 2 });
  await expect(crumb(win)).toHaveText('d');
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(crumb(win)).toHaveText('moving-double');

  // The second press hits the row that has moved under the pointer.
  await rowOf(win, 'd').click();
  await moveRowsUp(win, lab, 'moving-double', 'd/y.txt');
  await win.mouse.down({ clickCount: 2 });
  await win.mouse.up({ clickCount: 2 });
  await expect(selected(win)).toContainText('e');
  await expect(crumb(win)).toHaveText('moving-double');
});

test('a drag moves the row that was pressed, although the rows have moved since', async ({ win, lab }) => {
  await labBucket(lab, 'moving-drag', ['target/x.txt', ...numbered(8)]);
  await goTo(win, 'Lab', 'moving-drag');
  await pressRow(win, '0003.txt');
  await moveRowsUp(win, lab, 'moving-drag', '0001.txt');
  const target = await rowOf(win, 'target').boundingBox();
  if (target === null) throw new Error('The target is not visible.');
  const [x, y] = [target.x + 60, target.y + target.height / 2];
  await win.mouse.move(x + 10, y + 4, { steps: 4 });
  await win.mouse.move(x, y, { steps: 4 });
  await win.mouse.up();
  await expectJob(win, 'Done. Moved ');
  await expect(rowOf(win, '0003.txt')).toHaveCount(0);
  await expect(rowOf(win, '0004.txt')).toBeVisible();
  await expect(grid(win)).toBeVisible();
});
