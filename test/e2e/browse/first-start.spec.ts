import { expect } from '@playwright/test';
import { startCooper } from '../../support/window/start-cooper.ts';
import { crumb, goTo, grid, sidebarRow, test } from '../support/window.ts';

test('the sample buckets open folder by folder down to a picture', async ({ win }) => {
  await sidebarRow(win, 'Sample buckets').click();
  await expect(win.getByRole('heading', { name: 'Sample buckets', level: 1 })).toBeVisible();
  await goTo(win, 'Sample buckets', 'documents');
  await grid(win).getByText('letters', { exact: true }).dblclick();
  await grid(win).getByText('2026', { exact: true }).dblclick();
  await expect(grid(win).getByText('invitation.pdf')).toBeVisible();
  await expect(crumb(win)).toHaveText('2026');
});

test('a folder of 30,000 objects scrolls to its end with a bounded number of elements', async ({ page }) => {
  test.slow();
  const cooper = await startCooper({ sampleLogs: 30_000 });
  try {
    await page.goto(await cooper.newAddress());
    await expect(sidebarRow(page, 'Sample buckets')).toBeVisible();
    await goTo(page, 'Sample buckets', 'server-data/logs/requests/');
    // The logs are the last samples to be created, all at once or in batches.
    await expect(async () => {
      await page.keyboard.press('F5');
      await expect(grid(page).getByRole('row').nth(20)).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 30_000 });
    const table = grid(page);
    await page.keyboard.press('F5');
    await table.focus();
    let highest = 0;
    await expect(async () => {
      await page.keyboard.press('End');
      highest = Math.max(highest, await table.getByRole('row').count());
      await expect(table).toHaveAttribute('aria-rowcount', /^3\d{4}$/, { timeout: 100 });
    }).toPass({ timeout: 45_000, intervals: [50] });
    await page.keyboard.press('End');
    await expect(table.locator('[data-focused="true"]')).toBeInViewport();
    const last = Number(await table.getAttribute('aria-rowcount'));
    await expect(table.locator(`[aria-rowindex="${String(last)}"]`)).toBeInViewport();
    expect(highest).toBeLessThanOrEqual(120);
  } finally {
    await cooper.end();
  }
});

/** Keys that are copied in the shell form `$'…'`, because a terminal would interpret these characters. */
const quotedKeys: Readonly<Record<string, string>> = {
  'odd/bell\u0007 and escape\u001b.txt': String.raw`$'odd/bell\007 and escape\033.txt'`,
  'odd/right-to-left \u202Egpj.exe': String.raw`$'odd/right-to-left \342\200\256gpj.exe'`,
};
const oddKeys = [
  ...Object.keys(quotedKeys),
  'odd/ spaces around .txt ',
  'odd/only spaces/   ',
  'odd/empty//segment.txt',
  'odd/../up.txt',
  'odd/..',
  '//begins with two.txt',
];
for (const key of oddKeys) {
  test(`the odd key ${JSON.stringify(key)} is copied and opened, unchanged if harmless in a terminal`, async ({
    win,
  }) => {
    const copied = quotedKeys[key] ?? key;
    const folder = key.slice(0, key.lastIndexOf('/') + 1);
    await goTo(win, 'Sample buckets', `names/${folder}`);
    const table = grid(win);
    await expect(table).toBeVisible();
    await table.focus();
    await win.keyboard.press('Home');
    const keys: string[] = [];
    const count = Number(await table.getAttribute('aria-rowcount')) - 1;
    for (let row = 0; row < count; row++) {
      await expect(table.locator('[data-focused="true"]')).toHaveAttribute('data-row-position', String(row));
      await win.evaluate(async () => {
        await navigator.clipboard.writeText('nothing yet');
      });
      await win.keyboard.press('Control+c');
      await expect
        .poll(async () => win.evaluate(async () => navigator.clipboard.readText()))
        .not.toBe('nothing yet');
      keys.push(await win.evaluate(async () => navigator.clipboard.readText()));
      if (keys.at(-1) === copied) break;
      await win.keyboard.press('ArrowDown');
    }
    expect(keys.at(-1)).toBe(copied);
    await win.keyboard.press('Enter');
    const preview = win.getByRole('dialog');
    await expect(preview.locator('.cm-content, pre, code').first()).toContainText(
      // The viewer marks characters that would reverse the text.
      JSON.stringify(key).replace('\u202E', '•'),
    );
  });
}

test('invisible characters of a name are marked', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'names/odd/');
  await expect(
    grid(win)
      .getByTitle(/^invisible or look-alike character/)
      .first(),
  ).toBeVisible();
  await expect(grid(win).getByTitle('leading or trailing space').first()).toBeVisible();
  await expect(grid(win).getByText('empty name').first()).toBeVisible();
});
