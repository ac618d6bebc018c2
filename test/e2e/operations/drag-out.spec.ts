import { expect } from '@playwright/test';
import { selectRows } from '../support/operations.ts';
import { goTo, labBucket, rowOf, test } from '../support/window.ts';

type Carried = Readonly<Record<string, string>>;

test('a dragged object carries a one-time download URL and its s3 address', async ({
  win,
  lab,
  playwright,
}) => {
  await labBucket(lab, 'drag-out', ['a: ü.txt', 'b.txt']);
  await win.reload();
  await goTo(win, 'Lab', 'drag-out');
  await win.evaluate(() => {
    // Runs after the page's listeners, and records what another program would receive.
    window.addEventListener('dragstart', ({ dataTransfer }) => {
      const all = (dataTransfer?.types ?? []).map((type) => [type, dataTransfer?.getData(type) ?? '']);
      Object.assign(window, { carried: Object.fromEntries(all) as unknown });
    });
  });
  const drag = async (name: string): Promise<Carried> => {
    await rowOf(win, name).hover();
    await win.mouse.down();
    await rowOf(win, name).hover({ position: { x: 60, y: 10 } });
    await rowOf(win, name).hover({ position: { x: 80, y: 12 } });
    const carried = await win.waitForFunction(() => Reflect.get(window, 'carried') as Carried | undefined);
    await win.keyboard.press('Escape');
    await win.mouse.up();
    return (await carried.jsonValue()) ?? {};
  };

  const carried = await drag('a: ü.txt');
  expect(carried['text/plain']).toBe('s3://drag-out/a: ü.txt');
  expect(carried['text/uri-list']).toBe('s3://drag-out/a%3A%20%C3%BC.txt');
  const [, name, address] =
    /^application\/octet-stream:([^:]+):(http:.*)$/.exec(carried['downloadurl'] ?? '') ?? [];
  expect(name).toBe('a_ ü.txt');
  // Requests the address as another program does, without the page's token and cookies.
  const other = await playwright.request.newContext();
  // Browsers resolve names below localhost themselves; this client leaves it to the system.
  const plain = (address ?? '').replace(/\/\/[^:/]+/u, '//127.0.0.1');
  const first = await other.get(plain);
  expect(first.status()).toBe(200);
  expect(await first.text()).toBe('a: ü.txt');
  expect(first.headers()['content-disposition']).toContain('attachment');
  expect((await other.get(plain)).status()).toBe(404);
  await other.dispose();

  await win.evaluate(() => Reflect.deleteProperty(window, 'carried'));
  await selectRows(win, 'a: ü.txt', 'b.txt');
  const two = await drag('b.txt');
  expect(two['downloadurl']).toBeUndefined();
  expect((two['text/plain'] ?? '').split('\n').toSorted()).toEqual([
    's3://drag-out/a: ü.txt',
    's3://drag-out/b.txt',
  ]);
});
