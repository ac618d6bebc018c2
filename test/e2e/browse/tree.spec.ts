import { expect, type Locator } from '@playwright/test';
import type { OperationResponse } from '../../../electron/service/context.ts';
import { axeFindings } from '../support/axe.ts';
import { expectJob, expectLabKeys } from '../support/operations.ts';
import {
  crumb,
  goTo,
  grid,
  labBucket,
  numbered,
  openConnection,
  rowOf,
  sidebarRow,
  test,
} from '../support/window.ts';
import { revealInTree } from '../support/tree.ts';

test('sidebar folders open by keyboard, follow the current folder and accept drops', async ({ win, lab }) => {
  // The sidebar listed the buckets before this one was created, so it lists again.
  await openConnection(win, 'Lab');
  await expect(sidebarRow(win, 'lab-home')).toBeVisible();
  await labBucket(lab, 'tree', ['dir10/x.txt', 'dir2/inner/y.txt', 'dir2/inner/deep/z.txt', 'note.txt']);
  await goTo(win, 'Lab', 'tree');
  const tree = win.getByRole('tree');
  const bucket = sidebarRow(win, 'tree');
  await expect(bucket).toHaveAttribute('aria-current', 'page');
  const before = lab.faults.count('ListObjectsV2');
  await bucket.focus();
  await win.keyboard.press('ArrowRight');
  await expect(bucket).toHaveAttribute('aria-expanded', 'true');
  // Matches only rows of this bucket, because a tab that another test left open has another branch of the tree.
  const below = (level: number): Locator =>
    tree.locator(
      `xpath=.//*[@aria-level="${String(level)}"][preceding-sibling::*[@aria-level="2"][1][normalize-space()="tree"]]`,
    );
  await expect(below(3)).toHaveText(['dir2', 'dir10']);
  // No request is needed, because the pane has just listed them.
  expect(lab.faults.count('ListObjectsV2')).toBe(before);
  await win.keyboard.press('ArrowRight');
  await win.keyboard.press('ArrowRight');
  await expect(below(4)).toHaveText(['inner']);
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('dir2');

  await rowOf(win, 'inner').dblclick();
  await rowOf(win, 'deep').dblclick();
  await expect(crumb(win)).toHaveText('deep');
  await expect(tree.getByRole('treeitem', { name: 'deep' })).toHaveAttribute('aria-current', 'page');
  expect(await axeFindings(win)).toEqual([]);

  await rowOf(win, 'z.txt').dragTo(tree.getByRole('treeitem', { name: 'dir10' }));
  await expectJob(win, 'Done. Moved ');
  await tree.getByRole('treeitem', { name: 'dir10' }).click();
  await expect(rowOf(win, 'z.txt')).toBeVisible();
  await expect(grid(win)).toBeVisible();
  // The folder that lost its last object is gone from the tree as well.
  await expect(tree.getByRole('treeitem', { name: 'deep' })).toHaveCount(0);
});

test('going to a folder opens its branch of the tree without a request, and the rest on demand', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'tree-branch', [
    'alp/first/x',
    'alp/second/branch/nest/y',
    'alp/second/other/y',
    'bet/x',
    'alp/second/branch/side/y',
    'note.txt',
  ]);
  await win.reload();
  const listings = (): readonly string[] =>
    lab.faults.journal
      .filter((record) => record.operation === 'ListObjectsV2' && record.bucket === 'tree-branch')
      .map(({ query }) => query.get('prefix') ?? '');
  await openConnection(win, 'Lab');
  // A typed address would also be listed for its suggestions.
  await win.evaluate(() => {
    location.hash += '/tree-branch/alp/second/branch/';
  });
  await expect(crumb(win)).toHaveText('branch');
  await expect(rowOf(win, 'nest')).toBeVisible();
  const tree = win.getByRole('tree');
  const item = (name: string): Locator => tree.getByRole('treeitem', { name, exact: true });
  await expect(item('branch')).toHaveAttribute('aria-current', 'page');
  await expect(item('branch')).toHaveAttribute('aria-level', '5');
  await expect(item('branch')).toBeInViewport();
  await expect(sidebarRow(win, 'tree-branch')).toHaveAttribute('aria-expanded', 'true');
  await expect(item('first')).toHaveCount(0);
  const more = sidebarRow(win, 'tree-branch').locator(
    'xpath=following-sibling::*[normalize-space()="Look for more…"]',
  );
  await expect(more).toHaveCount(3);
  expect(listings()).toEqual(['alp/second/branch/']);
  expect(await axeFindings(win)).toEqual([]);

  // Shows the other folders of the level on request.
  await item('branch').locator('xpath=following-sibling::*[1]').click();
  await expect(item('other')).toBeVisible();
  await expect(crumb(win)).toHaveText('branch');
  expect(listings()).toEqual(['alp/second/branch/', 'alp/second/']);

  // A level that the pane has listed is complete at once.
  await win.mouse.move(800, 600);
  await win.keyboard.press('Alt+ArrowUp');
  await win.keyboard.press('Alt+ArrowUp');
  await expect(crumb(win)).toHaveText('alp');
  await expect(item('first')).toBeVisible();
  await expect(item('second')).toBeVisible();
  await expect(item('bet')).toHaveCount(0);
  expect(listings().filter((prefix) => prefix === 'alp/')).toHaveLength(1);
  expect(listings()).not.toContain('');

  // A branch that the user closed stays closed until the location changes.
  await item('alp').focus();
  await win.keyboard.press('ArrowLeft');
  await expect(item('second')).toHaveCount(0);
  await rowOf(win, 'first').dblclick();
  await expect(item('first')).toHaveAttribute('aria-current', 'page');
  // Only what the user closed is closed after a reload.
  await win.reload();
  await expect(item('first')).toHaveAttribute('aria-current', 'page');
  await expect(item('branch')).toBeVisible();
});

/** Drags a system file over an element, or drops it there. */
async function drag(target: Locator, type: 'dragover' | 'drop'): Promise<void> {
  await target.evaluate((row, name) => {
    const data = new DataTransfer();
    data.items.add(new File(['dropped'], 'dropped.txt'));
    const event = (of: string) => new DragEvent(of, { dataTransfer: data, bubbles: true, cancelable: true });
    row.dispatchEvent(event('dragenter'));
    row.dispatchEvent(event(name));
  }, type);
}

test('files of the system dropped on a folder of the tree are uploaded into exactly that folder', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'tree-drop', ['inbox/a.txt', 'b.txt']);
  await win.reload();
  await openConnection(win, 'Lab');
  const bucket = sidebarRow(win, 'tree-drop');
  await revealInTree(win, bucket);
  await expect(bucket).toBeVisible();
  await bucket.focus();
  await win.keyboard.press('ArrowRight');
  const inbox = win.getByRole('tree').getByRole('treeitem', { name: 'inbox' });
  await drag(inbox, 'dragover');
  await expect(win.getByText('Drop to upload 1 item to inbox')).toBeVisible();
  expect(await axeFindings(win)).toEqual([]);
  // Nothing can be dropped on a connection.
  await drag(sidebarRow(win, 'Sample buckets'), 'dragover');
  await expect(win.getByText(/^Drop to upload/)).toBeHidden();
  await drag(inbox, 'drop');
  await expectLabKeys(lab, 'tree-drop', ['b.txt', 'inbox/a.txt', 'inbox/dropped.txt']);
});

test('a bucket with more folders than a page shows them in portions by keyboard', async ({ win, lab }) => {
  await labBucket(
    lab,
    'tree-pages',
    Array.from({ length: 1250 }, (_, at) => `f${String(at).padStart(4, '0')}/x`),
  );
  await win.reload();
  await openConnection(win, 'Lab');
  // Moves the mouse away, since hovering prefetches a listing.
  await win.mouse.move(800, 500);
  const bucket = sidebarRow(win, 'tree-pages');
  await revealInTree(win, bucket);
  await expect(bucket).toBeVisible();
  const listed = (): number =>
    lab.faults.journal.filter(
      (record) => record.operation === 'ListObjectsV2' && record.bucket === 'tree-pages',
    ).length;
  await bucket.focus();
  await win.keyboard.press('ArrowRight');
  const tree = win.getByRole('tree');
  const folders = tree.getByRole('treeitem', { name: /^f\d{4}$/ });
  await expect(folders.first()).toHaveAttribute('aria-setsize', '201');
  const first = listed();
  for (const [press, count] of [200, 400, 600, 800, 1000, 1200].entries()) {
    // The row for more folders counts too.
    await expect(folders.first()).toHaveAttribute('aria-setsize', String(count + 1));
    // The next page is requested only once the first one is fully shown.
    expect(listed() - first).toBe(press < 5 ? 0 : 1);
    const more = tree.getByRole('treeitem', { name: press === 4 ? 'Look for more…' : 'More folders…' });
    await revealInTree(win, more);
    await more.focus();
    await win.keyboard.press('Enter');
  }
  await expect(folders.first()).toHaveAttribute('aria-setsize', '1250');
  await revealInTree(win, tree.getByRole('treeitem', { name: 'f1249' }));
  await expect(tree.getByRole('treeitem', { name: /More folders|Look for more/u })).toHaveCount(0);
});

test('the tree keeps its open folders after a reload and in a narrow window, and searches for more only once', async ({
  win,
  lab,
}) => {
  // Creates one folder and more objects than fit on a page, so that later pages have no further folder.
  await labBucket(lab, 'tree-kept', ['albums/2026/x', ...numbered(1100, 'z')]);
  await goTo(win, 'Lab', 'tree-kept/albums/2026/');
  const tree = win.getByRole('tree');
  const item = (name: string): Locator => tree.getByRole('treeitem', { name, exact: true });
  await expect(item('2026')).toBeVisible();
  // The row directly below the bucket, not the one below `albums`.
  const more = tree.locator('[aria-level="3"]', { hasText: 'Look for more…' });
  await more.click();
  await more.click();
  await expect(more).toHaveCount(0);
  await expect(item('albums')).toBeVisible();
  await goTo(win, 'Sample buckets', 'documents/');
  await revealInTree(win, item('2026'));
  await win.setViewportSize({ width: 700, height: 700 });
  await expect(tree).toBeHidden();
  await win.getByRole('button', { name: 'Show the sidebar' }).click();
  await revealInTree(win, item('2026'));
  await win.reload();
  await win.getByRole('button', { name: 'Show the sidebar' }).click();
  await revealInTree(win, item('2026'));
});

function tokenIn({ body }: OperationResponse): string | undefined {
  return /<NextContinuationToken>(.*?)<\/NextContinuationToken>/u.exec(
    typeof body === 'string' ? body : '',
  )?.[1];
}

test('a search for more folders ends after ten pages of objects, and at once when it is stopped', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'tree-endless', ['first-of-many/x', ...numbered(2100, 'z')]);
  // Every page after the first has one object and a next page: two tokens alternate, so the listing never ends.
  let page = 0;
  let firstToken = '';
  let held: Promise<void> | null = null;
  lab.faults.add({
    operation: 'ListObjectsV2',
    bucket: 'tree-endless',
    times: Number.POSITIVE_INFINITY,
    action: {
      kind: 'change-answer',
      change: async (made) => {
        if (typeof made.body === 'string' && made.body.includes('first-of-many/')) {
          firstToken = tokenIn(made) ?? '';
          return made;
        }
        await held;
        page += 1;
        const name = `zz${String(page).padStart(6, '0')}`;
        const token = tokenIn(made) ?? firstToken;
        return {
          ...made,
          body: `<ListBucketResult><Name>tree-endless</Name><IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken><Contents><Key>${name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>1</Size></Contents></ListBucketResult>`,
        };
      },
    },
  });
  await win.reload();
  await openConnection(win, 'Lab');
  await win.mouse.move(800, 500);
  const bucket = sidebarRow(win, 'tree-endless');
  await revealInTree(win, bucket);
  await bucket.focus();
  await win.keyboard.press('ArrowRight');
  const folder = win.getByRole('treeitem', { name: 'first-of-many', exact: true });
  await expect(folder).toBeVisible();
  const more = folder.locator('xpath=following-sibling::*[1]');
  await expect(more).toHaveText('Look for more…');
  await more.focus();
  await win.keyboard.press('Enter');
  await expect(more).toHaveText('None yet. Continue…');
  await expect(more).toBeFocused();
  expect(page).toBe(10);

  const hold = Promise.withResolvers<void>();
  held = hold.promise;
  await win.keyboard.press('Enter');
  await expect(more).toHaveText('Looking for more…Stop');
  await win.keyboard.press('Enter');
  await expect(more).toHaveText('None yet. Continue…');
  hold.resolve();
  expect(page).toBeLessThanOrEqual(11);
});
