import { expect } from '@playwright/test';
import { cephClient } from '../../support/servers/ceph-rig.ts';
import { axeFindings } from '../support/axe.ts';
import { removeConnection } from '../support/forms.ts';
import { realServers } from '../support/real-servers.ts';
import { connect } from '../support/uploads.ts';
import { crumb, test, typeAddress } from '../support/window.ts';

for (const { name, isInstalled, start, provider } of realServers)
  test(`bucket settings that ${name} lacks or refuses are marked before they are opened (where it is installed)`, async ({
    win,
  }) => {
    test.skip(!isInstalled(), `${name} is not installed`);
    test.setTimeout(240_000);
    const server = await start();
    const bucket = `marked-${name.toLowerCase()}-${String(test.info().retry)}`;
    try {
      await cephClient(server).createBucket({ bucket });
      await connect(win, `Marked ${name}`, server, server, provider);
      await typeAddress(win, bucket);
      await expect(crumb(win)).toHaveText(bucket);
      await win.keyboard.press('Alt+b');
      const dialog = win.getByRole('dialog', { name: `Settings of “${bucket}”` });
      const section = (title: string) => dialog.getByRole('button', { name: title, exact: true });
      for (const title of ['Intelligent tiering', 'Inventory'])
        await expect(section(title)).toHaveAccessibleDescription('Not supported by this service');
      for (const title of ['Versioning', 'Tags', 'Access logging'])
        await expect(section(title)).toHaveAccessibleDescription('');
      expect(await axeFindings(win, '[role="dialog"]')).toEqual([]);

      // Swift, and Ceph before version 20, return an empty document and refuse every other.
      await section('Access logging').click();
      await dialog.getByRole('switch', { name: 'Write access logs' }).check();
      await dialog.getByLabel('Bucket for the logs').fill(bucket);
      await dialog.getByRole('button', { name: 'Review changes…' }).click();
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(dialog.getByRole('alert')).toBeVisible();
      await expect(section('Access logging')).toHaveAccessibleDescription('Not supported by this service');

      await section('Versioning').click();
      await dialog.getByRole('button', { name: 'Discard changes' }).click();
      await dialog.getByRole('radio', { name: 'Enabled' }).check();
      await dialog.getByRole('button', { name: 'Review changes…' }).click();
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(dialog.getByRole('radio', { name: 'Enabled' })).toBeChecked();
      await expect(dialog.getByRole('button', { name: 'Review changes…' })).toBeVisible();
      await win.reload();
      await expect(crumb(win)).toHaveText(bucket);
      await win.keyboard.press('Alt+b');
      await expect(section('Access logging')).toHaveAccessibleDescription('Not supported by this service');
      await section('Access logging').click();
      await expect(dialog.getByText('This service refused the last change', { exact: false })).toBeVisible();

      await win.keyboard.press('Escape');
      await removeConnection(win, `Marked ${name}`);
    } finally {
      server.stop();
    }
  });
