import { expect } from '@playwright/test';
import type { RealServer } from '../../support/servers/real-server.ts';
import { makeBucket } from '../support/operations.ts';
import { leaveOnePlace, list, pane, pathOf, row } from '../support/panes.ts';
import { realServers } from '../support/real-servers.ts';
import { connect } from '../support/uploads.ts';
import { labBucket, openConnection, test, typeAddress } from '../support/window.ts';

for (const { name, isInstalled, start, provider } of realServers)
  test(`two panes copy and move to ${name} and back (if installed)`, async ({ win, lab }) => {
    test.skip(!isInstalled(), `${name} is not installed`);
    test.setTimeout(240_000);
    const server: RealServer = await start();
    const bucket = `panes-${name.toLowerCase()}-${String(test.info().retry)}`;
    try {
      await labBucket(lab, bucket, ['plain.txt', 'päß.txt', 'deep/inside.txt']);
      await connect(win, name, server, server, provider);
      await makeBucket(win, bucket);
      await win.keyboard.press('Control+Backslash');
      const [there, here] = [pane(win, 'Left'), pane(win, 'Right')];
      await expect(pathOf(here)).toHaveText(bucket);
      await openConnection(win, 'Lab', pathOf(here));
      await typeAddress(win, bucket);
      await expect(list(here)).toBeVisible();
      await row(here, 'plain.txt').click();
      await row(here, 'päß.txt').click({ modifiers: ['Control'] });
      await win.keyboard.press('Alt+c');
      await expect(row(there, 'plain.txt')).toBeVisible({ timeout: 30_000 });
      await expect(row(there, 'päß.txt')).toBeVisible({ timeout: 30_000 });
      await row(here, 'deep').dragTo(row(there, 'plain.txt'));
      await expect(row(there, 'deep')).toBeVisible({ timeout: 30_000 });

      await row(here, 'plain.txt').click();
      await win.keyboard.press('Delete');
      await win.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await expect(row(here, 'plain.txt')).toBeHidden({ timeout: 30_000 });
      await row(there, 'plain.txt').click();
      await win.keyboard.press('Alt+m');
      await win
        .getByRole('dialog', { name: /^Move/ })
        .getByRole('button', { name: 'Move', exact: true })
        .click();
      await expect(row(here, 'plain.txt')).toBeVisible({ timeout: 30_000 });
      await expect(row(there, 'plain.txt')).toBeHidden({ timeout: 30_000 });
      await leaveOnePlace(win);
    } finally {
      server.stop();
    }
  });
