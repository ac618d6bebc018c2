import { expect } from '@playwright/test';
import { goTo, grid, rowOf, test } from '../support/window.ts';

/** A duration in CSS form: `0.2s`, `10ms`. */
const seconds = (text: string): number => Number.parseFloat(text) * (text.includes('ms') ? 0.001 : 1);

test("screen readers find the table's name, length, headings and described cells", async ({ win, lab }) => {
  // A new bucket has the default columns.
  const bucket = lab.store.buckets.create('read-aloud', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  for (const name of ['01-january.csv', '02-february.csv'])
    await lab.store.putBytes(bucket.id, name, Buffer.alloc(704, 'x'), {
      modifiedMs: 1e12,
      storageClass: 'COLD',
    });
  await goTo(win, 'Lab', 'read-aloud');
  await expect(rowOf(win, '01-january.csv')).toBeVisible();
  await rowOf(win, '01-january.csv').click();
  await expect(grid(win)).toHaveAttribute('aria-rowcount', '3');
  // Reads the engine's accessibility tree, not the page's source.
  const session = await win.context().newCDPSession(win);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as {
    readonly nodes: readonly {
      readonly nodeId: string;
      readonly parentId?: string;
      readonly ignored: boolean;
      readonly role?: { readonly value?: string };
      readonly name?: { readonly value?: string };
    }[];
  };
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const isWithin = (node: (typeof nodes)[number], nodeId: string | undefined): boolean => {
    const parent = node.parentId === undefined ? undefined : byId.get(node.parentId);
    return parent !== undefined && (parent.nodeId === nodeId || isWithin(parent, nodeId));
  };
  const label = await grid(win).getAttribute('aria-label');
  const table = nodes.find((node) => node.role?.value === 'grid' && node.name?.value === label);
  expect(table).toBeDefined();
  // Other tables may be open below it.
  const named = (role: string): readonly string[] =>
    nodes
      .filter((node) => !node.ignored && node.role?.value === role && isWithin(node, table?.nodeId))
      .map((node) => node.name?.value ?? '');
  expect(named('columnheader')).toEqual(['Name', 'Size', 'Modified', 'Storage class', 'Columns']);
  const cells = named('gridcell');
  expect(cells.some((name) => name.includes('01-january.csv'))).toBe(true);
  expect(cells).toContain('704 bytes');
  expect(cells).toContain('COLD');
});

test.describe('at 200 % of a screen of 1280 by 800', () => {
  test.use({ deviceScaleFactor: 2 });

  test('the folder is readable and usable, with nothing outside the window', async ({ win }, info) => {
    // Opens the folder in a wide window, because a narrow one hides the sidebar that is needed to open it.
    await goTo(win, 'Sample buckets', 'documents/accounts/2026/');
    await win.setViewportSize({ width: 640, height: 400 });
    await expect(rowOf(win, '01-january.csv')).toBeInViewport();
    const wider = await win.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wider).toBeLessThanOrEqual(0);
    // Buttons that do not fit into the toolbar are in the menu next to it.
    const toolbar = win.getByRole('toolbar', { name: 'Navigation' });
    await expect(toolbar.getByRole('button', { name: 'Upload' })).toBeInViewport();
    await toolbar.getByRole('button', { name: 'More', exact: true }).click();
    const settings = win.getByRole('menuitem', { name: 'Settings' });
    // The menu ends within the window, and the keyboard scrolls to its last entry.
    await expect(win.getByRole('menu')).toBeInViewport({ ratio: 1 });
    await win.keyboard.press('End');
    await expect(settings).toBeFocused();
    await expect(settings).toBeInViewport({ ratio: 1 });
    await win.screenshot({ path: info.outputPath('menu.png') });
    await win.keyboard.press('Enter');
    const close = win.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Close' });
    await expect(close).toBeInViewport();
    await win.keyboard.press('Escape');
    await expect(close).toBeHidden();
    await win.keyboard.press('Control+,');
    await expect(close).toBeInViewport();
    await expect(win.getByRole('button', { name: 'Third-party licences…' })).toBeAttached();
    await win.screenshot({ path: info.outputPath('zoomed.png') });
    await win.keyboard.press('Escape');
    await win.screenshot({ path: info.outputPath('folder.png') });
  });
});

test('with reduced motion no animation is noticeable', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents/accounts/2026/');
  await win.keyboard.press('Control+,');
  await expect(win.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  const moving = async (): Promise<number> => {
    const durations = await win.evaluate(() =>
      [...document.querySelectorAll('*')].map((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        return `${transitionDuration},${animationDuration}`;
      }),
    );
    return durations.filter((text) => text.split(',').some((part) => seconds(part) > 0.05)).length;
  };
  await win.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await moving()).toBeGreaterThan(0);
  await win.emulateMedia({ reducedMotion: 'reduce' });
  expect(await moving()).toBe(0);
});
