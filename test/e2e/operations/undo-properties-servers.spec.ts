import { expect } from '@playwright/test';
import { cephClient } from '../../support/servers/ceph-rig.ts';
import { isCephInstalled, startCeph } from '../../support/servers/ceph.ts';
import type { RealServer } from '../../support/servers/real-server.ts';
import { isSwiftInstalled, startSwift } from '../../support/servers/swift.ts';
import { dialogOf, ended, makeBucket, pressInList, selectRows } from '../support/operations.ts';
import { realServers } from '../support/real-servers.ts';
import { connect, panel, showTransfers } from '../support/uploads.ts';
import { rowOf, test, typeAddress } from '../support/window.ts';

for (const { name, isInstalled, start, provider } of realServers)
  test(`changed properties, copies and new folders are undone and redone on ${name} (if installed)`, async ({
    win,
  }) => {
    test.skip(!isInstalled(), `${name} is not installed`);
    test.setTimeout(240_000);
    const server: RealServer = await start();
    const bucket = `undo-more-${name.toLowerCase()}-${String(test.info().retry)}`;
    const key = 'letter.txt';
    const client = cephClient(server);
    try {
      await connect(win, `More ${name}`, server, server, provider);
      await makeBucket(win, bucket);
      await expect(win.getByText('This bucket is empty')).toBeVisible();
      const body = { sizeBytes: 1, open: () => Buffer.from('x') };
      await client.putObject({ bucket, key, contentType: 'text/plain', metadata: { author: 'one' }, body });
      await win.keyboard.press('F5');
      await selectRows(win, key);
      await pressInList(win, 'Alt+Enter');
      const dialog = dialogOf(win, `Properties of ${key}`);
      await expect(dialog.getByRole('textbox', { name: 'Content type' })).toHaveValue('text/plain');
      await dialog.getByRole('textbox', { name: 'Content type' }).fill('text/x-letter');
      await dialog.getByRole('tab', { name: 'Metadata' }).click();
      await dialog.getByRole('textbox', { name: 'Value: author' }).fill('two');
      await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
      await expect(dialog).toBeHidden();
      const described = async () => {
        const { contentType, metadata } = await client.headObject({ bucket, key });
        return [contentType, metadata['author']];
      };
      await expect.poll(described).toEqual(['text/x-letter', 'two']);
      await ended(win, 'Done. Changed 1 object');
      await pressInList(win, 'Control+z');
      await expect.poll(described).toEqual(['text/plain', 'one']);
      await ended(win, 'Done. Took back 1 item');
      await pressInList(win, 'Control+Shift+z');
      await expect.poll(described).toEqual(['text/x-letter', 'two']);
      await ended(win, 'Done. Did 1 item again');

      await selectRows(win, key);
      await pressInList(win, 'Control+c');
      await pressInList(win, 'Control+v');
      await win.getByRole('dialog').getByRole('button', { name: 'Duplicate', exact: true }).click();
      const copied = rowOf(win, 'letter copy.txt');
      await expect(copied).toBeVisible({ timeout: 30_000 });
      await pressInList(win, 'Control+z');
      await win.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
      await expect(copied).toHaveCount(0, { timeout: 30_000 });
      await pressInList(win, 'Control+Shift+z');
      await expect(copied).toBeVisible({ timeout: 30_000 });

      await win.keyboard.press('Alt+Shift+n');
      await dialogOf(win, 'New folder').getByRole('textbox').fill('made');
      await win.keyboard.press('Enter');
      await expect(rowOf(win, 'made')).toBeVisible();
      await pressInList(win, 'Control+z');
      await expect(rowOf(win, 'made')).toHaveCount(0, { timeout: 30_000 });
      await pressInList(win, 'Control+Shift+z');
      await expect(rowOf(win, 'made')).toBeVisible();
    } finally {
      server.stop();
    }
  });

test('tags and a versioned deletion are undone and redone on Ceph (if installed)', async ({ win }) => {
  test.skip(!isCephInstalled(), 'ceph-mon is not installed');
  test.setTimeout(240_000);
  const ceph = await startCeph();
  const client = cephClient(ceph);
  const bucket = 'undo-kept';
  const place = { bucket, key: 'letter.txt' };
  try {
    await client.createBucket({ bucket });
    await client.putBucketDocument({
      bucket,
      query: 'versioning',
      operation: 'BucketVersioning',
      text: '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>',
    });
    await client.putObject({ ...place, body: { sizeBytes: 1, open: () => Buffer.from('x') } });
    await client.putObjectTags({ ...place, tags: [{ key: 'team', value: 'blue' }] });
    await connect(win, 'Kept Ceph', ceph, ceph, 'Ceph');
    await typeAddress(win, bucket);
    await selectRows(win, place.key);
    await pressInList(win, 'Alt+Enter');
    const dialog = dialogOf(win, 'Properties of letter.txt');
    await dialog.getByRole('tab', { name: 'Tags' }).click();
    await dialog.getByRole('textbox', { name: 'Value: team' }).fill('red');
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
    await expect(dialog).toBeHidden();
    const team = async () => (await client.getObjectTags(place)).map(({ value }) => value);
    await expect.poll(team).toEqual(['red']);
    await ended(win, 'Done. Changed 1 object');
    await pressInList(win, 'Control+z');
    await expect.poll(team).toEqual(['blue']);
    await ended(win, 'Done. Took back 1 item');
    await pressInList(win, 'Control+Shift+z');
    await expect.poll(team).toEqual(['red']);
    await ended(win, 'Done. Did 1 item again');

    await pressInList(win, 'Delete');
    const question = dialogOf(win, 'Delete letter.txt?');
    await expect(question).toContainText('You can undo this: the versions stay.');
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(win.getByText('This bucket is empty')).toBeVisible({ timeout: 30_000 });
    await win.keyboard.press('Control+z');
    await expect(rowOf(win, place.key)).toBeVisible({ timeout: 30_000 });
    await win.keyboard.press('Control+Shift+z');
    await expect(rowOf(win, place.key)).toHaveCount(0, { timeout: 30_000 });
    await win.keyboard.press('Control+z');
    await expect(rowOf(win, place.key)).toBeVisible({ timeout: 30_000 });
    expect(await team()).toEqual(['red']);
  } finally {
    ceph.stop();
  }
});

test('Swift refuses tags, and a deletion there says first that no versions are kept (if installed)', async ({
  win,
}) => {
  test.skip(!isSwiftInstalled(), 'Swift is not installed');
  test.setTimeout(240_000);
  const swift = await startSwift();
  const bucket = 'undo-not-kept';
  try {
    await connect(win, 'Not kept Swift', swift, swift, 'Other');
    await makeBucket(win, bucket);
    await expect(win.getByText('This bucket is empty')).toBeVisible();
    const body = { sizeBytes: 1, open: () => Buffer.from('x') };
    await cephClient(swift).putObject({ bucket, key: 'letter.txt', body });
    await win.keyboard.press('F5');
    await selectRows(win, 'letter.txt');
    await pressInList(win, 'Alt+Enter');
    const dialog = dialogOf(win, 'Properties of letter.txt');
    await dialog.getByRole('tab', { name: 'Tags' }).click();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('team');
    await dialog.getByRole('textbox', { name: 'Value: team' }).fill('red');
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
    // Swift returns an empty set of tags without an error, and refuses them only on writing. Nothing was changed.
    await showTransfers(win);
    await expect(panel(win)).toContainText('This service does not support this', { timeout: 30_000 });

    await pressInList(win, 'Delete');
    const question = dialogOf(win, 'Delete letter.txt?');
    await expect(question).toContainText('Versions are not kept here, so this cannot be undone.');
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(win.getByText('This bucket is empty')).toBeVisible({ timeout: 30_000 });
    await win.keyboard.press('Control+z');
    await expect(win.getByText('Cannot be undone')).toBeVisible();
  } finally {
    swift.stop();
  }
});
