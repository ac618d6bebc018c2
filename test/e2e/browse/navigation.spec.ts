import { expect } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import {
  crumb,
  focusedRow,
  goTo,
  grid,
  labBucket,
  rowOf,
  sidebarRow,
  test,
  typeAddress,
} from '../support/window.ts';

test('a path can be typed as bucket/prefix or s3://, and an invalid one is reported', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents/letters/');
  await expect(crumb(win)).toHaveText('letters');
  await typeAddress(win, 's3://documents/letters/2026/');
  await expect(crumb(win)).toHaveText('2026');
  await expect(grid(win).getByText('invitation.pdf')).toBeVisible();
  await win.keyboard.press('Control+l');
  const field = win.getByRole('textbox', { name: /^Address/ });
  await expect(field).toHaveValue('documents/letters/2026/');
  await field.fill('//');
  await field.press('Enter');
  await expect(win.getByText(/^Type a bucket/)).toBeVisible();
  await field.press('Escape');
  await expect(crumb(win)).toHaveText('2026');
});

test('the web address of an object opens its folder with the object focused, in the connection that leads to it', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'linked', ['2026/a b.txt', '2026/c.txt']);
  await goTo(win, 'Sample buckets', 'documents/');
  await typeAddress(win, `${lab.endpoint}/linked/2026/c.txt?X-Amz-Expires=60`);
  await expect(crumb(win)).toHaveText('2026');
  await expect(rowOf(win, 'c.txt')).toHaveAttribute('aria-selected', 'true');
  await typeAddress(win, `${lab.endpoint}/linked/2026/a%20b.txt`);
  await expect(rowOf(win, 'a b.txt')).toHaveAttribute('aria-selected', 'true');
  await win.keyboard.press('Control+l');
  const field = win.getByRole('textbox', { name: /^Address/ });
  await field.fill('https://elsewhere.example.com/linked/a.txt');
  await field.press('Enter');
  await expect(win.getByText('None of your connections leads to this address')).toBeVisible();
  await field.press('Escape');
});

test('another address can be typed while one is looked up, and Escape cancels', async ({ win, lab }) => {
  await labBucket(lab, 'looked-up-quickly', ['a.txt']);
  await labBucket(lab, 'looked-up-slowly', ['a/b.txt']);
  await goTo(win, 'Lab', 'looked-up-quickly/');
  await expect(grid(win).getByText('a.txt')).toBeVisible();
  const hang = lab.faults.add({
    operation: 'ListObjectsV2',
    bucket: 'looked-up-slowly',
    times: Number.POSITIVE_INFINITY,
    action: { kind: 'hang', apply: false },
  });
  const field = win.getByRole('textbox', { name: /^Address/ });
  const look = async (): Promise<void> => {
    await win.keyboard.press('Control+l');
    await field.fill('looked-up-slowly/a');
    await field.press('Enter');
    await expect(win.getByLabel('Looking…')).toBeVisible();
  };
  await look();
  await win.keyboard.press('Escape');
  await expect(field).toHaveCount(0);
  await look();
  // As in a browser, the shortcut for the address field selects its text.
  await win.keyboard.press('Control+l');
  await win.keyboard.insertText('looked-up-quickly/other/');
  await expect(win.getByLabel('Looking…')).toHaveCount(0);
  await field.press('Enter');
  await expect(crumb(win)).toHaveText('other');
  hang.remove();
  lab.faults.clear();
});

test('back, forward and up work by keys and buttons, and breadcrumbs lead up', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents/letters/2026/');
  await expect(grid(win).getByText('invitation.pdf')).toBeVisible();
  await win.keyboard.press('Alt+ArrowUp');
  await expect(crumb(win)).toHaveText('letters');
  await win.getByRole('button', { name: 'Up one folder' }).click();
  await expect(crumb(win)).toHaveText('documents');
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(crumb(win)).toHaveText('letters');
  await win.getByRole('button', { name: 'Back' }).click();
  await expect(crumb(win)).toHaveText('2026');
  await win.keyboard.press('Alt+ArrowRight');
  await expect(crumb(win)).toHaveText('letters');
  await win.getByRole('button', { name: 'Forward' }).click();
  await expect(crumb(win)).toHaveText('documents');
  await expect(win.getByRole('button', { name: 'Forward' })).toBeDisabled();
  await win.keyboard.press('Alt+ArrowLeft');
  await win
    .getByRole('navigation', { name: 'Path' })
    .getByRole('button', { name: 'documents', exact: true })
    .click();
  await expect(crumb(win)).toHaveText('documents');
});

test('opening a typed path closes the path field and shows the rows of the folder in one step', async ({
  win,
  lab,
}) => {
  const folders = Array.from({ length: 12 }, (_, index) => `f${String(index)}`);
  await labBucket(
    lab,
    'one-step',
    folders.map((name) => `${name}/in ${name}.txt`),
  );
  await goTo(win, 'Lab', 'one-step');
  // Repeated, because several render steps may coincide by chance.
  for (const name of folders) {
    await win.keyboard.press('Control+l');
    const field = win.getByRole('textbox', { name: /^Address/ });
    await field.fill(`one-step/${name}/`);
    const seen = win.evaluate(
      (row) =>
        new Promise<{ isField: boolean; isRow: boolean; ms: number }>((resolve) => {
          let begunMs = Infinity;
          const begin = (): void => {
            begunMs = performance.now();
          };
          addEventListener('keydown', begin, { once: true, capture: true });
          new MutationObserver((_, observer) => {
            const isField = document.querySelector('input[aria-label^="Address"]') !== null;
            const isRow = document.querySelector('[role="grid"]')?.textContent.includes(row) ?? false;
            if (isField && !isRow) return;
            observer.disconnect();
            resolve({ isField, isRow, ms: performance.now() - begunMs });
          }).observe(document.body, { childList: true, subtree: true, characterData: true });
        }),
      `in ${name}.txt`,
    );
    await field.press('Enter');
    const { ms, ...step } = await seen;
    // If the response takes longer than the window waits, the location appears without its rows.
    if (ms < 100) expect(step, name).toEqual({ isField: false, isRow: true });
    else await expect(rowOf(win, `in ${name}.txt`)).toBeVisible();
  }
});

test("the mouse's side buttons go back and forward", async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents/letters/');
  await expect(crumb(win)).toHaveText('letters');
  await typeAddress(win, 'documents/notes/');
  await expect(crumb(win)).toHaveText('notes');
  const press = async (button: 3 | 4): Promise<void> => {
    await win.evaluate((pressed) => {
      document.body.dispatchEvent(new MouseEvent('mouseup', { button: pressed, bubbles: true }));
    }, button);
  };
  await press(3);
  await expect(crumb(win)).toHaveText('letters');
  await press(4);
  await expect(crumb(win)).toHaveText('notes');
});

test("the mouse's side buttons do nothing behind an open dialog", async ({ win, lab }) => {
  await labBucket(lab, 'side-buttons', ['deep/deeper/a.txt']);
  await goTo(win, 'Lab', 'side-buttons/');
  await expect(crumb(win)).toHaveText('side-buttons');
  await typeAddress(win, 'side-buttons/deep/');
  await expect(crumb(win)).toHaveText('deep');
  await typeAddress(win, 'side-buttons/deep/deeper/');
  await expect(crumb(win)).toHaveText('deeper');
  await win.keyboard.press('F1');
  await expect(win.getByRole('dialog')).toBeVisible();
  /** Returns true if the page prevents the browser's own back step, which would leave the page. */
  const back = (): Promise<boolean> =>
    win.evaluate(
      () =>
        !document.body.dispatchEvent(
          new MouseEvent('mouseup', { button: 3, bubbles: true, cancelable: true }),
        ),
    );
  expect(await back()).toBe(true);
  await win.keyboard.press('Escape');
  await expect(win.getByRole('dialog')).toHaveCount(0);
  // One step back leads to the folder above only if the button did nothing before.
  expect(await back()).toBe(true);
  await expect(crumb(win)).toHaveText('deep');
});

test('F5 refreshes the content of the bucket', async ({ win, lab }) => {
  const bucket = lab.store.buckets.create('reload-me', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  await goTo(win, 'Lab', 'reload-me');
  await expect(win.getByText('This bucket is empty')).toBeVisible();
  await lab.store.putBytes(bucket.id, 'new.txt', Buffer.from('new'), { modifiedMs: 1e12 });
  await win.keyboard.press('F5');
  await expect(grid(win).getByText('new.txt')).toBeVisible();
});

test('tabs can be opened, switched and closed, and are restored after a reload', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents/letters/');
  const tabs = win.getByRole('tab');
  const before = await tabs.count();
  await win.getByRole('button', { name: 'New tab' }).click();
  await expect(tabs).toHaveCount(before + 1);
  await goTo(win, 'Sample buckets', 'names/odd/');
  await expect(crumb(win)).toHaveText('odd');
  await win.keyboard.press('Alt+PageUp');
  await expect(crumb(win)).toHaveText('letters');
  await win.reload();
  await expect(tabs).toHaveCount(before + 1);
  await expect(crumb(win)).toHaveText('letters');
  await win.getByRole('tab', { name: 'odd' }).click();
  await expect(crumb(win)).toHaveText('odd');
  await win.getByTitle('Close tab odd').click();
  await expect(tabs).toHaveCount(before);
});

test('screen readers find several tabs as a tab list, and Delete closes one', async ({ win }) => {
  const tabs = win.getByRole('tab');
  const before = await tabs.count();
  await win.getByRole('button', { name: 'New tab' }).click();
  await expect(tabs).not.toHaveCount(before);
  await expect(win.getByRole('tab', { selected: true })).toHaveText('Start');
  const count = await tabs.count();
  expect(count).toBeGreaterThan(1);
  expect(await axeFindings(win)).toEqual([]);
  await win.getByRole('tab', { selected: true }).press('Delete');
  await expect(tabs).toHaveCount(count - 1);
});

test('Ctrl+Enter opens a folder in a new tab', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents');
  await grid(win).getByText('letters', { exact: true }).click();
  const tabs = win.getByRole('tab');
  const before = await tabs.count();
  await win.keyboard.press('Control+Enter');
  await expect(tabs).toHaveCount(before + 1);
});

test('a bookmark leads to its folder from every window until it is removed', async ({
  win,
  cooper,
  context,
}) => {
  const other = await context.newPage();
  await other.goto(await cooper.newAddress());
  await expect(sidebarRow(other, 'Sample buckets')).toBeVisible();

  await goTo(win, 'Sample buckets', 'documents/settings/');
  await win.getByRole('button', { name: 'Bookmark this folder' }).click();
  const bookmarks = win.getByRole('region', { name: 'Bookmarks' });
  await expect(bookmarks.getByText('settings').first()).toBeVisible();
  await goTo(win, 'Sample buckets', 'documents/letters/');
  await bookmarks.getByText('settings').first().click();
  await expect(crumb(win)).toHaveText('settings');

  await expect(other.getByRole('region', { name: 'Bookmarks' }).getByText('settings').first()).toBeVisible();
  await win.getByRole('button', { name: 'Remove the bookmark' }).click();
  await expect(bookmarks.getByText('settings')).toHaveCount(0);
  await expect(other.getByRole('region', { name: 'Bookmarks' }).getByText('settings')).toHaveCount(0);
});

test('going up or back focuses the row of the folder left', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents');
  await grid(win).getByText('letters', { exact: true }).click();
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('letters');
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(focusedRow(win)).toContainText('letters');
  await expect(grid(win)).toBeFocused();
});

test('a connection selected before the tabs are restored is opened', async ({ page, cooper }) => {
  const released = Promise.withResolvers<void>();
  await page.routeWebSocket(/./u, (socket) => {
    const core = socket.connectToServer();
    socket.onMessage((message) => {
      const text = message.toString();
      // Steps are sent in order; this request is held.
      const waits = text.includes('view/get') && text.includes('"tabs"');
      if (waits) void released.promise.then(() => core.send(message));
      else core.send(message);
    });
  });
  await page.goto(await cooper.newAddress());
  await sidebarRow(page, 'Sample buckets').click();
  released.resolve();
  await expect(crumb(page)).toHaveText('Sample buckets');
  await expect(page.getByRole('row', { name: /^documents/ })).toBeVisible();
});

test('an unknown bucket disables uploads and new folders, and offers to open it in the connection that has it', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'only-in-lab', ['deep/inside.txt']);
  await goTo(win, 'Sample buckets', 'only-in-lab/deep/');
  const alert = win.getByRole('alert').filter({ hasText: 'This bucket does not exist' });
  await expect(alert).toBeVisible();
  const tools = win.getByRole('toolbar', { name: 'Navigation' });
  for (const name of ['Upload', 'New folder…'])
    await expect(tools.getByRole('button', { name, exact: true })).toBeDisabled();
  await win.keyboard.press('Alt+Shift+N');
  await expect(win.getByRole('dialog')).toHaveCount(0);
  await alert.getByRole('button', { name: 'Open in Lab' }).click();
  await expect(rowOf(win, 'inside.txt')).toBeVisible();
  await expect(tools.getByRole('button', { name: 'Upload', exact: true })).toBeEnabled();
});
