import { expect } from '@playwright/test';
import { encodePng } from '../../../electron/service/samples/landscape.ts';
import { en } from '../../../shared/messages/en/index.ts';
import { svgOfUses } from '../../support/hostile/svg-of-uses.ts';
import { payloads } from '../security/payloads.ts';
import { goTo, test } from '../support/window.ts';
import { open, putAll } from './viewing.ts';

test('Markdown is rendered with headings, tables and pictures of its folder, and inactive links', async ({
  win,
}) => {
  await goTo(win, 'Sample buckets', 'documents/formats/');
  const dialog = await open(win, 'survey.md');
  await expect(dialog.getByRole('heading', { name: 'Survey of the outer bank' })).toBeVisible();
  await expect(dialog.getByRole('cell', { name: 'north mole' })).toBeVisible();
  const picture = dialog.getByAltText('The bank from above');
  await expect
    .poll(async () => picture.evaluate((node) => (node as HTMLImageElement).naturalWidth))
    .toBe(480);
  const here = win.url();
  await dialog.getByText('the tide tables').click();
  expect(win.url()).toBe(here);
  expect(await dialog.locator('[href]').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Show as text' }).click();
  await expect(dialog.getByText('# Survey of the outer bank')).toBeVisible();
});

test('a picture billed per read is not loaded for the Markdown around it', async ({ win, lab }) => {
  await putAll(lab, 'billed-pictures', { 'a.md': '![Billed](billed.png)\n\n![Free](free.png)' });
  const bucket = lab.store.buckets.get('billed-pictures');
  if (bucket === null) throw new Error('It is not there.');
  const picture = await encodePng(40, 30, Buffer.alloc(40 * 30 * 3, 120));
  for (const [key, storageClass] of [
    ['billed.png', 'STANDARD_IA'],
    ['free.png', 'STANDARD'],
  ] as const)
    await lab.store.putBytes(bucket.id, key, picture, { modifiedMs: 1e12, storageClass });
  await goTo(win, 'Lab', 'billed-pictures/');
  const dialog = await open(win, 'a.md');
  const widthOf = async (name: string): Promise<number> =>
    await dialog.getByAltText(name).evaluate((node) => (node as HTMLImageElement).naturalWidth);
  await expect.poll(async () => await widthOf('Free')).toBe(40);
  expect(await widthOf('Billed')).toBe(0);
  const read = lab.faults.journal.filter(
    (record) => record.operation === 'GetObject' && record.bucket === 'billed-pictures',
  );
  expect(new Set(read.map(({ key }) => key))).toEqual(new Set(['a.md', 'free.png']));
});

test('Markdown omits an SVG too complex to draw and draws the one beside it', async ({ win, lab }) => {
  await putAll(lab, 'drawings-in-markdown', {
    'a.md': '![Countless](uses.svg)\n\n![Plain](plain.svg)',
    'uses.svg': svgOfUses(),
    'plain.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="9" height="9"/></svg>',
  });
  await goTo(win, 'Lab', 'drawings-in-markdown/');
  const dialog = await open(win, 'a.md');
  const widthOf = async (name: string): Promise<number> =>
    await dialog.getByAltText(name).evaluate((node) => (node as HTMLImageElement).naturalWidth);
  await expect.poll(async () => await widthOf('Plain')).toBe(40);
  expect(await widthOf('Countless')).toBe(0);
});

test('hostile Markdown runs nothing, fetches nothing and keeps no address, style, name or event', async ({
  win,
  lab,
}) => {
  const lines = [
    '![x](http://127.0.0.1:9/pixel.png) ![y](../../other.png) ![z](/bytes/x) ![d](data:image/svg+xml,<svg/onload=MARK()>)',
    '[a](javascript:MARK()) <a href="javascript:MARK()" id=root name=body style="position:fixed">b</a>',
    '<img src="http://127.0.0.1:9/pixel.png" srcset="http://127.0.0.1:9/2.png 2x">',
    '<form action=http://127.0.0.1:9/><input name=x></form><base href="http://127.0.0.1:9/">',
    '<svg><style><img src=x onerror=MARK()></style></svg><math><mi xlink:href="javascript:MARK()">m</mi></math>',
  ];
  await putAll(lab, 'hostile-markdown', {
    'a.md': ['The first line.', ...lines].join('\n\n'),
    // Tests both orders, because some payloads treat everything after them as their content.
    'b.md': ['The first line.', ...payloads].join('\n\n'),
    'c.md': ['The first line.', ...payloads.toReversed()].join('\n\n'),
    'deep.md': '> '.repeat(100_000),
  });
  const happened: string[] = [];
  await win.exposeFunction('MARK', () => {
    happened.push('script ran');
  });
  await goTo(win, 'Lab', 'hostile-markdown/');
  const pageOrigin = new URL(win.url()).origin;
  win.on('request', (request) => {
    const { origin, protocol, pathname } = new URL(request.url());
    if (
      protocol.startsWith('http') &&
      (origin !== pageOrigin || !/^\/(?:bytes|assets)\//.test(pathname) || pathname === '/bytes/x')
    )
      happened.push(`asked ${request.url()}`);
  });
  for (const name of ['a.md', 'b.md', 'c.md']) {
    const page = (await open(win, name)).getByRole('document');
    await expect(page.getByText('The first line.')).toBeVisible();
    const kept = await page.evaluate((element) =>
      [...element.querySelectorAll('*')].flatMap((node) =>
        node
          .getAttributeNames()
          .filter((attribute) => !['alt', 'title', 'align', 'start', 'data-path'].includes(attribute)),
      ),
    );
    expect(kept).toEqual([]);
    await win.keyboard.press('Escape');
  }
  const dialog = await open(win, 'deep.md');
  await expect(dialog.getByText(en.viewers.columnar.tooComplex).or(dialog.getByRole('document'))).toBeVisible(
    { timeout: 30_000 },
  );
  expect(happened).toEqual([]);
});

test('the hint above Markdown wraps in a narrow window', async ({ win, lab }) => {
  await putAll(lab, 'narrow-markdown', { 'a.md': '# Heading' });
  await goTo(win, 'Lab', 'narrow-markdown/');
  const dialog = await open(win, 'a.md');
  await win.setViewportSize({ width: 340, height: 700 });
  const hint = dialog.getByText(en.viewers.markdown.hint);
  await expect(hint).toBeVisible();
  const [outer, inner] = [await dialog.boundingBox(), await hint.boundingBox()];
  if (outer === null || inner === null) throw new Error('The hint is not drawn.');
  expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
});
