import { expect } from '@playwright/test';
import { startScriptedServer, xmlResponse } from '../../support/servers/scripted-server.ts';
import { axeFindings } from '../support/axe.ts';
import { addConnection } from '../support/forms.ts';
import {
  crumb,
  focusedRow,
  goTo,
  grid,
  labBucket,
  labKeys,
  numbered,
  rowOf,
  selected,
  status,
  test,
  typeAddress,
} from '../support/window.ts';

test.afterEach(({ lab }) => {
  lab.faults.clear();
});

test('rows are reached and selected by keyboard alone', async ({ win, lab }) => {
  await labBucket(lab, 'by-keys', [...numbered(200), 'zebra.txt', 'folder/inside.txt']);
  await goTo(win, 'Lab', 'by-keys');
  const table = grid(win);
  await expect(table).toBeFocused();
  const at = async (position: number): Promise<void> => {
    await expect(focusedRow(win)).toHaveAttribute('data-row-position', String(position));
    await expect(focusedRow(win)).toBeInViewport();
  };
  await win.keyboard.press('Home');
  await at(0);
  await win.keyboard.press('ArrowDown');
  await at(1);
  await win.keyboard.press('End');
  await at(201);
  await win.keyboard.press('PageUp');
  await expect(focusedRow(win)).not.toHaveAttribute('data-row-position', '201');
  await win.keyboard.press('Home');
  await at(0);
  await win.keyboard.type('zeb');
  await expect(focusedRow(win)).toContainText('zebra.txt');
  await win.keyboard.press('Home');
  await win.keyboard.press('Shift+ArrowDown');
  await win.keyboard.press('Shift+ArrowDown');
  await expect(selected(win)).toHaveCount(3);
  await table.getByText('0007.txt').click({ modifiers: ['Control'] });
  await expect(win.getByText('4 selected', { exact: false }).first()).toBeVisible();
  await win.keyboard.press('Control+a');
  await expect(win.getByText('202 selected', { exact: false }).first()).toBeVisible();
  await win.keyboard.press('End');
  await win.keyboard.press('ContextMenu');
  await expect(win.getByRole('menuitem', { name: 'Copy as' })).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(table).toBeFocused();
});

test('a column keeps its width over a reload even if the closing page can send nothing', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'widths', ['a.txt']);
  await goTo(win, 'Lab', 'widths');
  const edge = win.getByRole('separator', { name: 'Width of the column Size' });
  await edge.focus();
  await win.evaluate(() => {
    WebSocket.prototype.send = () => undefined;
  });
  const before = (await edge.getAttribute('aria-valuenow')) ?? '';
  await win.keyboard.press('ArrowLeft');
  // Presses once and waits, because a second press may start from the old width.
  await expect(edge).not.toHaveAttribute('aria-valuenow', before);
  const after = (await edge.getAttribute('aria-valuenow')) ?? '';
  await win.reload();
  await goTo(win, 'Lab', 'widths');
  await expect(edge).toHaveAttribute('aria-valuenow', after);
});

test('a complete folder is sorted with folders first and numbers in order, and keeps the chosen order', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'natural', ['img10.png', 'img2.png', 'z-folder/x.txt', 'notes.txt']);
  await goTo(win, 'Lab', 'natural');
  const names = grid(win).getByRole('row').locator('[role="gridcell"]:first-child');
  const inOrder = (all: readonly string[]) =>
    expect(names).toHaveText(all.map((name) => new RegExp(`^${name}(Folder|Object)$`, 'u')));
  await inOrder(['z-folder', 'img2.png', 'img10.png', 'notes.txt']);
  const columns = grid(win).getByRole('button', { name: 'Columns' });
  await columns.focus();
  await win.keyboard.press('Enter');
  await expect(win.getByRole('menuitemcheckbox', { name: 'Name' })).toBeDisabled();
  // The menu focuses its first entry once it is open, which would take the focus from another one.
  await expect(win.getByRole('menu').locator(':focus')).toHaveCount(1);
  await win.getByRole('menuitemcheckbox', { name: 'Type' }).press('Enter');
  await win.getByRole('menuitemcheckbox', { name: 'Storage class' }).press('Enter');
  await win.keyboard.press('Escape');
  await expect(columns).toBeFocused();
  await grid(win).getByRole('button', { name: 'Type' }).click();
  await grid(win).getByRole('button', { name: 'Type' }).click();
  const asChosen = async () => {
    await inOrder(['z-folder', 'notes.txt', 'img2.png', 'img10.png']);
    const typeHeading = grid(win).getByRole('columnheader', { name: 'Type' });
    await expect(typeHeading).toHaveAttribute('aria-sort', 'descending');
    await expect(grid(win).getByRole('columnheader', { name: 'Storage class' })).toBeHidden();
  };
  await asChosen();
  await win.reload();
  await asChosen();
  await grid(win).getByRole('columnheader', { name: 'Size' }).click({ button: 'right' });
  await win.getByRole('menuitemcheckbox', { name: 'In the service’s order' }).click();
  await inOrder(['img10.png', 'img2.png', 'notes.txt', 'z-folder']);
  // The columns apply to all folders, so later tests must find them unchanged.
  await win.keyboard.press('Escape');
  await columns.focus();
  await win.keyboard.press('Enter');
  await expect(win.getByRole('menu').locator(':focus')).toHaveCount(1);
  await win.getByRole('menuitemcheckbox', { name: 'Type' }).press('Enter');
  await win.getByRole('menuitemcheckbox', { name: 'Storage class' }).press('Enter');
  await win.keyboard.press('Escape');
  await expect(grid(win).getByRole('columnheader', { name: 'Type' })).toHaveCount(0);
  // Columns are stored with a delay. A bucket that was never opened shows when they are stored.
  await labBucket(lab, 'natural-too', ['one.txt']);
  await win.reload();
  await goTo(win, 'Lab', 'natural-too');
  await expect(grid(win).getByRole('columnheader', { name: 'Storage class' })).toBeVisible();
  await expect(grid(win).getByRole('columnheader', { name: 'Type' })).toHaveCount(0);
});

test('clicks in the columns menu neither select a row nor open the row menu', async ({ win, lab }) => {
  await labBucket(lab, 'beside-rows', numbered(3));
  await goTo(win, 'Lab', 'beside-rows');
  await grid(win).getByText('0001.txt').click();
  await expect(selected(win)).toHaveCount(1);
  await grid(win).getByRole('button', { name: 'Columns' }).click();
  const menu = win.getByRole('menu', { name: 'Columns' });
  await menu.getByText('Columns', { exact: true }).click();
  await menu.getByText('Columns', { exact: true }).click({ button: 'right' });
  await expect(win.getByRole('menu')).toHaveCount(1);
  await expect(selected(win)).toHaveText([/0001/u]);
  await win.keyboard.press('Escape');
  await expect(selected(win)).toHaveText([/0001/u]);
  // With another row focused, Delete offers what is selected, never a nameless row.
  await grid(win).focus();
  await win.keyboard.press('Delete');
  await expect(win.getByRole('dialog')).toContainText('0001.txt');
  await win.keyboard.press('Escape');
});

test('sorting offers to load the rest, can be stopped, and sorts once everything is loaded', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'to-sort', [...numbered(4500), 'zz-folder/inside.txt']);
  await goTo(win, 'Lab', 'to-sort');
  await expect(status(win, '1,000 items loaded')).toContainText('more available');
  await grid(win).getByRole('button', { name: 'Name' }).click();
  const hang = lab.faults.add({ operation: 'ListObjectsV2', nth: 2, action: { kind: 'hang', apply: false } });
  await win.getByRole('button', { name: 'Load and sort' }).click();
  await win.getByRole('button', { name: 'Stop' }).click();
  await expect(win.getByRole('button', { name: 'Load and sort' })).toBeVisible();
  await expect(status(win, 'items loaded')).toContainText('more available');
  hang.remove();
  await win.getByRole('button', { name: 'Load and sort' }).click();
  await expect(status(win, '4,501 items')).toBeVisible();
  await expect(grid(win).getByRole('columnheader', { name: 'Name' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(grid(win).getByRole('row').nth(1)).toContainText('zz-folder');
  await grid(win).getByRole('button', { name: 'Name' }).click();
  await expect(grid(win).getByRole('columnheader', { name: 'Name' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await expect(grid(win).getByRole('row').nth(2)).toContainText('4499.txt');
});

test('the filter searches the loaded rows, and "starts with" asks the service', async ({ win, lab }) => {
  await labBucket(lab, 'to-find', numbered(1500));
  await goTo(win, 'Lab', 'to-find');
  await expect(status(win, '1,000 items loaded')).toBeVisible();
  await win.keyboard.press('Control+f');
  await win.keyboard.type('1499');
  await expect(win.getByText('No loaded name contains “1499”')).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(grid(win)).toBeFocused();
  await expect(win.getByRole('search')).toHaveCount(0);
  await win.keyboard.press('Control+Shift+f');
  await win.keyboard.type('149');
  await expect(status(win, '10 items')).toBeVisible();
  await expect(grid(win).getByText('1499.txt')).toBeVisible();
  expect(
    lab.faults.journal.some(
      (entry) => entry.operation === 'ListObjectsV2' && entry.query.get('prefix') === '149',
    ),
  ).toBe(true);
  await win.keyboard.press('Escape');
  await expect(status(win, '1,000 items loaded')).toBeVisible();
});

test('the find field switches by keyboard between filter, "starts with" and everything below', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'to-find-below', ['heron.txt', 'Heron-two.txt', 'letters/old/heron.txt', 'other.txt']);
  await goTo(win, 'Lab', 'to-find-below');
  await expect(status(win, '4 items')).toBeVisible();
  await win.getByRole('toolbar', { name: 'Navigation' }).getByRole('button', { name: 'Search' }).click();
  await expect(win.getByRole('textbox', { name: 'Filter loaded items' })).toBeFocused();
  await win.keyboard.type('heron');
  await expect(win.getByText('2 of 4 loaded items match.')).toBeVisible();
  expect(await axeFindings(win), 'the field above the list').toEqual([]);
  await win.keyboard.press('Control+f');
  await expect(win.getByRole('textbox', { name: /^Name starts with/ })).toBeFocused();
  await expect(status(win, '1 item')).toBeVisible();
  await win.keyboard.press('Tab');
  await expect(win.getByRole('radio', { name: 'Starts with' })).toBeFocused();
  await win.keyboard.press('ArrowRight');
  await expect(win.getByRole('radio', { name: 'Including subfolders' })).toBeChecked();
  await expect(status(win, '4 items')).toBeVisible();
  await win.keyboard.press('Enter');
  await win.keyboard.press('Enter');
  await expect(win.getByText('3 found in 4 keys')).toBeVisible();
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(status(win, '4 items')).toBeVisible();
  await expect(grid(win)).toBeFocused();
});

test('a breadcrumb lists its sibling folders for mouse and keyboard', async ({ win, lab }) => {
  await labBucket(lab, 'beside', ['alpha/one/a.txt', 'beta/one/b.txt', 'gamma/c.txt']);
  await goTo(win, 'Lab', 'beside/alpha/one/');
  await expect(grid(win).getByText('a.txt')).toBeVisible();
  await win.getByRole('button', { name: 'Beside “alpha”' }).click();
  const entries = win.getByRole('menu').getByRole('menuitem');
  await expect(entries).toHaveText(['alpha', 'beta', 'gamma']);
  await expect(entries.first()).toBeFocused();
  expect(await axeFindings(win), 'the folders beside one').toEqual([]);
  await win.keyboard.press('g');
  await expect(entries.nth(2)).toBeFocused();
  await win.keyboard.press('Enter');
  await expect(grid(win).getByText('c.txt')).toBeVisible();
  await win.keyboard.press('Alt+ArrowDown');
  await expect(entries.nth(2)).toBeFocused();
  await win.keyboard.press('ArrowUp');
  await win.keyboard.press('Enter');
  await expect(grid(win).getByText('one')).toBeVisible();
  await win.keyboard.press('Alt+ArrowDown');
  await expect(entries.nth(1)).toBeFocused();
  await win.keyboard.press('Escape');
  await expect(win.getByRole('menu')).toHaveCount(0);
  await expect(grid(win)).toBeFocused();
  await crumb(win).focus();
  await win.keyboard.press('ArrowDown');
  await expect(entries.nth(1)).toBeFocused();
  await win.keyboard.press('Escape');
  await expect(win.getByRole('menu')).toHaveCount(0);
  await expect(crumb(win)).toBeFocused();
});

test('a breadcrumb shows more of its many sibling folders by keyboard', async ({ win, lab }) => {
  const folders = numbered(450).map((name) => name.replace('.txt', '/a'));
  await labBucket(lab, 'beside-many', folders);
  await goTo(win, 'Lab', 'beside-many/0001/');
  await expect(grid(win).getByText('a', { exact: true })).toBeVisible();
  await win.keyboard.press('Alt+ArrowDown');
  const entries = win.getByRole('menu').getByRole('menuitem');
  const entry = (name: string) => entries.filter({ hasText: name });
  await expect(entry('0001')).toBeFocused();
  for (const [last, next] of [
    ['0199', '0200'],
    ['0399', '0400'],
  ] as const) {
    await expect(entry('0001')).toHaveAttribute('aria-setsize', '-1');
    await expect(entry('Show more')).toBeAttached();
    await win.keyboard.press('End');
    await expect(entry('Show more')).toBeFocused();
    await win.keyboard.press('ArrowUp');
    await expect(entry(last)).toBeFocused();
    await win.keyboard.press('ArrowDown');
    await win.keyboard.press('Enter');
    await expect(entry(next)).toBeFocused();
    await expect(entry(next)).toBeInViewport();
  }
  await expect(entry('0400')).toHaveAttribute('aria-setsize', '450');
  await expect(entry('0001')).toHaveAttribute('aria-current', 'location');
  expect(await entries.count()).toBeLessThan(165);
  await win.keyboard.press('Escape');
  await expect(grid(win)).toBeFocused();
});

test('scrolling back in a loaded folder sends no requests', async ({ win, lab }) => {
  await labBucket(lab, 'to-scroll', numbered(2500));
  await goTo(win, 'Lab', 'to-scroll');
  await expect(async () => {
    await win.keyboard.press('End');
    await expect(status(win, '2,500 items')).toBeVisible({ timeout: 300 });
  }).toPass();
  const pages = lab.faults.count('ListObjectsV2');
  await win.keyboard.press('Home');
  await expect(grid(win).getByText('0000.txt')).toBeInViewport();
  await win.keyboard.press('End');
  await expect(grid(win).getByText('2499.txt')).toBeInViewport();
  await win.keyboard.press('Home');
  await expect(grid(win).getByText('0000.txt')).toBeInViewport();
  expect(lab.faults.count('ListObjectsV2')).toBe(pages);
});

test('rows of a folder never appear in the folder that is opened next', async ({ win, lab }) => {
  await labBucket(lab, 'slow', ['slow-row.txt']);
  await labBucket(lab, 'quick', ['quick-row.txt']);
  const hang = lab.faults.add({
    operation: 'ListObjectsV2',
    bucket: 'slow',
    action: { kind: 'delay', ms: 1500, when: 'after' },
  });
  await goTo(win, 'Lab', 'slow');
  await expect(win.getByRole('status', { name: 'Loading the folder…' })).toBeVisible();
  await goTo(win, 'Lab', 'quick');
  await expect(grid(win).getByText('quick-row.txt')).toBeVisible();
  await expect(win.getByText('slow-row.txt')).toHaveCount(0);
  expect(hang.fired).toBe(1);
  await expect(status(win, '1 item')).toBeVisible();
});

test('leaving a folder aborts its listing request', async ({ win, lab }) => {
  await labBucket(lab, 'endless', ['never.txt']);
  await labBucket(lab, 'left-for', ['here.txt']);
  lab.faults.add({ operation: 'ListObjectsV2', bucket: 'endless', action: { kind: 'hang', apply: false } });
  await goTo(win, 'Lab', 'endless');
  await expect.poll(() => lab.faults.hanging).toBe(1);
  await goTo(win, 'Lab', 'left-for');
  await expect(grid(win).getByText('here.txt')).toBeVisible();
  await expect.poll(() => lab.faults.hanging).toBe(0);
});

test('a folder visited before is shown at once with its age and revalidated in place', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'visited', ['a.txt', 'b.txt', 'c.txt', 'inside/x.txt']);
  await goTo(win, 'Lab', 'visited');
  await grid(win).getByText('b.txt').click();
  await goTo(win, 'Lab', 'visited/inside');
  await expect(grid(win).getByText('x.txt')).toBeVisible();
  await win.keyboard.press('Alt+ArrowUp');
  await expect(win.getByRole('status').filter({ hasText: /^4 items$/u })).toBeVisible();
  const bucket = lab.store.buckets.get('visited');
  await lab.store.putBytes(bucket?.id ?? -1, 'a-new.txt', Buffer.from('new'), { modifiedMs: 1e12 });
  const response = Promise.withResolvers<undefined>();
  lab.faults.add({
    operation: 'ListObjectsV2',
    bucket: 'visited',
    action: { kind: 'hold', until: response.promise },
    times: Infinity,
  });
  // A recent listing is not repeated: leave and return until it is older.
  await expect(async () => {
    await grid(win).getByText('inside').dblclick();
    await expect(grid(win).getByText('x.txt')).toBeVisible();
    await win.keyboard.press('Alt+ArrowUp');
    await expect(win.getByRole('status').filter({ hasText: /^4 items · from .*, updating…$/u })).toBeVisible({
      timeout: 1000,
    });
  }).toPass();
  await expect(grid(win).getByText('b.txt')).toBeVisible();
  await expect(grid(win).getByText('a-new.txt')).toHaveCount(0);
  response.resolve(undefined);
  await expect(grid(win).getByText('a-new.txt')).toBeVisible();
  await expect(win.getByRole('status').filter({ hasText: /^5 items$/u })).toBeVisible();
});

test('a folder is prefetched when the pointer rests on it, but not when the pointer only passes', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'to-rest-on', ['a/x.txt', 'b/y.txt']);
  await goTo(win, 'Lab', 'to-rest-on');
  const row = grid(win).getByRole('row').filter({ hasText: 'b' });
  await expect(row).toBeVisible();
  const before = lab.faults.count('ListObjectsV2');
  await row.hover();
  await expect.poll(() => lab.faults.count('ListObjectsV2')).toBe(before + 1);
  lab.faults.add({ operation: 'ListObjectsV2', bucket: 'to-rest-on', action: { kind: 'hang', apply: true } });
  // Its only row is shown although the service no longer responds.
  await row.dblclick();
  await expect(grid(win).getByText('y.txt')).toBeVisible();
});

test('folders come first, or are mixed with objects if configured', async ({ win, lab }) => {
  await labBucket(lab, 'to-mix', ['a.txt', 'b-folder/x.txt', 'c.txt', 'd-folder/x.txt']);
  const names = async (): Promise<readonly string[]> =>
    (await grid(win).locator('[role="row"][data-row-position]').allInnerTexts()).map(
      (text) => /^[\w.-]+/.exec(text)?.[0] ?? text,
    );
  const field = win.getByPlaceholder('Type a command or the name of a place');
  const command = async (text: string): Promise<void> => {
    await win.keyboard.press('Control+k');
    await field.fill(text);
    await field.press('Enter');
    await expect(field).toBeHidden();
  };
  await goTo(win, 'Lab', 'to-mix');
  await expect.poll(names).toEqual(['b-folder', 'd-folder', 'a.txt', 'c.txt']);
  await command('Sort folders among objects');
  await expect.poll(names).toEqual(['a.txt', 'b-folder', 'c.txt', 'd-folder']);
  await command('Folders first');
  await expect.poll(names).toEqual(['b-folder', 'd-folder', 'a.txt', 'c.txt']);
});

test.describe('the state of a folder', () => {
  test('a folder that is loading says so', async ({ win, lab }) => {
    await labBucket(lab, 'loading', ['a.txt']);
    lab.faults.add({ operation: 'ListObjectsV2', bucket: 'loading', action: { kind: 'hang', apply: false } });
    await goTo(win, 'Lab', 'loading');
    await expect(win.getByRole('status', { name: 'Loading the folder…' })).toBeVisible();
  });

  test('an empty bucket says that it is empty', async ({ win, lab }) => {
    await labBucket(lab, 'empty', []);
    await goTo(win, 'Lab', 'empty');
    await expect(win.getByText('This bucket is empty')).toBeVisible();
  });

  test('a failed listing is reported, and a retry shows its rows', async ({ win, lab }) => {
    await labBucket(lab, 'failing', ['a.txt']);
    // Fails both versions of the listing, because the window tries the second if the first is refused.
    for (const operation of ['ListObjectsV2', 'ListObjects'] as const)
      lab.faults.add({
        operation,
        bucket: 'failing',
        // The request is sent before the folder renders; one that fails before that is repeated once.
        times: Infinity,
        action: { kind: 'status', status: 400, code: 'InvalidRequest', message: 'Not today.' },
      });
    await goTo(win, 'Lab', 'failing');
    await expect(win.getByRole('alert')).toBeVisible();
    lab.faults.clear();
    await win.getByRole('button', { name: 'Try again' }).click();
    await expect(grid(win).getByText('a.txt')).toBeVisible();
  });

  test('a denied listing names the missing permission', async ({ win, lab }) => {
    await labBucket(lab, 'denied', ['a.txt']);
    lab.faults.add({
      operation: 'ListObjectsV2',
      times: Infinity,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
    });
    await goTo(win, 'Lab', 'denied');
    await expect(win.getByRole('alert').getByText('s3:ListBucket')).toBeVisible();
  });

  test('a partly listed folder says so, and is complete after the failed page is retried', async ({
    win,
    lab,
  }) => {
    await labBucket(lab, 'partly', numbered(1200));
    lab.faults.add({
      operation: 'ListObjectsV2',
      bucket: 'partly',
      when: (request) => request.query.has('continuation-token'),
      action: { kind: 'status', status: 400, code: 'InvalidRequest', message: 'Not today.' },
    });
    await goTo(win, 'Lab', 'partly');
    await expect(grid(win).getByText('0000.txt')).toBeVisible();
    await win.keyboard.press('End');
    await expect(status(win, 'incomplete')).toBeVisible();
    await win.keyboard.press('End');
    await grid(win).getByRole('button', { name: 'Try again' }).click();
    await expect(status(win, '1,200 items')).toBeVisible();
    const next = lab.faults.journal.filter((entry) => entry.query.has('continuation-token'));
    expect(next.map((entry) => entry.fault)).toEqual(['status', null]);
  });
});

test('a wait that the service asks for is shown and counted down, and "Try now" ends it', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'paused', numbered(1500));
  const pause = (nth: number, retryAfterSeconds: number) =>
    lab.faults.add({
      operation: 'ListObjectsV2',
      bucket: 'paused',
      nth,
      action: { kind: 'status', status: 503, code: 'SlowDown', retryAfterSeconds },
    });
  pause(1, 600);
  await goTo(win, 'Lab', 'paused');
  const notice = win.getByRole('main').getByRole('alert');
  await expect(notice).toContainText('Cooper tries again in 600 seconds.');
  await expect(notice).toContainText('Cooper tries again in 598 seconds.');
  await notice.getByRole('button', { name: 'Try now' }).click();
  await expect(status(win, '1,000 items loaded')).toBeVisible();
  // Pauses again, now for the next page, which the key End requests.
  lab.faults.clear();
  pause(1, 4);
  await grid(win).press('End');
  await expect(notice.getByRole('button', { name: 'Try now' })).toBeInViewport();
  await expect(notice).toBeHidden();
  await expect(status(win, '1,500')).toBeVisible();
});

const listing = (inside: string, more: string): string =>
  `<ListBucketResult><IsTruncated>${String(more !== '')}</IsTruncated>` +
  `${more === '' ? '' : `<NextContinuationToken>${more}</NextContinuationToken>`}${inside}</ListBucketResult>`;
const entry = (key: string, size: string): string =>
  `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`;

test('unreadable and foreign entries are reported above the list, and empty pages are skipped', async ({
  win,
}) => {
  const pages = [
    listing('', 'two'),
    listing('', 'three'),
    listing(entry('in/a.txt', '1') + entry('in/bad.txt', 'many') + entry('other.txt', '2'), ''),
  ];
  const server = await startScriptedServer();
  server.answer(...pages.map((body) => xmlResponse(body)));
  try {
    await addConnection(win, { name: 'Crooked', endpoint: server.endpoint, keys: labKeys });
    await typeAddress(win, 'crooked/in/');
    await expect(rowOf(win, 'a.txt')).toBeVisible();
    await expect(win.getByText('1 entry could not be read and is not in the list.')).toBeVisible();
    await expect(win.getByText('1 entry from outside this folder')).toContainText('other.txt');
    await win.getByRole('button', { name: 'Details', exact: true }).click();
    await expect(win.getByText('Key: in/bad.txt')).toBeVisible();
  } finally {
    await server.close();
  }
});
