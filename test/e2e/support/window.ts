import path from 'node:path';
import { expect, test as base, type Browser, type Locator, type Page } from '@playwright/test';
import { Faults } from '../../support/lab-service/server.ts';
import type { Service } from '../../support/lab-service/server.ts';
import { startService } from '../../support/lab-service/server.ts';
import { filesHolding } from '../../support/files/files-holding.ts';
import { addConnection, typedSecrets } from './forms.ts';
import { coreOfAddress } from '../../support/window/core-of-address.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { revealInTree } from './tree.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';

export const labKeys = { accessKeyId: 'LABKEY', secretAccessKey: 'lab-secret-never-shown' };

interface WorkerFixtures {
  readonly cooper: RunningCooper;
  /** A second service in the test's process, connected as "Lab". Tests make it fail through `faults`. */
  readonly lab: Service;
}
interface TestFixtures {
  /** The window, opened with a fresh address. */
  readonly win: Page;
}

/** One Cooper per worker, with its own data folder; one window per test. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  cooper: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the requested fixtures from the pattern
    async ({}, use) => {
      const dataDir = removedAtExit('cooper-run-');
      const cooper = await startCooper({ dataDir });
      await use(cooper);
      await cooper.end();
      expectNoSecrets(dataDir, cooper.output());
    },
    { scope: 'worker' },
  ],
  lab: [
    async ({ cooper, browser }, use) => {
      const dataDir = removedAtExit('cooper-lab-');
      // The journal is large enough for all requests of a worker's tests.
      const faults = new Faults({ journalLength: 20_000 });
      const lab = await startService({ dataDir, credentials: [labKeys], region: 'us-east-1', faults });
      lab.store.buckets.create('lab-home', Date.now());
      await connectLab(browser, cooper, lab);
      await use(lab);
      await lab.close();
    },
    { scope: 'worker' },
  ],
  win: async ({ cooper, page, context }, use) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await forgetLayout(cooper);
    await page.goto(await cooper.newAddress());
    await expect(sidebarRow(page, 'Sample buckets')).toBeVisible();
    await use(page);
  },
});

/**
 * Clears the stored state of panels and tree branches that another test left open. Otherwise shortcuts that open a panel would
 * close it, and each open branch would be listed.
 */
async function forgetLayout(cooper: RunningCooper): Promise<void> {
  const behind = await coreOfAddress(await cooper.newAddress());
  for (const name of ['layout', 'transfers', 'connections.revealed'])
    await behind.core.view.set({ name, value: null });
  behind.close();
}

/** Checks, after a worker's tests, that the database, logs, crash files and output contain no secret that was typed. */
function expectNoSecrets(dataDir: string, output: string): void {
  for (const secret of typedSecrets) {
    const found = filesHolding(dataDir, secret).map((file) => path.relative(dataDir, file));
    // Secrets are only in secrets.json, which only this account may read.
    expect(found.filter((file) => file !== 'secrets.json')).toEqual([]);
    expect(output).not.toContain(secret);
  }
}

async function connectLab(browser: Browser, cooper: RunningCooper, lab: Service): Promise<void> {
  const page = await browser.newPage();
  await page.goto(await cooper.newAddress());
  await addConnection(page, { name: 'Lab', endpoint: lab.endpoint, keys: labKeys });
  await expect(sidebarRow(page, 'lab-home')).toBeVisible();
  await page.close();
}

/** Creates a lab bucket with small objects of these names. */
export async function labBucket(lab: Service, name: string, names: Iterable<string>): Promise<void> {
  const bucket = lab.store.buckets.create(name, Date.now());
  if (bucket === null) throw new Error(`The bucket ${name} already exists.`);
  for (const key of names) await lab.store.putBytes(bucket.id, key, Buffer.from(key), { modifiedMs: 1e12 });
}

/** Returns names in byte order: 0000.txt, 0001.txt, … */
export function numbered(count: number, prefix = ''): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}${String(at).padStart(4, '0')}.txt`);
}

/** Returns a row of the sidebar. `Lab` does not match "Lab two", a second connection of some tests. */
export const sidebarRow = (page: Page, name: string): Locator =>
  page.getByRole('treeitem', { name: new RegExp(`^${name}(?! two)`) });
export const grid = (page: Page): Locator => page.getByRole('grid', { name: /^Contents of/ });
export const rowOf = (page: Page, name: string): Locator => rowNamed(page, grid(page), name);
/**
 * Returns the row of exactly this name: `box` does not match `inbox`. The row's type follows its name, for users who do not see
 * the icon.
 */
export function rowNamed(page: Page, within: Locator, name: string): Locator {
  const words = name
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return within
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell', { name: new RegExp(`^${words}(?: |$)`, 'u') }) });
}
export const selected = (page: Page): Locator => grid(page).locator('[role="row"][aria-selected="true"]');
/** Returns the focused row of the list. */
export const focusedRow = (page: Page): Locator => grid(page).locator('[data-focused="true"]');
export const crumb = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Path' }).locator('[aria-current="location"]');
export const status = (page: Page, text: string): Locator =>
  page.getByRole('status').filter({ hasText: text }).first();

/** Drags to a bucket in the sidebar. */
export async function dragToBucket(page: Page, dragged: Locator, bucket: string): Promise<void> {
  const target = sidebarRow(page, bucket);
  await revealInTree(page, target);
  await dragged.dragTo(target);
}

/** Types an address within a connection, after Ctrl+L. */
export async function goTo(page: Page, connection: 'Sample buckets' | 'Lab', address: string): Promise<void> {
  await openConnection(page, connection);
  await typeAddress(page, address);
}

/** Opens a connection with its row in the sidebar. `current` is the last step of the path. */
export async function openConnection(page: Page, name: string, current = crumb(page)): Promise<void> {
  // While buckets load, the sidebar scrolls to the current one, so a press and its release can hit different rows.
  await expect(async () => {
    const row = sidebarRow(page, name);
    // A long tree renders only its visible rows, and may be scrolled to a folder below.
    if ((await row.count()) === 0)
      await page.getByRole('tree').evaluate((tree) => tree.scrollIntoView({ block: 'start' }));
    await row.click({ timeout: 5000 });
    await expect(current).toHaveText(name, { timeout: 3000 });
  }).toPass();
}

/** Chooses an entry from the toolbar's overflow menu. */
export async function chooseMore(page: Page, name: string): Promise<void> {
  const toolbar = page.getByRole('toolbar', { name: 'Navigation' });
  await toolbar.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Makes the page believe that another window has focus, so that no question opens without a click. */
export async function lookAway(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.hasFocus = () => false;
  });
}

export async function typeAddress(page: Page, address: string): Promise<void> {
  await page.keyboard.press('Control+l');
  const field = page.getByRole('textbox', { name: /^Address/ });
  await expect(field).toBeFocused();
  await field.fill(address);
  await field.press('Enter');
  await expect(field).toBeHidden();
}
