import { expect, type Page } from '@playwright/test';
import { cephClient } from '../../support/servers/ceph-rig.ts';
import { isCephInstalled, startCeph } from '../../support/servers/ceph.ts';
import { axeFindings } from '../support/axe.ts';
import { dialogOf, ended, makeBucket, pressInList, selectRows } from '../support/operations.ts';
import { realServers } from '../support/real-servers.ts';
import { connect, panel, showTransfers } from '../support/uploads.ts';
import { openConnection, rowOf, test, typeAddress } from '../support/window.ts';

/** Changes the class of the selected object. `isSure`: the window knows that the service has the class. */
async function want(page: Page, storageClass: string, key: string, isSure: boolean): Promise<void> {
  await pressInList(page, 'Alt+Enter');
  const dialog = dialogOf(page, `Properties of ${key}`);
  await dialog.getByRole('combobox', { name: 'Storage class' }).fill(storageClass);
  await expect(dialog.getByText('The service cannot change this in place.', { exact: false })).toBeVisible();
  await expect(
    dialog.getByText(`Cooper does not know whether this service has the class ${storageClass}.`),
  ).toHaveCount(isSure ? 0 : 1);
  expect(await axeFindings(page, '[role="dialog"]')).toEqual([]);
  await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(dialog).toBeHidden();
}

test('a change of class is undone and redone on the sample service', async ({ win }) => {
  await openConnection(win, 'Sample buckets');
  await makeBucket(win, 'class-undo');
  await win.keyboard.press('Alt+Shift+n');
  await dialogOf(win, 'New folder').getByRole('textbox').fill('made');
  await win.keyboard.press('Enter');
  await expect(rowOf(win, 'made')).toBeVisible();
  await typeAddress(win, 'documents/');
  await selectRows(win, 'Read me first.md');
  await pressInList(win, 'Control+c');
  await typeAddress(win, 'class-undo/');
  await expect(rowOf(win, 'made')).toBeVisible();
  await pressInList(win, 'Control+v');
  const copy = rowOf(win, 'Read me first.md');
  await expect(copy).toBeVisible();
  await expect(copy).toContainText('STANDARD');
  await selectRows(win, 'Read me first.md');
  await want(win, 'COLD', 'Read me first.md', true);
  await expect(copy).toContainText('COLD');
  await ended(win, 'Done. Changed 1 object');
  await pressInList(win, 'Control+z');
  await expect(copy).toContainText('STANDARD');
  await ended(win, 'Done. Took back 1 item');
  await pressInList(win, 'Control+Shift+z');
  await expect(copy).toContainText('COLD');
});

test('a change of class is undone and redone on Ceph if a zone has it (if installed)', async ({ win }) => {
  test.skip(!isCephInstalled(), 'ceph-mon is not installed');
  test.setTimeout(240_000);
  const ceph = await startCeph();
  const client = cephClient(ceph);
  const place = { bucket: `class-undo-${String(test.info().retry)}`, key: 'letter.txt' };
  try {
    await client.createBucket({ bucket: place.bucket });
    const body = { sizeBytes: 1, open: () => Buffer.from('x') };
    await client.putObject({ ...place, contentType: 'text/x-letter', metadata: { author: 'one' }, body });
    const described = async () => {
      const { storageClass, contentType, metadata } = await client.headObject(place);
      return [storageClass ?? 'STANDARD', contentType, metadata['author']];
    };
    await connect(win, 'Class undo Ceph', ceph, ceph, 'Ceph');
    await typeAddress(win, place.bucket);
    await selectRows(win, place.key);
    await want(win, 'COLD', place.key, false);
    await expect.poll(described, { timeout: 30_000 }).toEqual(['COLD', 'text/x-letter', 'one']);
    await ended(win, 'Done. Changed 1 object');
    await pressInList(win, 'Control+z');
    await expect.poll(described, { timeout: 30_000 }).toEqual(['STANDARD', 'text/x-letter', 'one']);
    await ended(win, 'Done. Took back 1 item');
    await pressInList(win, 'Control+Shift+z');
    await expect.poll(described, { timeout: 30_000 }).toEqual(['COLD', 'text/x-letter', 'one']);
  } finally {
    ceph.stop();
  }
});

for (const { name, isInstalled, start, provider } of realServers)
  test(`a change to a class that ${name} may lack warns first, and a refusal changes nothing (if installed)`, async ({
    win,
  }) => {
    test.skip(!isInstalled(), `${name} is not installed`);
    test.setTimeout(240_000);
    const server = await start();
    const client = cephClient(server);
    const bucket = `class-${name.toLowerCase()}-${String(test.info().retry)}`;
    const place = { bucket, key: 'letter.txt' };
    try {
      await client.createBucket({ bucket });
      const body = { sizeBytes: 1, open: () => Buffer.from('x') };
      await client.putObject({ ...place, contentType: 'text/x-letter', metadata: { author: 'one' }, body });
      const before = await client.headObject(place);
      await connect(win, `Class ${name}`, server, server, provider);
      await typeAddress(win, bucket);
      await selectRows(win, place.key);
      await want(win, 'STANDARD_IA', place.key, false);
      await showTransfers(win);
      await expect(panel(win).getByRole('grid')).toContainText(/storage class|refuse|reject/u, {
        timeout: 30_000,
      });
      const after = await client.headObject(place);
      expect([after.etag, after.lastModified, after.contentType, after.metadata, after.storageClass]).toEqual(
        [before.etag, before.lastModified, before.contentType, before.metadata, before.storageClass],
      );
    } finally {
      server.stop();
    }
  });
