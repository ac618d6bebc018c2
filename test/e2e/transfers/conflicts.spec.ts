import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { startService } from '../../support/lab-service/server.ts';
import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper } from '../../support/window/start-cooper.ts';
import { openInPicker } from '../support/forms.ts';
import { connect, jobRow, openWindow, seconds } from '../support/uploads.ts';
import { labBucket, rowOf, typeAddress, test } from '../support/window.ts';

const keys = { accessKeyId: 'CONFLICTKEY', secretAccessKey: 'conflicts-of-the-lab' };

test('one decision resolves all conflicts of a download, whose both sides are shown until then', async ({
  page,
}) => {
  const home = removedAtExit('cooper-conflicts-');
  const service = await startService({
    dataDir: path.join(home, 'service'),
    credentials: [keys],
    region: 'us-east-1',
  });
  const cooper = await startCooper({ dataDir: path.join(home, 'data'), env: { HOME: home } });
  try {
    // Each object holds its own key as content, so that all sizes differ.
    const names = ['1.txt', '20.txt', '300.txt', '4000.txt', 'new.txt'];
    await labBucket(
      service,
      'album',
      names.map((name) => `trip/${name}`),
    );
    const target = path.join(home, 'target', 'trip');
    mkdirSync(target, { recursive: true });
    for (const [at, name] of names.slice(0, 4).entries())
      writeFileSync(path.join(target, name), 'x'.repeat(100 * (at + 1)));

    await openWindow(page, cooper);
    await connect(page, 'Conflicts', service, keys);
    await typeAddress(page, 'album');
    await rowOf(page, 'trip').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Download…' }).click();
    await (await openInPicker(page, home, 'target')).click();
    const row = jobRow(page, 'trip');
    const dialog = page.getByRole('dialog', { name: 'Items already exist' });
    // The question opens without a click, so keys that the user is typing must not answer it.
    await expect(dialog.getByRole('button', { name: 'Keep both' })).toBeVisible(seconds(20));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await expect(dialog).toContainText('4 items with these names already exist');
    // Files without a conflict are already there, and existing files are untouched.
    expect(readFileSync(path.join(target, 'new.txt'), 'utf8')).toBe('trip/new.txt');
    expect(readFileSync(path.join(target, '1.txt'), 'utf8')).toBe('x'.repeat(100));

    // A postponed question can be opened with one click, also after a reload.
    await dialog.getByRole('button', { name: 'Decide later' }).click();
    await page.reload();
    await row.getByRole('button', { name: 'Decide…' }).click(seconds(20));
    const there = dialog.getByRole('region', { name: 'Existing' });
    const coming = dialog.getByRole('region', { name: 'New' });
    await expect(dialog).toContainText('4 items with these names already exist');
    await expect(coming).toContainText('10 bytes');
    await expect(there).toContainText('100 bytes');
    await expect(there).toContainText('(newer)');
    await dialog.getByRole('button', { name: 'Skip' }).click();

    // The decision was for one item; the next question shows the two sides of the next item.
    await expect(dialog).toContainText('3 items with these names already exist');
    await expect(coming).toContainText('11 bytes');
    await expect(there).toContainText('200 bytes');
    await dialog.getByLabel('Do the same for all existing items').check();
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(row).toContainText('Done.', seconds(20));
    expect(readdirSync(target).toSorted()).toEqual(names);
    expect(names.map((name) => readFileSync(path.join(target, name), 'utf8'))).toEqual([
      'x'.repeat(100),
      ...names.slice(1).map((name) => `trip/${name}`),
    ]);
  } finally {
    await cooper.end();
    await service.close();
  }
});
