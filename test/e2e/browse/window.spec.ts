import { expect, type Page } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { startCooper } from '../../support/window/start-cooper.ts';
import { crumb, goTo, grid, labBucket, sidebarRow, test } from '../support/window.ts';

test('without a code the window explains how to get an address', async ({ page, cooper }) => {
  await page.goto(`${new URL(await cooper.newAddress()).origin}/`);
  await expect(page.getByRole('heading', { name: 'This window needs a new address' })).toBeVisible();
  await expect(page.getByText('This address has no code.')).toBeVisible();
});

test('a window reports a lost core, and asks for a new address after a restart', async ({ page }) => {
  test.slow();
  const first = await startCooper();
  const { port } = new URL(first.address);
  await page.goto(first.address);
  await expect(sidebarRow(page, 'Sample buckets')).toBeVisible();
  await first.end();
  await expect(page.getByRole('alert').filter({ hasText: 'Connection to Cooper lost' })).toBeVisible();
  const second = await startCooper({ flags: ['--port', port] });
  try {
    // The window also retries automatically, maybe before the click.
    await expect(async () => {
      const button = page.getByRole('button', { name: 'Try now' });
      if (await button.isVisible()) await button.click({ timeout: 1000 });
      await expect(page.getByText('Cooper has restarted since')).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 30_000 });
    await page.goto(second.address);
    await expect(sidebarRow(page, 'Sample buckets')).toBeVisible();
  } finally {
    await second.end();
  }
});

test('a part of the window whose code is not loaded when Cooper ends is loaded once it is back', async ({
  page,
  cooper,
}) => {
  let isAway = true;
  let tries = 0;
  await page.route(/\/assets\/start-lists-[^/]*\.js$/u, async (route) => {
    tries += 1;
    await (isAway ? route.abort('connectionrefused') : route.continue());
  });
  const address = await cooper.newAddress();
  await page.route(`${new URL(address).origin}/`, async (route) => {
    await (isAway && route.request().method() === 'HEAD'
      ? route.abort('connectionrefused')
      : route.continue());
  });
  await page.goto(address);
  await expect.poll(() => tries).toBeGreaterThan(1);
  await expect(sidebarRow(page, 'Sample buckets')).toBeVisible();
  isAway = false;
  await expect(page.getByRole('heading', { name: 'Connections' })).toBeVisible();
});

test('a window that loses its core briefly reconnects without a new address', async ({ page, cooper }) => {
  // Keeps every socket of the window, so that the test can cut the connection mid-session.
  await page.addInitScript(() => {
    const Real = globalThis.WebSocket;
    const opened: WebSocket[] = [];
    globalThis.cutLine = () => {
      for (const socket of opened.splice(0)) socket.close(4000);
    };
    globalThis.WebSocket = class extends Real {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols);
        opened.push(this);
      }
    };
  });
  await page.goto(await cooper.newAddress());
  await goTo(page, 'Sample buckets', 'documents/letters/2026/');
  await grid(page).getByText('invitation.pdf').click();
  await page.evaluate(() => {
    globalThis.cutLine();
  });
  await page.keyboard.press('Alt+ArrowUp');
  await expect(crumb(page)).toHaveText('letters');
  await expect(grid(page).getByText('2026')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'Connection to Cooper lost' })).toHaveCount(0);
});

declare global {
  var cutLine: () => void;
}

test('no secret reaches the window through its socket or storage', async ({ page, lab, cooper }) => {
  const frames: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => frames.push(payload.toString()));
  });
  await page.goto(await cooper.newAddress());
  await goTo(page, 'Lab', 'lab-home');
  await expect(page.getByText('This bucket is empty')).toBeVisible();
  await sidebarRow(page, 'Lab').focus();
  await page.keyboard.press('F2');
  await expect(page.getByRole('dialog', { name: 'Edit “Lab”' })).toBeVisible();
  const kept = await page.evaluate(
    () => JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.body.outerHTML,
  );
  expect(frames.join('')).toContain(String(lab.port));
  expect(frames.join('')).not.toContain('lab-secret-never-shown');
  expect(kept).not.toContain('lab-secret-never-shown');
});

test('the palette goes to a bucket by name', async ({ win }) => {
  await sidebarRow(win, 'Sample buckets').click();
  await expect(win.getByRole('heading', { name: 'Sample buckets', level: 1 })).toBeVisible();
  await win.keyboard.press('Control+k');
  await win.getByPlaceholder('Type a command or the name of a place').fill('documents');
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('documents');
});

test('the palette finds connections, buckets of unopened connections, and recent folders', async ({
  page,
  lab,
  cooper,
}) => {
  lab.store.buckets.create('lab-unopened', Date.now());
  await page.goto(await cooper.newAddress());
  await expect(sidebarRow(page, 'Lab')).toBeVisible();
  const find = async (text: string, option: RegExp) => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Type a command or the name of a place').fill(text);
    await page.getByRole('option', { name: option }).click();
    await expect(page.getByPlaceholder('Type a command or the name of a place')).toBeHidden();
  };
  await find('lab-unop', /^lab-unopened\s*Lab$/u);
  await expect(crumb(page)).toHaveText('lab-unopened');
  await find('Sample', /^Sample buckets$/u);
  await expect(page.getByRole('heading', { name: 'Sample buckets', level: 1 })).toBeVisible();
  await find('lab-unopened/', /^lab-unopened\/\s*Lab$/u);
  await expect(crumb(page)).toHaveText('lab-unopened');
});

test('shortcuts work as soon as Escape has closed the palette', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents');
  await win.keyboard.press('Control+f');
  await expect(win.getByLabel('Filter loaded items')).toBeFocused();
  for (let round = 0; round < 5; round += 1) {
    await win.keyboard.press('Control+k');
    await expect(win.getByPlaceholder('Type a command or the name of a place')).toBeFocused();
    await win.keyboard.press('Escape');
    await win.keyboard.press('Control+l');
    const address = win.getByRole('textbox', { name: 'Address' });
    await expect(address).toBeFocused();
    await win.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    await expect(address).toBeFocused();
    await win.keyboard.press('Escape');
    await win.keyboard.press('Control+f');
  }
});

test('Escape closes a toolbar menu opened by mouse, and shortcuts work again', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents');
  for (const name of ['More', 'Upload']) {
    await win.getByRole('toolbar', { name: 'Navigation' }).getByRole('button', { name, exact: true }).click();
    await expect(win.getByRole('menu')).toBeVisible();
    await win.keyboard.press('Escape');
    await expect(win.getByRole('menu')).toHaveCount(0);
    await win.keyboard.press('Control+l');
    await expect(win.getByRole('textbox', { name: 'Address' })).toBeFocused();
    await win.keyboard.press('Escape');
    await expect(grid(win)).toBeFocused();
  }
});

test('an empty bucket offers buttons to upload and to create a folder', async ({ win, lab }) => {
  await labBucket(lab, 'inviting', []);
  await goTo(win, 'Lab', 'inviting');
  await expect(win.getByText('This bucket is empty')).toBeVisible();
  await check(win, 'an empty bucket');
  await win.getByRole('tabpanel').getByRole('button', { name: 'New folder…' }).click();
  await win.getByRole('dialog').getByRole('textbox').fill('letters');
  await win.keyboard.press('Enter');
  await expect(grid(win).getByText('letters')).toBeVisible();
});

test('quick open goes to buckets and selects loaded objects of the folder', async ({ win, lab }) => {
  await labBucket(lab, 'quick-open', ['harbour-walk.txt', 'herons.txt', 'letters/a.txt']);
  await goTo(win, 'Lab', 'quick-open');
  const field = win.getByRole('combobox', { name: /^Go to a file/u });
  await win.keyboard.press('Control+p');
  await expect(field).toBeFocused();
  await win.keyboard.type('hbwlk');
  const places = win.getByRole('dialog');
  await expect(places.getByRole('option', { selected: true })).toHaveText('harbour-walk.txt');
  await win.keyboard.press('Enter');
  await expect(grid(win)).toBeFocused();
  await expect(win.locator('[role="row"][aria-selected="true"]')).toContainText('harbour-walk.txt');
  await win.keyboard.press('Control+p');
  await field.fill('letters');
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('letters');
});

test('? shows the keyboard shortcuts of the window', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents');
  await expect(grid(win)).toBeFocused();
  await win.keyboard.press('?');
  const sheet = win.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByText('Go to an address…')).toBeVisible();
  await expect(sheet.getByText('Ctrl+L', { exact: true })).toBeVisible();
  await check(win, 'the shortcuts');
  await win.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(grid(win)).toBeFocused();
});

test('an address typed in a new tab opens with the connection that has its bucket', async ({
  page,
  lab,
  cooper,
}) => {
  lab.store.buckets.create('lab-by-address', Date.now());
  await page.goto(await cooper.newAddress());
  await expect(sidebarRow(page, 'Lab')).toBeVisible();
  await page.keyboard.press('Alt+t');
  await page.keyboard.press('Control+l');
  await page.getByRole('textbox', { name: 'Address' }).fill('s3://lab-by-address');
  await page.keyboard.press('Enter');
  await expect(crumb(page)).toHaveText('lab-by-address');
});

test('an address of an unlisted bucket asks which connection to use', async ({ page, lab, cooper }) => {
  expect(lab.port).toBeGreaterThan(0);
  await page.goto(await cooper.newAddress());
  await expect(sidebarRow(page, 'Lab')).toBeVisible();
  await page.keyboard.press('Alt+t');
  await page.keyboard.press('Control+l');
  await page.getByRole('textbox', { name: 'Address' }).fill('s3://nobody-lists-this/a/');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Open “nobody-lists-this”' });
  await expect(dialog.getByText('No connection lists this bucket')).toBeVisible();
  await dialog.getByRole('radio', { name: 'Lab' }).check();
  await dialog.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByText('This bucket does not exist')).toBeVisible();
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByText('This folder')).toBeVisible();
  // The bucket does not exist, so no size can be calculated.
  await expect(details.getByRole('button', { name: 'Calculate size' })).toHaveCount(0);
});

test('text typed right after Ctrl+P lands in its field, even before it appears', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents');
  await expect(grid(win)).toBeFocused();
  await win.keyboard.press('Control+p');
  await win.keyboard.type('server');
  const field = win.getByRole('combobox', { name: 'Go to a file, a folder, a bucket or an address' });
  await expect(field).toHaveValue('server');
  await win.keyboard.type('-d');
  await expect(field).toHaveValue('server-d');
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('server-data');
});

test('Tab reaches every region of the window in a cycle', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents');
  await expect(grid(win)).toBeFocused();
  const seen = new Set<string>();
  for (let press = 0; press < 80; press++) {
    await win.keyboard.press('Tab');
    seen.add(
      await win.evaluate(() => {
        const at = document.activeElement;
        return at
          ?.closest('[role="treeitem"], [role="grid"], [role="tab"], button, input')
          ?.getAttribute('role') === 'treeitem'
          ? 'tree'
          : (at?.getAttribute('aria-label') ?? at?.getAttribute('role') ?? at?.tagName ?? '');
      }),
    );
  }
  for (const part of ['tree', 'Contents of documents', 'Edit the path', 'Settings', 'New tab', 'tab'])
    expect([...seen]).toContain(part);
});

async function check(page: Page, label: string): Promise<void> {
  expect(await axeFindingsInBothSchemes(page), label).toEqual([]);
}

test('axe finds no problems in folders, details, previews and the palette', async ({ win }) => {
  // Axe takes long for six views on a small machine.
  test.slow();
  await check(win, 'the start');
  await sidebarRow(win, 'Sample buckets').click();
  await expect(win.getByRole('heading', { name: 'Sample buckets', level: 1 })).toBeVisible();
  await check(win, 'the buckets of a connection');
  await goTo(win, 'Sample buckets', 'names/odd/');
  await expect(grid(win)).toBeVisible();
  await check(win, 'a folder of odd names');
  await goTo(win, 'Sample buckets', 'documents/notes/');
  await grid(win).getByText('harbour walk.txt').click();
  const details = win.getByRole('complementary', { name: 'Details' });
  if (!(await details.isVisible())) await win.keyboard.press('Control+i');
  await expect(details.getByText('text/plain').first()).toBeVisible();
  await check(win, 'the details');
  await grid(win).focus();
  await win.keyboard.press('Enter');
  await expect(win.getByText('Three herons on the old slip')).toBeVisible();
  await check(win, 'a preview');
  await win.keyboard.press('Escape');
  await expect(win.getByRole('dialog')).toHaveCount(0);
  await win.keyboard.press('Control+k');
  await expect(win.getByPlaceholder('Type a command or the name of a place')).toBeVisible();
  await check(win, 'the palette');
});
