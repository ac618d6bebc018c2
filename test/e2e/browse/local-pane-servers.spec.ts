import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { cephClient } from '../../support/servers/ceph-rig.ts';
import type { RealServer } from '../../support/servers/real-server.ts';
import { leaveOnePlace, list, pane, pathOf, row } from '../support/panes.ts';
import { realServers } from '../support/real-servers.ts';
import { connect } from '../support/uploads.ts';
import { test, typeAddress } from '../support/window.ts';
import { home, testAtHome } from '../support/test-at-home.ts';

for (const { name, isInstalled, start, provider } of realServers)
  testAtHome(
    `files and folders are dragged from this computer to ${name} and back, with the same bytes (where it is installed)`,
    async ({ win }) => {
      test.skip(!isInstalled(), `${name} is not installed`);
      test.setTimeout(240_000);
      const server: RealServer = await start();
      const client = cephClient(server);
      const bucket = `disk-${name.toLowerCase()}-${String(test.info().retry)}`;
      const folder = path.join(home, bucket);
      const bytes = Buffer.alloc(3_000_000, 'päß 0123456789 ');
      const keys = async () =>
        (await client.listObjects({ bucket, prefix: '' })).objects.map(({ key }) => key);
      const onDisk = (...names: readonly string[]) => readFileSync(path.join(folder, ...names), 'utf8');
      try {
        mkdirSync(path.join(folder, 'album', 'inner'), { recursive: true });
        mkdirSync(path.join(folder, 'inbox'));
        writeFileSync(path.join(folder, 'päß.bin'), bytes);
        writeFileSync(path.join(folder, 'album', 'inner', 'p.txt'), 'p');
        await client.createBucket({ bucket });
        for (const key of ['there.txt', 'box/in.txt'])
          await client.putObject({
            bucket,
            key,
            body: { sizeBytes: key.length, open: () => Buffer.from(key) },
          });
        await connect(win, `Disk ${name}`, server, server, provider);
        await typeAddress(win, bucket);
        await win.keyboard.press('Control+Backslash');
        const [there, here] = [pane(win, 'Left'), pane(win, 'Right')];
        await expect(list(here)).toBeFocused();
        await win.getByRole('button', { name: 'Home', exact: true }).click();
        await row(here, bucket).dblclick();
        await expect(pathOf(here)).toHaveText(bucket);

        await row(here, 'päß.bin').dragTo(row(there, 'there.txt'));
        await expect(row(there, 'päß.bin')).toBeVisible({ timeout: 30_000 });
        await row(here, 'album').dragTo(row(there, 'box'));
        await expect
          .poll(keys, { timeout: 30_000 })
          .toEqual(['box/album/inner/p.txt', 'box/in.txt', 'päß.bin', 'there.txt']);
        const head = await client.headObject({ bucket, key: 'päß.bin' });
        expect(head.sizeBytes).toBe(bytes.length);

        await row(there, 'there.txt').dragTo(row(here, 'inbox'));
        await expect(() => expect(onDisk('inbox', 'there.txt')).toBe('there.txt')).toPass({
          timeout: 30_000,
        });
        await row(there, 'box').dragTo(row(here, 'päß.bin'));
        await expect(row(here, 'box')).toBeVisible({ timeout: 30_000 });
        await expect(() => {
          expect(onDisk('box', 'album', 'inner', 'p.txt')).toBe('p');
          expect(onDisk('box', 'in.txt')).toBe('box/in.txt');
        }).toPass({ timeout: 30_000 });
        await row(there, 'päß.bin').dragTo(row(here, 'inbox'));
        await expect(() =>
          expect(readFileSync(path.join(folder, 'inbox', 'päß.bin')).equals(bytes)).toBe(true),
        ).toPass({ timeout: 30_000 });
        // Dragging removed nothing from either side.
        expect(readFileSync(path.join(folder, 'päß.bin')).equals(bytes)).toBe(true);
        expect(await keys()).toHaveLength(4);
        await leaveOnePlace(win);
      } finally {
        server.stop();
      }
    },
  );
