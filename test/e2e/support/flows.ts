import { expect, type Locator, type Page } from '@playwright/test';
import { panel, showTransfers } from './uploads.ts';
import { crumb, goTo, grid, sidebarRow } from './window.ts';

/**
 * Flows that work in any host: run in the browser host by `e2e/desktop/flows.spec.ts`, and in the real Electron by `e2e-desktop`,
 * which cannot run everywhere.
 */

/** Checks that the sample buckets are listed and one opens. */
export async function samplesOpen(page: Page): Promise<void> {
  await expect(sidebarRow(page, 'Sample buckets')).toBeVisible();
  await goTo(page, 'Sample buckets', 'documents/');
  await expect(grid(page).getByText('Read me first.md')).toBeVisible();
}

/** Returns the globals of the page that would give access to Node or Electron. */
export function waysToNode(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    ['require', 'module', 'process', 'Buffer', 'global', 'setImmediate', 'electron', '__dirname'].filter(
      (name) => name in globalThis,
    ),
  );
}

/** Returns the content that the policy failed to block: injected script, evaluated text, frames and other locations. */
export async function passesPolicy(page: Page): Promise<readonly string[]> {
  return await page.evaluate(async () => {
    const passed: string[] = [];
    const script = document.createElement('script');
    script.textContent = 'globalThis.ranInline = true';
    document.body.append(script);
    if ('ranInline' in globalThis) passed.push('inline script');
    // Code that the test tool starts may evaluate; later code belongs to the page and obeys its policy.
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
    try {
      // oxlint-disable-next-line no-implied-eval, no-new-func -- the test tries what the policy must block
      new Function('return 1')();
      passed.push('eval');
    } catch {
      // Refused, as required.
    }
    const isFrameRefused = new Promise<boolean>((resolve) => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        if (effectiveDirective === 'frame-src') resolve(true);
      });
    });
    const frame = document.createElement('iframe');
    frame.src = 'data:text/html,x';
    document.body.append(frame);
    await isFrameRefused;
    frame.remove();
    for (const address of ['http://127.0.0.1:9/', 'https://127.0.0.1:9/', 'file:///etc/passwd']) {
      const isReached = await fetch(address).then(
        () => true,
        () => false,
      );
      if (isReached) passed.push(address);
    }
    return passed;
  });
}

/** Checks that the window asks about a link from outside and opens it once the user agrees. */
export async function asksForLink(page: Page, open: () => Promise<void>): Promise<void> {
  await open();
  const dialog = page.getByRole('dialog', { name: 'Open this place?' });
  await expect(dialog).toContainText('documents');
  await expect(dialog).toContainText('settings/');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(crumb(page)).toHaveText('settings');
}

export async function openSettings(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await expect(dialog.getByRole('group', { name: 'Transfers' }).getByRole('button')).toBeVisible();
  return dialog;
}

async function closeSettings(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeHidden();
}

const scheme = (page: Page): Promise<string | null> =>
  page.locator('html').getAttribute('data-mantine-color-scheme');

/** Changes some settings; `keptSettings` finds them after a restart. */
export async function changeSettings(page: Page): Promise<void> {
  const dialog = await openSettings(page);
  await dialog.getByText('Dark', { exact: true }).click();
  await expect.poll(() => scheme(page)).toBe('dark');
  const partSize = dialog.getByLabel('Part size');
  await partSize.fill('32');
  await partSize.press('Tab');
  await closeSettings(page);
}

export async function keptSettings(page: Page): Promise<void> {
  await expect.poll(() => scheme(page)).toBe('dark');
  const dialog = await openSettings(page);
  await expect(dialog.getByLabel('Part size')).toHaveValue('32 MiB');
  await closeSettings(page);
}

/** Starts a download that takes minutes; `choose` picks the folder, which differs by host. */
export async function startLongDownload(page: Page, choose: () => Promise<void>): Promise<void> {
  const dialog = await openSettings(page);
  const transfers = dialog.getByRole('group', { name: 'Transfers' });
  await transfers.getByLabel('Speed limit, in MiB/s').fill('0.002');
  await transfers.getByRole('button', { name: 'Save' }).click();
  await expect(transfers.getByRole('status')).toHaveText('Saved');
  await closeSettings(page);
  await goTo(page, 'Sample buckets', 'photos/');
  const first = grid(page).getByRole('row').nth(1);
  await expect(first).toBeVisible();
  await grid(page).focus();
  await page.keyboard.press('Control+a');
  await first.click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Download/ }).click();
  await choose();
  await showTransfers(page);
  await expect(longDownload(page)).toBeVisible();
}

/** Finds the download after a restart, whether or not the open list of transfers was saved before the program ended. */
export async function findLongDownload(page: Page): Promise<void> {
  await expect(sidebarRow(page, 'Sample buckets')).toBeVisible();
  await showTransfers(page);
  await expect(longDownload(page)).toBeVisible();
}

/** Returns the row of the long download, which is neither done nor failed. */
export const longDownload = (page: Page): Locator =>
  panel(page)
    .getByRole('grid')
    .getByRole('row')
    .filter({ hasText: 'photos' })
    .filter({ hasNotText: /Done|failed/i })
    .first();
