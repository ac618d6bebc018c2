import { expect, type Locator, type Page } from '@playwright/test';
import { forEachLimited } from '../../../electron/core/flow/loops.ts';
import { cephClient } from '../../support/servers/ceph-rig.ts';
import type { RealServer } from '../../support/servers/real-server.ts';
import { expectJob } from '../support/operations.ts';
import { removeConnection } from '../support/forms.ts';
import { realServers } from '../support/real-servers.ts';
import { connect } from '../support/uploads.ts';
import { crumb, grid, rowOf, sidebarRow, test, typeAddress } from '../support/window.ts';
import { revealInTree } from '../support/tree.ts';

const names = (within: Locator): Promise<readonly string[]> =>
  within.getByRole('row').locator('[role="gridcell"]:first-of-type').allInnerTexts();

async function fill(server: RealServer, bucket: string, keys: readonly string[]): Promise<void> {
  const client = cephClient(server);
  await client.createBucket({ bucket });
  await forEachLimited(keys, 16, new AbortController().signal, async (key) => {
    const bytes = Buffer.from(key);
    const body = { sizeBytes: bytes.length, open: () => bytes };
    await client.putObject({ bucket, key, contentType: 'text/plain', body });
  });
}

/** Drags a system file over an element and drops it there. */
async function dropFile(target: Locator, name: string): Promise<void> {
  await target.evaluate((row, fileName) => {
    const data = new DataTransfer();
    data.items.add(new File(['dropped'], fileName));
    for (const type of ['dragenter', 'dragover', 'drop'])
      row.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, name);
}

async function copyAs(page: Page, row: string, form: string): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await rowOf(page, row).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy as' }).click();
  await page.getByRole('menuitem', { name: form, exact: true }).click();
  const read = async (): Promise<string> => await page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe('');
  return await read();
}

for (const { name, isInstalled, start, provider } of realServers) {
  test(`the tree of ${name} opens by keyboard in portions, follows the folder and accepts drops (if installed)`, async ({
    win,
  }) => {
    test.skip(!isInstalled(), `${name} is not installed`);
    test.setTimeout(240_000);
    const server = await start();
    const bucket = `tree-${name.toLowerCase()}-${String(test.info().retry)}`;
    // The tree may still hold the folders of another server.
    const folder = (at: number): string => `f-${name.toLowerCase()}${String(at).padStart(4, '0')}`;
    const folders = Array.from({ length: 1010 }, (_, at) => `${folder(at)}/x`);
    try {
      await fill(server, bucket, [...folders, `${folder(1)}/deep/er/y`, 'note.txt']);
      await connect(win, `Tree ${name}`, server, server, provider);
      await typeAddress(win, bucket);
      await expect(crumb(win)).toHaveText(bucket);
      const row = sidebarRow(win, bucket);
      await row.focus();
      await win.keyboard.press('ArrowRight');
      const tree = win.getByRole('tree');
      const shown = tree.getByRole('treeitem', { name: new RegExp(`^f-${name.toLowerCase()}\\d{4}$`) });
      // Takes the row directly below them, because other connections may have a row with the same name.
      const below = shown.last().locator('xpath=following-sibling::*[@role="treeitem"][1]');
      const more = below.filter({ hasText: /^(?:More folders|Look for more)…$/u });
      for (const count of [200, 400, 600, 800, 1000]) {
        await expect(shown.first()).toHaveAttribute('aria-setsize', String(count + 1));
        await revealInTree(win, more);
        await more.focus();
        await win.keyboard.press('Enter');
      }
      await expect(shown.first()).toHaveAttribute('aria-setsize', '1010');

      await typeAddress(win, `${bucket}/${folder(1)}/deep/er/`);
      await expect(tree.getByRole('treeitem', { name: 'er', exact: true })).toHaveAttribute(
        'aria-current',
        'page',
      );
      await typeAddress(win, bucket);
      await rowOf(win, folder(0)).waitFor();
      await dropFile(tree.getByRole('treeitem', { name: 'deep', exact: true }), 'dropped.txt');
      await expectJob(win, 'Done. Uploaded ');
      await typeAddress(win, `${bucket}/${folder(1)}/deep/`);
      await expect(rowOf(win, 'dropped.txt')).toBeVisible();
      await rowOf(win, 'dropped.txt').dragTo(tree.getByRole('treeitem', { name: folder(0) }));
      await expect(rowOf(win, 'dropped.txt')).toHaveCount(0, { timeout: 30_000 });
      const listed = await cephClient(server).listObjects({ bucket, prefix: `${folder(0)}/` });
      expect(listed.objects.map(({ key }) => key)).toEqual([`${folder(0)}/dropped.txt`, `${folder(0)}/x`]);
      await removeConnection(win, `Tree ${name}`);
    } finally {
      server.stop();
    }
  });

  test(`a folder on ${name} is sorted, searched, previewed, mapped and copied as commands (if installed)`, async ({
    win,
  }) => {
    test.skip(!isInstalled(), `${name} is not installed`);
    test.setTimeout(240_000);
    const server = await start();
    const bucket = `order-${name.toLowerCase()}-${String(test.info().retry)}`;
    try {
      await fill(server, bucket, ['img10.txt', 'img2.txt', 'Zeta/in img.txt', 'äther/b.txt', 'other.txt']);
      await connect(win, `Order ${name}`, server, server, provider);
      await typeAddress(win, bucket);
      await expect(rowOf(win, 'other.txt')).toBeVisible();
      const inOrder = ['äther', 'Zeta', 'img2.txt', 'img10.txt', 'other.txt'];
      expect((await names(grid(win))).map((text) => text.split('\n', 1)[0])).toEqual(inOrder);

      // One field searches the loaded rows, by the service, and everywhere below.
      await win.keyboard.press('Control+f');
      await win.keyboard.type('img1');
      await expect(rowOf(win, 'other.txt')).toHaveCount(0);
      await expect(rowOf(win, 'img10.txt')).toBeVisible();
      await win.keyboard.press('Escape');
      await win.keyboard.press('Control+Shift+f');
      await win.keyboard.type('img');
      await expect(rowOf(win, 'Zeta')).toHaveCount(0);
      await expect(rowOf(win, 'img2.txt')).toBeVisible();
      await win.keyboard.press('Escape');
      await expect(rowOf(win, 'Zeta')).toBeVisible();

      await rowOf(win, 'img2.txt').click();
      await win.keyboard.press('Space');
      const look = win.getByRole('region', { name: /^Look at/ });
      await expect(look).toContainText('img2.txt');
      await win.keyboard.press('ArrowDown');
      await expect(look).toContainText('img10.txt');
      await win.keyboard.press('Escape');

      const link = /'(http[^']+)'$/u.exec(await copyAs(win, 'img2.txt', 'curl with a link for a day'))?.[1];
      const response = await fetch(link ?? 'no link');
      expect([response.status, await response.text()]).toEqual([200, 'img2.txt']);
      expect(await copyAs(win, 'img2.txt', 'aws s3 cp')).toContain(
        `aws s3 cp 's3://${bucket}/img2.txt' . --endpoint-url '${server.endpoint}'`,
      );

      // The breadcrumb's menu lists the sibling folders.
      await rowOf(win, 'Zeta').dblclick();
      await expect(crumb(win)).toHaveText('Zeta');
      await win.keyboard.press('Alt+ArrowDown');
      await win.getByRole('menuitem', { name: 'äther' }).click();
      await expect(crumb(win)).toHaveText('äther');
      await win.keyboard.press('Alt+ArrowUp');
      await win.keyboard.press('Control+3');
      await expect(win.getByRole('region', { name: /^Map of/ })).toContainText('5 objects');
      await win.keyboard.press('Control+1');
      await expect(rowOf(win, 'img2.txt')).toBeVisible();
      // Once counted, its number and bytes appear in the list of buckets.
      await sidebarRow(win, `Order ${name}`).click();
      const counted = win.getByRole('grid', { name: 'Buckets' }).getByRole('row').filter({ hasText: bucket });
      await expect(counted).toContainText('53 bytes');
    } finally {
      server.stop();
    }
  });
}
