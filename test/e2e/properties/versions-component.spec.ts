import { expect, type Locator, type Page } from '@playwright/test';
import { failure } from '../../../shared/errors.ts';
import type { VersionEntry, VersionRef } from '../../../shared/models/versions.ts';
import type { FakeResponses } from '../../support/window/fake-core.ts';
import { connection, test, type OpenWindow } from '../support/fake-window.ts';
import { chooseMore, typeAddress } from '../support/window.ts';

const place = { connectionId: connection.id, bucket: 'diary' };
const day = (date: number): string => `2026-01-0${String(date)}T10:00:00.000Z`;

const entryOf = (changes: Partial<VersionEntry>): VersionEntry => ({
  key: 'monday.txt',
  versionId: 'v1',
  isLatest: false,
  isDeleteMarker: false,
  sizeBytes: 10,
  lastModified: day(1),
  etag: null,
  storageClass: null,
  ...changes,
});

const latest = entryOf({ versionId: 'v2', isLatest: true, sizeBytes: 17, lastModified: day(2) });
const older = entryOf({});
const marker: VersionEntry = {
  ...entryOf({ key: 'tuesday.txt', versionId: 'm2', isLatest: true, isDeleteMarker: true }),
  sizeBytes: null,
};
const hidden = entryOf({ key: 'tuesday.txt', versionId: 't1' });

const noForeign = { unreadable: [], foreign: { count: 0, example: null } };

/** A versioned bucket. The versions stay in the given list, which the calls of a test change. */
function diary(versions: VersionEntry[], calls: FakeResponses['versions'] = {}): FakeResponses {
  return {
    objects: {
      list: () => ({
        commonPrefixes: [],
        objects: [{ key: 'monday.txt', sizeBytes: 17, lastModified: day(2), etag: null, storageClass: null }],
        nextPageToken: null,
        hasPlaceholder: false,
        ...noForeign,
      }),
    },
    versions: {
      status: () => ({ versioning: 'enabled' }),
      list: () => ({ commonPrefixes: [], versions: [...versions], nextPageToken: null, ...noForeign }),
      ...calls,
    },
  };
}

const rows = (page: Page): Locator =>
  page
    .getByRole('grid', { name: 'Versions in diary' })
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
const actions = (page: Page): Locator => page.getByRole('group', { name: 'Actions for this version' });
const refOf = ({ key, versionId }: VersionEntry): VersionRef => ({ ...place, key, versionId });

async function openVersions(open: OpenWindow, responses: FakeResponses): Promise<Page> {
  const page = await open(responses);
  await typeAddress(page, 'diary/');
  await expect(page.getByRole('grid', { name: /^Contents of/ })).toBeVisible();
  await chooseMore(page, 'Show versions');
  await expect(rows(page).first()).toBeVisible();
  return page;
}

test('the list of versions names each state, and offers only actions that fit the chosen version', async ({
  open,
}) => {
  const page = await openVersions(open, diary([latest, older, marker, hidden]));
  await expect(rows(page)).toContainText(['Latest', 'Older', 'Deleted', 'Older']);
  await expect(actions(page).getByRole('button')).toHaveCount(0);
  const offered = actions(page).getByRole('button');
  await rows(page).nth(0).click();
  await expect(offered).toHaveText(['Preview', 'Download…', 'Create a link…', 'Delete this version…']);
  await page.keyboard.press('ArrowDown');
  await expect(offered).toHaveText([
    'Preview',
    'Download…',
    'Create a link…',
    'Restore',
    'Delete this version…',
  ]);
  await page.keyboard.press('ArrowDown');
  await expect(offered).toHaveText(['Undelete']);
});

test('restoring an older version sends its id and reports the transfer that copies it', async ({
  open,
  core,
}) => {
  const page = await openVersions(open, diary([latest, older], { restore: () => ({ how: 'begun' }) }));
  await rows(page).nth(1).click();
  await actions(page).getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Restoring started' })).toBeVisible();
  expect(core.inputsOf('versions.restore')).toEqual([refOf(older)]);
  // The list is read again when the transfer has ended.
  expect(core.inputsOf('versions.list')).toHaveLength(1);
});

test('undeleting removes the latest marker and reads the list again', async ({ open, core }) => {
  const versions = [marker, hidden];
  const page = await openVersions(
    open,
    diary(versions, {
      restore: () => {
        versions.splice(0, 2, { ...hidden, isLatest: true });
        return { how: 'marker-deleted' };
      },
    }),
  );
  await rows(page).nth(0).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Undelete' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Latest');
  expect(core.inputsOf('versions.restore')).toEqual([refOf(marker)]);
});

test('a version is deleted only after a confirmation that starts on Keep', async ({ open, core }) => {
  const versions = [latest, older];
  const page = await openVersions(
    open,
    diary(versions, {
      remove: () => {
        versions.splice(0, 2, { ...older, isLatest: true });
      },
    }),
  );
  await rows(page).nth(0).click();
  const remove = actions(page).getByRole('button', { name: 'Delete this version…' });
  await remove.click();
  const dialog = page.getByRole('dialog', { name: 'Delete this version permanently?' });
  await expect(dialog).toContainText('It is the latest version.');
  await expect(dialog.getByRole('button', { name: 'Keep' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  expect(core.inputsOf('versions.remove')).toEqual([]);

  await remove.click();
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(dialog).toBeHidden();
  await expect(rows(page)).toHaveCount(1);
  expect(core.inputsOf('versions.remove')).toEqual([refOf(latest)]);
});

test('a refused deletion of a version names the missing permission, and the version stays', async ({
  open,
  core,
}) => {
  const page = await openVersions(
    open,
    diary([latest, older], {
      remove: () => {
        throw failure('access-denied', 'Deleting the version is denied.');
      },
    }),
  );
  await rows(page).nth(1).click();
  await actions(page).getByRole('button', { name: 'Delete this version…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this version permanently?' });
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(dialog).toContainText('s3:DeleteObjectVersion');
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await expect(rows(page)).toHaveCount(2);
  expect(core.inputsOf('versions.remove')).toEqual([refOf(older)]);
});
