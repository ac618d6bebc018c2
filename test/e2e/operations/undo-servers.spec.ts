import { expect } from '@playwright/test';
import type { RealServer } from '../../support/servers/real-server.ts';
import { dialogOf, makeBucket, pressInList, renameInList, selectRows } from '../support/operations.ts';
import { realServers } from '../support/real-servers.ts';
import { connect } from '../support/uploads.ts';
import { grid, rowOf, test } from '../support/window.ts';

for (const { name, isInstalled, start, provider } of realServers)
  test(`new folders, renames and moves are undone on ${name}, and operations without undo are announced as final (if installed)`, async ({
    win,
  }) => {
    test.skip(!isInstalled(), `${name} is not installed`);
    test.setTimeout(240_000);
    const server: RealServer = await start();
    const bucket = `undo-${name.toLowerCase()}-${String(test.info().retry)}`;
    try {
      await connect(win, name, server, server, provider);
      await makeBucket(win, bucket);
      await expect(win.getByText('This bucket is empty')).toBeVisible();
      for (const folder of ['one', 'two', 'mistaken']) {
        await win.keyboard.press('Alt+Shift+n');
        await dialogOf(win, 'New folder').getByRole('textbox').fill(folder);
        await win.keyboard.press('Enter');
        await expect(rowOf(win, folder)).toBeVisible();
      }
      await pressInList(win, 'Control+z');
      await expect(rowOf(win, 'mistaken')).toHaveCount(0, { timeout: 30_000 });

      await selectRows(win, 'one');
      await renameInList(win, 'one', 'three');
      await dialogOf(win, 'Rename one').getByRole('button', { name: 'Rename' }).click();
      await expect(rowOf(win, 'three')).toBeVisible({ timeout: 30_000 });
      await expect(rowOf(win, 'one')).toHaveCount(0);
      await pressInList(win, 'Control+z');
      await expect(rowOf(win, 'one')).toBeVisible({ timeout: 30_000 });
      await expect(rowOf(win, 'three')).toHaveCount(0);

      await rowOf(win, 'one').dragTo(rowOf(win, 'two'));
      await dialogOf(win, /^Move/).getByRole('button', { name: 'Move', exact: true }).click();
      await expect(rowOf(win, 'one')).toHaveCount(0, { timeout: 30_000 });
      await pressInList(win, 'Control+z');
      await expect(rowOf(win, 'one')).toBeVisible({ timeout: 30_000 });

      await selectRows(win, 'one');
      await pressInList(win, 'Delete');
      const question = dialogOf(win, /^Delete/);
      await expect(question).toContainText('Versions are not kept here, so this cannot be undone.');
      await win.keyboard.press('Escape');
      await expect(grid(win)).toBeFocused();
    } finally {
      server.stop();
    }
  });
