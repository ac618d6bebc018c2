import { expect } from '@playwright/test';
import { crumb, goTo, labBucket, rowOf, sidebarRow, test } from '../support/window.ts';

test.afterEach(({ lab }) => {
  lab.faults.clear();
});

const nothing = (): void => undefined;

/** Returns a promise and a function that resolves it. */
function gate(): { readonly open: () => void; readonly until: Promise<void> } {
  let open = nothing;
  const until = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), until };
}

test('text and Enter typed for quick open count before it and its buckets have loaded', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'early-enter', ['a.txt']);
  const [program, buckets] = [gate(), gate()];
  lab.faults.add({ operation: 'ListBuckets', times: 9, action: { kind: 'hold', until: buckets.until } });
  await win.route(/palette-dialog/u, async (route) => {
    await program.until;
    await route.continue();
  });
  await win.reload();
  await expect(sidebarRow(win, 'Lab')).toBeVisible();
  await win.keyboard.press('Control+p');
  await win.keyboard.type('early-ent');
  await win.keyboard.press('Enter');
  program.open();
  const field = win.getByPlaceholder('Go to a file, a folder, a bucket or an address');
  await expect(field).toHaveValue('early-ent');
  // The palette shows only the line that searches everything; Enter does not choose it while places load.
  await expect(win.getByRole('option')).toHaveCount(1);
  await expect(win.getByText('Loading…')).toBeVisible();
  buckets.open();
  await expect(crumb(win)).toHaveText('early-enter');
  await expect(rowOf(win, 'a.txt')).toBeVisible();
});

test('text typed while a search or new folder dialog loads goes into its field, and Enter submits it', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'early-search', ['one/inside.txt', 'two.txt']);
  await goTo(win, 'Lab', 'early-search');
  const [search, folder] = [gate(), gate()];
  await win.route(/search-page/u, async (route) => {
    await search.until;
    await route.continue();
  });
  await win.route(/new-folder/u, async (route) => {
    await folder.until;
    await route.continue();
  });
  await win.keyboard.press('Control+Shift+E');
  await win.keyboard.type('insidd');
  await win.keyboard.press('Backspace');
  await win.keyboard.type('e');
  await win.keyboard.press('Enter');
  search.open();
  await expect(win.getByRole('grid', { name: 'Results' }).getByText('inside.txt')).toBeVisible();
  await expect(win.getByRole('search').getByRole('textbox').first()).toHaveValue('inside');
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(rowOf(win, 'two.txt')).toBeVisible();
  await win.keyboard.press('Alt+Shift+N');
  await win.keyboard.type('made early');
  folder.open();
  await expect(win.getByRole('dialog').getByRole('textbox')).toHaveValue('made early');
  await win.keyboard.press('Escape');
});

test('another key cancels an Enter that was pressed before quick open has loaded', async ({ win, lab }) => {
  await labBucket(lab, 'early-other', ['a.txt']);
  const buckets = gate();
  lab.faults.add({ operation: 'ListBuckets', times: 9, action: { kind: 'hold', until: buckets.until } });
  await win.reload();
  await expect(sidebarRow(win, 'Lab')).toBeVisible();
  await win.keyboard.press('Control+p');
  const field = win.getByPlaceholder('Go to a file, a folder, a bucket or an address');
  await field.fill('early-oth');
  await win.keyboard.press('Enter');
  await win.keyboard.type('e');
  buckets.open();
  await expect(win.getByRole('option', { name: /^early-other/ })).toBeVisible();
  await expect(field).toHaveValue('early-othe');
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('early-other');
});

test('an address typed right after a click on another connection is looked up there', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'address-one', ['a.txt']);
  await labBucket(lab, 'address-two', ['b.txt']);
  await win.reload();
  await sidebarRow(win, 'Lab').click();
  await expect(sidebarRow(win, 'address-one')).toBeVisible();
  await goTo(win, 'Sample buckets', 'documents/');
  await expect(crumb(win)).toHaveText('documents');
  // The listing is held and the clock is paused, so the window does not show the bucket yet.
  const list = gate();
  lab.faults.add({
    operation: 'ListObjectsV2',
    bucket: 'address-one',
    action: { kind: 'hold', until: list.until },
  });
  await win.clock.install();
  await win.clock.pauseAt(Date.now() + 60_000);
  await sidebarRow(win, 'address-one').click();
  await win.keyboard.press('Control+l');
  const field = win.getByRole('textbox', { name: /^Address/ });
  await field.fill('address-two');
  await expect(rowOf(win, 'Read me first.md')).toBeVisible();
  await field.press('Enter');
  await win.clock.resume();
  list.open();
  await expect(crumb(win)).toHaveText('address-two');
  await expect(rowOf(win, 'b.txt')).toBeVisible();
});

test('text typed while the trash or the properties load goes into their first field', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'early-dialogs', ['a.txt']);
  await goTo(win, 'Lab', 'early-dialogs');
  const [trash, properties] = [gate(), gate()];
  await win.route(/trash-dialog/u, async (route) => {
    await trash.until;
    await route.continue();
  });
  await win.route(/properties-dialog/u, async (route) => {
    await properties.until;
    await route.continue();
  });
  await rowOf(win, 'a.txt').click();
  await win.keyboard.press('Alt+z');
  await win.keyboard.type('lost');
  trash.open();
  await expect(win.getByRole('textbox', { name: 'Find a deleted object' })).toHaveValue('lost');
  await win.keyboard.press('Escape');
  await expect(win.getByRole('dialog')).toBeHidden();
  await win.keyboard.press('Alt+Enter');
  await win.keyboard.type('text/csv');
  properties.open();
  await expect(win.getByRole('dialog').getByRole('textbox', { name: 'Content type' })).toHaveValue(
    'text/csv',
  );
});

test('text typed right after the shortcut of the palette, the path or a filter goes into its field', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'early-fields', ['a.txt', 'b.txt']);
  await goTo(win, 'Lab', 'early-fields');
  await expect(rowOf(win, 'a.txt')).toBeVisible();
  const program = gate();
  await win.route(/palette-dialog/u, async (route) => {
    await program.until;
    await route.continue();
  });
  await win.keyboard.press('Control+k');
  await win.keyboard.type('bucket set');
  program.open();
  await expect(win.getByPlaceholder('Type a command or the name of a place')).toHaveValue('bucket set');
  await win.keyboard.press('Escape');
  await expect(win.getByRole('dialog')).toBeHidden();
  for (const [shortcut, label] of [
    ['Control+f', /^Filter loaded items/u],
    ['Control+Shift+F', /^Name starts with/u],
    ['Control+l', /^Address/u],
  ] as const) {
    await win.keyboard.press(shortcut);
    await win.keyboard.type('b.t');
    await expect(win.getByRole('textbox', { name: label })).toHaveValue('b.t');
    await win.keyboard.press('Escape');
    await expect(win.getByRole('textbox', { name: label })).toHaveCount(0);
  }
});
