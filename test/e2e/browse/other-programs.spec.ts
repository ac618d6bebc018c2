import { readFileSync, statSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { en } from '../../../shared/messages/en/index.ts';
import { ru } from '../../../shared/messages/ru/index.ts';
import { axeFindings } from '../support/axe.ts';
import { sidebarRow, test } from '../support/window.ts';

const words = en.connections.programs;

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: words.title });

async function copied(page: Page, dialog: Locator, button: string): Promise<string> {
  await dialog.getByRole('button', { name: button }).click();
  return await page.evaluate(async () => navigator.clipboard.readText());
}

/** Opens the start page in a new tab, because the window remembers its last location. */
async function startPage(page: Page): Promise<void> {
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.keyboard.press('Alt+t');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

async function closed(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(dialogOf(page)).toBeHidden();
}

test('the help for other programs opens from the menu, the page, the palette and the start page', async ({
  win,
}) => {
  await startPage(win);
  await win.getByRole('button', { name: words.welcome }).click();
  await expect(dialogOf(win)).toBeVisible();
  await closed(win);

  await sidebarRow(win, 'Sample buckets').click({ button: 'right' });
  await win.getByRole('menuitem', { name: words.open }).click();
  await expect(dialogOf(win)).toBeVisible();
  await closed(win);
  await expect(sidebarRow(win, 'Sample buckets')).toBeFocused();

  await sidebarRow(win, 'Sample buckets').click();
  await win.getByRole('button', { name: words.open }).click();
  await expect(dialogOf(win)).toBeVisible();
  await closed(win);

  await win.keyboard.press('Control+k');
  await win.getByRole('combobox', { name: en.common.palette.placeholder }).fill('other programs');
  await win.keyboard.press('Enter');
  await expect(dialogOf(win)).toBeVisible();
});

test('endpoint, key file and command lines are copied completely without showing the secret', async ({
  cooper,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const received: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => received.push(payload.toString()));
  });
  await page.goto(await cooper.newAddress());
  await startPage(page);
  await page.getByRole('button', { name: words.welcome }).click();
  const dialog = dialogOf(page);

  const address = await copied(page, dialog, words.copyAddress);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  // The service responds, and refuses requests without the keys.
  expect((await fetch(address)).status).toBe(403);

  const file = await copied(page, dialog, words.copyKeysFile);
  // oxlint-disable-next-line no-bitwise -- the bits of the mode
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { secretAccessKey } = JSON.parse(readFileSync(file, 'utf8')) as { secretAccessKey: string };

  const lines = await copied(page, dialog, words.copyKeys);
  expect(lines).toContain(file);
  expect(lines.split('\n')).toHaveLength(6);
  expect(lines).toContain('signature_version = s3v4');
  for (const program of ['awscli', 'rclone', 's3cmd', 'boto3', 'restic'] as const) {
    const line = await copied(page, dialog, words.copyLine.replace('{{program}}', program));
    expect(line).toContain(address.replace('http://', ''));
    await expect(dialog.locator('pre', { hasText: line })).toBeVisible();
  }
  expect(await copied(page, dialog, words.copyPort)).toMatch(/^cooper service --data-dir '.+' --port 9000$/);

  expect(received.join('\n')).toContain(address);
  expect(received.join('\n')).not.toContain(secretAccessKey);
  expect(await page.content()).not.toContain(secretAccessKey);
});

for (const locale of ['en-GB', 'ru-RU'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`in ${locale}, ${colorScheme}`, () => {
      test.use({ locale, colorScheme });
      test('the dialog and the start page pass axe and fit wide and narrow windows', async ({
        cooper,
        page,
      }) => {
        const { programs } = (locale === 'ru-RU' ? ru : en).connections;
        await page.goto(await cooper.newAddress());
        await startPage(page);
        for (const [size, viewport] of [
          ['wide', { width: 1440, height: 900 }],
          ['narrow', { width: 800, height: 700 }],
        ] as const) {
          await page.setViewportSize(viewport);
          const open = page.getByRole('button', { name: programs.welcome });
          await expect(open).toBeVisible();
          await page.screenshot({ path: test.info().outputPath(`start-${size}.png`) });
          expect(await axeFindings(page)).toEqual([]);
          await open.click();
          const dialog = page.getByRole('dialog', { name: programs.title });
          await expect(dialog.getByText('restic -r s3:http')).toBeAttached();
          await page.screenshot({
            path: test.info().outputPath(`dialog-${size}.png`),
            animations: 'disabled',
          });
          expect(await axeFindings(page, '[role="dialog"]')).toEqual([]);
          const wider = await dialog.evaluate((element) => element.scrollWidth - element.clientWidth);
          expect(wider).toBeLessThanOrEqual(0);
          await dialog.getByRole('button', { name: programs.close }).last().click();
          await expect(dialog).toBeHidden();
        }
      });
    });
  }
}
