import { expect, type Page } from '@playwright/test';
import { goTo, grid, test } from '../support/window.ts';

async function open(page: Page, name: string): Promise<void> {
  await grid(page).getByText(name, { exact: true }).dblclick();
  await expect(page.getByRole('dialog')).toBeVisible();
}

test('the details pane shows the HEAD response, and copies key and addresses', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents/letters/2026/');
  await grid(win).getByText('invitation.pdf').click();
  const details = win.getByRole('complementary', { name: 'Details' });
  if (!(await details.isVisible())) await win.keyboard.press('Control+i');
  await expect(details.getByText('application/pdf').first()).toBeVisible();
  await expect(details.getByText('the-cooperage').first()).toBeVisible();
  const copies: readonly (readonly [string, RegExp])[] = [
    ['Key', /^letters\/2026\/invitation\.pdf$/],
    ['s3:// address', /^s3:\/\/documents\/letters\/2026\/invitation\.pdf$/],
    ['Web address', /^http:\/\/127\.0\.0\.1:\d+\/documents\/letters\/2026\/invitation\.pdf$/],
  ];
  for (const [label, value] of copies) {
    await details.getByRole('button', { name: `Copy: ${label}` }).click();
    await expect.poll(async () => win.evaluate(async () => navigator.clipboard.readText())).toMatch(value);
  }
});

test('text, JSON and PDF are previewed with their limit', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents/notes/');
  await open(win, 'harbour walk.txt');
  await expect(win.getByText('Three herons on the old slip')).toBeVisible();
  await expect(
    win.getByText('Cooper reads only the parts that you look at, and never runs anything in an object.'),
  ).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(grid(win)).toBeFocused();
  await goTo(win, 'Sample buckets', 'documents/settings/');
  await open(win, 'service.json');
  await win.getByRole('dialog').getByRole('button', { name: 'Show as text' }).click();
  await expect(win.getByText('Formatted')).toBeVisible();
  await win.keyboard.press('Escape');
  await goTo(win, 'Sample buckets', 'documents/letters/2026/');
  await open(win, 'invitation.pdf');
  await expect(win.getByRole('dialog').getByText('An invitation')).toBeVisible();
  await expect(win.getByRole('dialog').locator('canvas')).toBeVisible();
});

test('an object above the limit is not fetched for a preview, which says so', async ({ win, lab }) => {
  const bucket = lab.store.buckets.create('large-previews', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  await lab.store.putBytes(bucket.id, 'large.png', Buffer.alloc(40 * 1024 ** 2, 'a'), { modifiedMs: 1e12 });
  await goTo(win, 'Lab', 'large-previews');
  // Hides the details, which read the beginning of an image for its thumbnail.
  await win.setViewportSize({ width: 850, height: 800 });
  await open(win, 'large.png');
  await expect(win.getByRole('dialog').getByText('Too large for a preview')).toBeVisible();
  expect(
    lab.faults.journal.some(
      (record) =>
        record.operation === 'GetObject' && record.bucket === 'large-previews' && record.key === 'large.png',
    ),
  ).toBe(false);
});

test('a picture is rendered', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'photos');
  for (let level = 0; level < 3; level++) {
    const folder = grid(win).locator('[data-kind="folder"]').first();
    const picture = grid(win).locator('[data-kind="object"]').first();
    await expect(folder.or(picture).first()).toBeVisible();
    if (await picture.isVisible()) break;
    await folder.dblclick();
  }
  await grid(win).locator('[data-kind="object"]').first().dblclick();
  const image = win.getByRole('dialog').locator('img');
  await expect(image).toBeVisible();
  await expect
    .poll(async () => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(10);
});

const evil = `globalThis.top.ranFromObject = true; fetch('http://127.0.0.1:9/ran'); top.location = 'about:blank'`;
const hostile: readonly (readonly [string, string, string])[] = [
  ['page.html', 'text/html', `<h1>Hello</h1><script>${evil}</script><img src=x onerror="${evil}">`],
  [
    'drawing.svg',
    'image/svg+xml',
    `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" onload="${evil}"><script>${evil}</script><rect width="20" height="20"/></svg>`,
  ],
];
for (const [name, contentType, body] of hostile) {
  test(`no script in ${name} runs`, async ({ win, lab }) => {
    const bucket = lab.store.buckets.create(`hostile-${name.replace('.', '-')}`, 1e12);
    if (bucket === null) throw new Error('The bucket already exists.');
    await lab.store.putBytes(bucket.id, name, Buffer.from(body), { modifiedMs: 1e12, contentType });
    const requests: string[] = [];
    win.on('request', (request) => requests.push(request.url()));
    await goTo(win, 'Lab', bucket.name);
    const here = win.url();
    await open(win, name);
    const shown = win.getByRole('dialog').locator('pre, code, img, h2, h3').last();
    await expect(shown).toBeVisible();
    expect(await win.evaluate(() => 'ranFromObject' in globalThis)).toBe(false);
    expect(win.url()).toBe(here);
    expect(requests.filter((url) => new URL(url).pathname === '/ran')).toEqual([]);
  });
}
