import { expect } from '@playwright/test';
import { forEachLimited } from '../../../electron/core/flow/loops.ts';
import { cephClient } from '../../support/servers/ceph-rig.ts';
import type { RealServer } from '../../support/servers/real-server.ts';
import { realServers } from '../support/real-servers.ts';
import { connect } from '../support/uploads.ts';
import { crumb, focusedRow, rowOf, test, typeAddress } from '../support/window.ts';

for (const { name, isInstalled, start, provider } of realServers)
  test(`"Including subfolders" on ${name} finds objects from the folder's field and leads to them (if installed)`, async ({
    win,
  }) => {
    test.skip(!isInstalled(), `${name} is not installed`);
    test.setTimeout(240_000);
    const server: RealServer = await start();
    const bucket = `below-${name.toLowerCase()}-${String(test.info().retry)}`;
    const client = cephClient(server);
    // Fills more than one page of a listing, with matches inside names, in other cases, and outside the folder.
    const others = Array.from({ length: 1100 }, (_, at) => `in/many/${String(at).padStart(4, '0')}.bin`);
    const keys = ['in/Ärger-cat.txt', 'in/deep/er/CAT 2.txt', 'in/deep/dog.txt', 'out/cat.txt', ...others];
    try {
      await client.createBucket({ bucket });
      await forEachLimited(keys, 16, new AbortController().signal, async (key) => {
        const bytes = Buffer.from(key);
        await client.putObject({ bucket, key, body: { sizeBytes: bytes.length, open: () => bytes } });
      });
      await connect(win, `Below ${name}`, server, server, provider);
      await typeAddress(win, `${bucket}/in/`);
      await expect(rowOf(win, 'deep')).toBeVisible();
      await win.keyboard.press('Control+f');
      await win.keyboard.type('cat');
      await win.getByRole('radio', { name: 'Including subfolders' }).check({ force: true });
      const field = win.getByRole('textbox', { name: 'Search here and in subfolders' });
      await expect(field).toHaveValue('cat');
      await field.press('Enter');
      await expect(win.getByText(/^2 found in 1,103 keys/u)).toBeVisible({ timeout: 60_000 });
      const found = win.getByRole('grid', { name: 'Search results' });
      const rows = found.getByRole('row').filter({ has: win.getByRole('gridcell') });
      await expect(rows).toHaveCount(2);
      await expect(rows.filter({ hasText: 'Ärger-cat.txt' })).toHaveCount(1);
      await rows.filter({ hasText: 'CAT 2.txt' }).click();
      await win.keyboard.press('Control+Enter');
      await expect(crumb(win)).toHaveText('er');
      await expect(focusedRow(win)).toContainText('CAT 2.txt');
    } finally {
      server.stop();
    }
  });
