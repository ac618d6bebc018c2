import { expect, type Locator, type Page } from '@playwright/test';
import { failure } from '../../../shared/errors.ts';
import type { BucketForm } from '../../../shared/models/bucket-forms.ts';
import type { SettingsDocument } from '../../../shared/models/bucket-settings.ts';
import type { BucketItem } from '../../../shared/models/objects.ts';
import type { AppEvent } from '../../../shared/models/settings.ts';
import { Feed, type FakeResponses } from '../../support/window/fake-core.ts';
import { jobOf } from '../../unit/renderer/transfers/queue/fixtures.ts';
import { calmCore, connection, test } from '../support/fake-window.ts';

const place = { connectionId: connection.id, bucket: 'beacons' };

const bucketNamed = (name: string, createdAt: string): BucketItem => ({
  name,
  createdAt,
  region: null,
  source: 'listed',
  startPrefix: '',
});

/** A core with two buckets. A test removes one from the set, as a service does. */
function withBuckets(): { readonly names: Set<string>; readonly answers: FakeResponses } {
  const created = { anchors: '2025-03-01T00:00:00.000Z', beacons: '2024-03-01T00:00:00.000Z' };
  const names = new Set(['anchors', 'beacons'] as const);
  return {
    names,
    answers: {
      buckets: {
        list: () => ({ buckets: [...names].map((name) => bucketNamed(name, created[name])), error: null }),
      },
    },
  };
}

const table = (page: Page): Locator => page.getByRole('grid', { name: 'Buckets' });
const rows = (page: Page): Locator =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

/** Opens the menu of a bucket's row and chooses an entry. */
async function choose(page: Page, bucket: string, entry: string): Promise<void> {
  await table(page)
    .getByRole('button', { name: `Actions for ${bucket}` })
    .click();
  await page.getByRole('menuitem', { name: entry }).click();
}

const contents = { hasObjects: false, olderVersions: 'none', uploads: { count: 0, more: false } } as const;

test('the bucket list sorts by a heading, filters by name, and opens a bucket with one click', async ({
  open,
  core,
}) => {
  const page = await open(withBuckets().answers, {
    objects: {
      list: () => ({
        commonPrefixes: [],
        objects: [{ key: 'chain.txt', sizeBytes: 5, lastModified: null, etag: null, storageClass: null }],
        nextPageToken: null,
        hasPlaceholder: false,
        unreadable: [],
        foreign: { count: 0, example: null },
      }),
    },
    versions: { status: () => ({ versioning: 'off' }) },
  });
  await expect(rows(page)).toContainText(['anchors', 'beacons']);
  const created = table(page).getByRole('columnheader', { name: 'Created' });
  await expect(created).toHaveAttribute('aria-sort', 'none');
  await created.getByRole('button').first().click();
  await expect(created).toHaveAttribute('aria-sort', 'descending');
  await created.getByRole('button').first().click();
  await expect(created).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows(page)).toContainText(['beacons', 'anchors']);
  await page.getByLabel('Filter by name').fill('anch');
  await expect(rows(page)).toHaveCount(1);
  await rows(page).click();
  await expect(page.getByRole('grid', { name: /^Contents of/ })).toBeVisible();
  expect(core.inputsOf('objects.list')).toContainEqual(
    expect.objectContaining({ connectionId: 'c1', bucket: 'anchors', prefix: '' }),
  );
});

test('an empty bucket is deleted only after "Delete bucket", and then leaves the list', async ({
  open,
  core,
}) => {
  const { names, answers } = withBuckets();
  const events = new Feed<AppEvent>();
  const page = await open(answers, {
    app: { watch: () => events.stream() },
    bucketSettings: {
      contents: () => contents,
      remove: ({ bucket }) => {
        names.delete(bucket);
        events.push({ kind: 'buckets-changed', connectionId: connection.id });
      },
    },
  });
  await choose(page, 'beacons', 'Delete bucket…');
  const dialog = page.getByRole('dialog', { name: 'Delete bucket “beacons”' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  expect(core.inputsOf('bucketSettings.remove')).toEqual([]);

  await choose(page, 'beacons', 'Delete bucket…');
  await dialog.getByRole('button', { name: 'Delete bucket' }).click();
  await expect(dialog).toBeHidden();
  await expect(rows(page)).toContainText(['anchors']);
  expect(core.inputsOf('bucketSettings.remove')).toEqual([place]);
});

test('a refused deletion says why the bucket stays, and offers to check it again', async ({ open, core }) => {
  const page = await open(withBuckets().answers, {
    bucketSettings: {
      contents: () => contents,
      remove: () => {
        throw failure('conflict', 'The bucket is not empty.', { reason: 'bucket-not-empty' });
      },
    },
  });
  await choose(page, 'beacons', 'Delete bucket…');
  const dialog = page.getByRole('dialog', { name: 'Delete bucket “beacons”' });
  await dialog.getByRole('button', { name: 'Delete bucket' }).click();
  await expect(dialog).toContainText('Something is still in the bucket.');
  await dialog.getByRole('button', { name: 'Check again' }).click();
  await expect(dialog.getByRole('button', { name: 'Delete bucket' })).toBeVisible();
  expect(core.inputsOf('bucketSettings.contents')).toHaveLength(2);
});

test('a full bucket needs its name and the consent to abort its uploads before anything is sent', async ({
  open,
  core,
}) => {
  const uploads = [{ key: 'fog.wav', uploadId: 'u1' }];
  const page = await open(withBuckets().answers, {
    bucketSettings: {
      contents: () => ({ hasObjects: true, olderVersions: 'some', uploads: { count: 1, more: false } }),
      uploads: () => ({ uploads, more: false }),
    },
    walks: {
      start: () => {
        throw failure('access-denied', 'Listing is denied.');
      },
    },
    stalled: { abort: () => ({ jobIds: ['abort'], refused: [] }) },
    operations: { delete: () => ({ jobId: 'delete' }) },
    jobs: { get: ({ jobId }) => jobOf({ id: jobId, state: 'done' }) },
  });
  await choose(page, 'beacons', 'Delete bucket…');
  const dialog = page.getByRole('dialog', { name: 'Delete bucket “beacons”' });
  const submit = dialog.getByRole('button', { name: 'Delete everything' });
  const name = dialog.getByLabel('Type the bucket’s name to confirm');
  await name.fill('beacons');
  await expect(submit).toBeDisabled();
  await dialog.getByRole('checkbox').check();
  await name.fill('beacon');
  await expect(submit).toBeDisabled();
  await name.press('Enter');
  await expect(submit).toBeDisabled();
  expect(core.inputsOf('stalled.abort')).toEqual([]);
  await name.fill('beacons');
  await submit.click();
  await expect(dialog).toBeHidden();
  expect(core.inputsOf('stalled.abort')).toEqual([{ refs: [{ ...place, ...uploads[0] }] }]);
  expect(core.inputsOf('operations.delete')).toEqual([
    { ...place, items: [{ kind: 'prefix', prefix: '' }], versions: 'all-versions', withBucket: true },
  ]);
});

test('uploads that could not be aborted keep the bucket and its content', async ({ open, core }) => {
  const ref = { ...place, key: 'fog.wav', uploadId: 'u1' };
  const { error } = failure('access-denied', 'Aborting is denied.');
  const page = await open(withBuckets().answers, {
    bucketSettings: {
      contents: () => ({ hasObjects: false, olderVersions: 'none', uploads: { count: 1, more: false } }),
      uploads: () => ({ uploads: [{ key: ref.key, uploadId: ref.uploadId }], more: false }),
    },
    stalled: { abort: () => ({ jobIds: [], refused: [{ ref, error }] }) },
  });
  await choose(page, 'beacons', 'Delete bucket…');
  const dialog = page.getByRole('dialog', { name: 'Delete bucket “beacons”' });
  await dialog.getByRole('checkbox').check();
  await dialog.getByLabel('Type the bucket’s name to confirm').fill('beacons');
  await dialog.getByRole('button', { name: 'Delete everything' }).click();
  await expect(dialog).toContainText('Cooper could not abort 1 incomplete upload.');
  expect(core.inputsOf('operations.delete')).toEqual([]);
  expect(core.inputsOf('bucketSettings.remove')).toEqual([]);
});

const versioning = (status: 'off' | 'enabled' | 'suspended', fingerprint: string): SettingsDocument => ({
  section: 'versioning',
  state: 'present',
  text: `<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>`,
  fingerprint,
  form: { section: 'versioning', status, mfaDelete: false },
  publicness: null,
  error: null,
});

const textOf = (form: BucketForm): string =>
  `<VersioningConfiguration><Status>${form.section === 'versioning' ? form.status : ''}</Status></VersioningConfiguration>`;

test('a bucket setting is sent only after its review, and a change by others is not overwritten unasked', async ({
  open,
  core,
}) => {
  const theirs = versioning('suspended', 'second');
  const mine = versioning('enabled', 'third');
  const page = await open(withBuckets().answers, {
    bucketSettings: {
      read: () => versioning('off', 'first'),
      compose: ({ form }) => ({ text: textOf(form) }),
      check: () => ({ problems: [] }),
      save: ({ expected }) =>
        expected === 'first'
          ? { kind: 'changed', document: theirs, differences: [], before: null }
          : { kind: 'saved', document: mine, differences: [], before: theirs.text },
    },
  });
  await choose(page, 'beacons', 'Bucket settings…');
  const dialog = page.getByRole('dialog', { name: /beacons/ });
  const review = dialog.getByRole('button', { name: 'Review changes…' });
  await expect(review).toBeDisabled();
  await expect(dialog.getByRole('radio', { name: 'Suspended' })).toBeDisabled();
  await dialog.getByRole('radio', { name: 'Enabled' }).check();
  await review.click();
  await expect(dialog).toContainText('Versioning will be turned on.');
  expect(core.inputsOf('bucketSettings.save')).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('Someone else has changed it');
  const sent = { ...place, section: 'versioning', text: mine.text };
  expect(core.inputsOf('bucketSettings.save')).toEqual([{ ...sent, expected: 'first' }]);
  await dialog.getByRole('button', { name: 'Save mine anyway' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Saved' })).toBeVisible();
  expect(core.inputsOf('bucketSettings.save').at(-1)).toEqual({ ...sent, expected: 'second' });
});

test('a bucket setting with an error is not offered for saving', async ({ open, core }) => {
  const page = await open(withBuckets().answers, {
    bucketSettings: {
      read: () => versioning('off', 'first'),
      compose: ({ form }) => ({ text: textOf(form) }),
      check: () => ({
        problems: [{ line: 1, column: 1, code: 'wrong-value', detail: 'Status', severity: 'error' }],
      }),
    },
  });
  await choose(page, 'beacons', 'Bucket settings…');
  const dialog = page.getByRole('dialog', { name: /beacons/ });
  await dialog.getByRole('radio', { name: 'Enabled' }).check();
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await expect(dialog).toContainText('Status');
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Discard changes' }).click();
  await expect(dialog.getByRole('radio', { name: 'Off' })).toBeChecked();
  expect(core.inputsOf('bucketSettings.save')).toEqual([]);
});

const lackedSections: ReadonlySet<string> = new Set(['cors', 'website', 'encryption']);
/** Returns the setting as a service without some of them does. */
const readLacking = ({ section }: Pick<SettingsDocument, 'section'>): SettingsDocument => ({
  ...versioning('off', 'first'),
  section,
  state: lackedSections.has(section) ? 'unsupported' : 'present',
});
const never = (): Promise<never> => new Promise(() => undefined);

test('settings found to be unsupported stay marked if the page reloads before the core confirms storing them', async ({
  open,
  core,
}) => {
  const page = await open(withBuckets().answers, {
    bucketSettings: { read: readLacking },
    view: { set: never },
  });
  const marks = `unsupported-settings:${connection.id}`;
  await choose(page, 'beacons', 'Bucket settings…');
  const dialog = page.getByRole('dialog', { name: /beacons/ });
  const expectMarks = async (): Promise<void> => {
    for (const section of ['CORS', 'Website', 'Default encryption'])
      await expect(dialog.getByRole('button', { name: section, exact: true })).toHaveAccessibleDescription(
        'Not supported by this service',
      );
  };
  await expectMarks();
  const sent = (): readonly unknown[] =>
    core.inputsOf('view.set').filter((input) => JSON.stringify(input).includes(marks));
  await expect.poll(sent).not.toEqual([]);
  // The next page learns nothing from the service, and finds no stored marks.
  core.answerWith(
    { bucketSettings: { read: never }, view: { get: () => null, set: never } },
    withBuckets().answers,
    calmCore(),
  );
  await page.reload();
  await choose(page, 'beacons', 'Bucket settings…');
  await expectMarks();
});

const entryOf = (kind: 'file' | 'folder', name: string) => ({
  handle: `handle of ${name}`,
  name,
  kind,
  sizeBytes: kind === 'file' ? 5 : null,
  modifiedAt: null,
});

test('files to upload are found in the picker by typed letters, and Backspace leaves a folder', async ({
  open,
}) => {
  const page = await open(withBuckets().answers, {
    files: {
      roots: () => [{ ...entryOf('folder', 'Home'), role: 'home' }],
      list: () => ({
        trail: [{ handle: 'handle of Home', name: 'Home' }],
        entries: ['bell.wav', 'boat.wav', 'crane.mov'].map((name) => entryOf('file', name)),
        total: 3,
        leftOut: 0,
      }),
    },
  });
  await choose(page, 'beacons', 'Upload files…');
  const picker = page.getByRole('dialog');
  const list = picker.getByRole('grid', { name: 'Files and folders' });
  const marked = list.locator('[role="row"][data-active="true"]');
  await list.focus();
  await page.keyboard.press('h');
  await expect(marked).toContainText('Home');
  await page.keyboard.press('Enter');
  await expect(list).toContainText('bell.wav');
  await page.keyboard.press('b');
  await expect(marked).toContainText('bell.wav');
  await page.keyboard.press('o');
  await expect(marked).toContainText('boat.wav');
  await page.keyboard.press('Backspace');
  await expect(list).toContainText('Home');
});
