import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { en } from '../../../shared/messages/en/index.ts';
import { axeFindings } from '../support/axe.ts';
import { removeConnection } from '../support/forms.ts';
import { crumb, labBucket, labKeys, numbered, openConnection, sidebarRow, test } from '../support/window.ts';
import { revealInTree } from '../support/tree.ts';

const bucketNames = async (page: Page) =>
  await page.getByRole('grid', { name: 'Buckets' }).getByRole('row').allInnerTexts();

async function openNewBucket(page: Page): Promise<Locator> {
  await openConnection(page, 'Lab');
  await page.getByRole('button', { name: 'New bucket…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New bucket' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  return dialog;
}

async function openRemoval(page: Page, name: string): Promise<Locator> {
  await openConnection(page, 'Lab');
  // Filters by name, because buckets of earlier tests may push this one off the screen.
  await page.getByLabel('Filter by name').fill(name);
  const buckets = page.getByRole('grid', { name: 'Buckets' });
  await expect(buckets.getByRole('row').nth(1)).toHaveAccessibleName(new RegExp(`^${name}`));
  await buckets.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Delete');
  return page.getByRole('dialog', { name: `Delete bucket “${name}”` });
}

async function isAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page, '[role="dialog"]')).toEqual([]);
}

test('a bucket is created with its name checked while typing', async ({ win, lab }) => {
  const dialog = await openNewBucket(win);
  const name = dialog.getByLabel('Name');
  await name.fill('Photos');
  await expect(dialog.getByText('Use only lower-case letters.')).toBeVisible();
  await name.fill('ph');
  await expect(dialog.getByText('Use at least 3 characters.')).toBeHidden();
  for (const [typed, problem] of [
    ['192.168.0.1', 'The name must not look like an IP address.'],
    ['xn--photos', 'The service reserves these beginnings'],
    ['photos-s3alias', 'The service reserves these endings'],
    ['photos..new', 'Put a letter or a digit on both sides of a dot.'],
    ['photos_new', 'Use only letters from a to z, digits, hyphens and dots.'],
  ] as const) {
    await name.fill(typed);
    await expect(dialog.getByText(problem, { exact: false })).toBeVisible();
  }
  await isAccessible(win);
  await name.fill('photos-new');
  await dialog.getByRole('button', { name: 'Create bucket' }).click();
  await expect(dialog).toBeHidden();
  expect(lab.store.buckets.get('photos-new')).not.toBeNull();
  await expect(sidebarRow(win, 'photos-new')).toBeVisible();
});

test('an existing bucket name is refused with an explanation', async ({ win, lab }) => {
  lab.store.buckets.create('made-before', Date.now());
  const dialog = await openNewBucket(win);
  await dialog.getByLabel('Name').fill('made-before');
  await dialog.getByRole('button', { name: 'Create bucket' }).click();
  await expect(dialog.getByText('You already have a bucket “made-before”', { exact: false })).toBeVisible();
});

test('an empty bucket is deleted after confirmation and leaves the list', async ({ win, lab }) => {
  lab.store.buckets.create('empty-one', Date.now());
  await win.reload();
  const dialog = await openRemoval(win, 'empty-one');
  await expect(dialog.getByText('The bucket is empty.', { exact: false })).toBeVisible();
  await isAccessible(win);
  await dialog.getByRole('button', { name: 'Delete bucket' }).click();
  await expect(dialog).toBeHidden();
  expect(lab.store.buckets.get('empty-one')).toBeNull();
  await expect(sidebarRow(win, 'empty-one')).toHaveCount(0);
  expect((await bucketNames(win)).join(' ')).not.toContain('empty-one');
});

test('a bucket with content is deleted only after its numbers are shown and its name is typed', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'full-one', numbered(25));
  await win.reload();
  const dialog = await openRemoval(win, 'full-one');
  await expect(dialog.getByText('25, 200 B')).toBeVisible();
  await isAccessible(win);
  const submit = dialog.getByRole('button', { name: 'Delete everything' });
  await expect(submit).toBeDisabled();
  await dialog.getByLabel('Type the bucket’s name to confirm').fill('full-on');
  await expect(submit).toBeDisabled();
  await dialog.getByLabel('Type the bucket’s name to confirm').fill('full-one');
  await submit.click();
  await expect(dialog).toBeHidden({ timeout: 30_000 });
  expect(lab.store.buckets.get('full-one')).toBeNull();
});

test('a bucket is deleted with its content even if the dialog is closed meanwhile', async ({ win, lab }) => {
  await labBucket(lab, 'closed-early', numbered(30));
  await win.reload();
  const dialog = await openRemoval(win, 'closed-early');
  await dialog.getByLabel('Type the bucket’s name to confirm').fill('closed-early');
  lab.faults.add({ operation: 'DeleteObjects', bucket: 'closed-early', action: { kind: 'delay', ms: 1500 } });
  await dialog.getByRole('button', { name: 'Delete everything' }).click();
  await expect(dialog.getByText('ends with the bucket itself', { exact: false })).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect.poll(() => lab.store.buckets.get('closed-early'), { timeout: 20_000 }).toBeNull();
  await expect(sidebarRow(win, 'closed-early')).toHaveCount(0);
});

test('incomplete uploads are aborted with a bucket only after confirmation', async ({ win, lab }) => {
  const bucket = lab.store.buckets.create('stalled-one', Date.now());
  if (bucket === null) throw new Error('The bucket already exists.');
  await lab.store.putBytes(bucket.id, 'a.txt', Buffer.from('a'), { modifiedMs: 1e12 });
  for (const name of ['never-finished.bin', 'nor-this.bin']) {
    lab.store.createUpload(bucket.id, name, {
      initiatedMs: 1e12,
      storageClass: 'STANDARD',
      attributes: { headers: {}, metadata: {} },
      checksumAlgorithm: null,
      checksumType: null,
    });
  }
  await win.reload();
  const dialog = await openRemoval(win, 'stalled-one');
  await dialog.getByLabel('Type the bucket’s name to confirm').fill('stalled-one');
  // A service that deletes uploads with the bucket would not ask again.
  await expect(dialog.getByRole('button', { name: 'Delete everything' })).toBeDisabled();
  await dialog.getByRole('checkbox', { name: 'Also abort the incomplete uploads (2)', exact: false }).check();
  await dialog.getByRole('button', { name: 'Delete everything' }).click();
  await expect(dialog).toBeHidden({ timeout: 30_000 });
  expect(lab.store.buckets.get('stalled-one')).toBeNull();
});

test('deleting a bucket warns first if the service may delete unlisted uploads with it', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'silent-full', numbered(2));
  lab.store.buckets.create('silent-empty', Date.now());
  await win.reload();
  for (const name of ['silent-full', 'silent-empty']) {
    const rule = lab.faults.add({
      operation: 'ListMultipartUploads',
      bucket: name,
      times: Infinity,
      action: { kind: 'status', status: 403, code: 'AccessDenied' },
    });
    const dialog = await openRemoval(win, name);
    await expect(dialog.getByText(en.buckets.remove.uploadsLost)).toBeVisible();
    await win.screenshot({ path: test.info().outputPath(`${name}.png`), animations: 'disabled' });
    await isAccessible(win);
    await win.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    expect(lab.store.buckets.get(name)).not.toBeNull();
    rule.remove();
  }
});

for (const [reply, status] of [
  ['refuses', 403],
  ['does not support', 501],
] as const) {
  test(`deleting a bucket claims nothing unknown if its service ${reply} the list of versions`, async ({
    win,
    lab,
  }) => {
    const texts = en.buckets.remove;
    const hidden = `hidden-versions-${String(status)}`;
    const versioned = `kept-versions-${String(status)}`;
    const plain = `no-versions-${String(status)}`;
    for (const name of [hidden, versioned, plain]) {
      await labBucket(lab, name, ['a.txt']);
      const id = lab.store.buckets.get(name)?.id ?? -1;
      if (name !== plain) lab.store.setVersioning(id, 'Enabled');
      if (name === hidden) lab.store.deleteObject(id, 'a.txt');
      lab.faults.add({
        operation: 'ListObjectVersions',
        bucket: name,
        times: Infinity,
        action: { kind: 'status', status, code: status === 403 ? 'AccessDenied' : 'NotImplemented' },
      });
    }
    await win.reload();

    let dialog = await openRemoval(win, hidden);
    await expect(dialog.getByText(texts.noObjects)).toBeVisible();
    await expect(dialog.getByText(texts.versionsUnlisted)).toBeVisible();
    await expect(dialog.getByText(texts.empty)).toHaveCount(0);
    await isAccessible(win);
    await dialog.getByRole('button', { name: texts.submitEmpty }).click();
    await expect(dialog.getByText(texts.versionsLeft)).toBeVisible();
    expect(lab.store.buckets.get(hidden)).not.toBeNull();
    await win.keyboard.press('Escape');
    await expect(dialog).toBeHidden();

    for (const name of [versioned, plain]) {
      dialog = await openRemoval(win, name);
      await expect(dialog.getByText(texts.hasSomeContent)).toBeVisible();
      await expect(dialog.getByText(texts.objectsMayStay)).toBeVisible();
      await expect(dialog.getByText(texts.hasContent)).toHaveCount(0);
      await isAccessible(win);
      await dialog.getByLabel(texts.type).fill(name);
      await dialog.getByRole('button', { name: texts.submitObjects }).click();
      if (name === versioned) {
        await expect(dialog.getByText(texts.versionsLeft)).toBeVisible({ timeout: 30_000 });
        expect(lab.store.buckets.get(name)).not.toBeNull();
        await win.keyboard.press('Escape');
      }
      await expect(dialog).toBeHidden({ timeout: 30_000 });
    }
    expect(lab.store.buckets.get(plain)).toBeNull();
    lab.faults.clear();
  });
}

test('bucket tags on the sample service are saved, and unsupported settings are marked', async ({
  win,
  lab,
}) => {
  lab.store.buckets.create('tagged-one', Date.now());
  await win.reload();
  await openConnection(win, 'Lab');
  await sidebarRow(win, 'tagged-one').click();
  await expect(crumb(win)).toHaveText('tagged-one');
  await win.keyboard.press('Alt+b');
  const dialog = win.getByRole('dialog', { name: 'Settings of “tagged-one”' });
  await dialog.getByRole('button', { name: 'CORS', exact: true }).click();
  await expect(dialog.getByText('Not supported by this service')).toBeVisible();
  await dialog.getByRole('button', { name: 'Tags', exact: true }).click();
  await dialog.getByRole('button', { name: 'Add a tag' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name 1' })).toBeFocused();
  await win.keyboard.type('team');
  await dialog.getByRole('textbox', { name: 'Value 1' }).fill('films & photos');
  await dialog.getByRole('button', { name: 'Review changes…' }).click();
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeFocused();
  await win.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Remove configuration…' })).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Value 1' })).toHaveValue('films & photos');
});

test('connections are exported to a file without secrets and imported from it', async ({
  win,
  lab,
  cooper,
}) => {
  expect(lab.endpoint).not.toBe('');
  await win.getByRole('button', { name: 'Connection actions' }).click();
  const coming = win.waitForEvent('download');
  await win.getByRole('menuitem', { name: 'Export connections…' }).click();
  const file = path.join(cooper.dataDir, 'exported.json');
  await (await coming).saveAs(file);
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain(labKeys.secretAccessKey);
  expect(text).toContain(labKeys.accessKeyId);

  const changed = text.replace('"name": "Lab"', '"name": "Lab two"').replace(labKeys.accessKeyId, 'OTHERKEY');
  const both = JSON.stringify({
    ...(JSON.parse(text) as object),
    connections: [
      ...(JSON.parse(text) as { connections: unknown[] }).connections,
      ...(JSON.parse(changed) as { connections: unknown[] }).connections,
    ],
  });
  writeFileSync(file, both);
  await win.getByRole('button', { name: 'Connection actions' }).click();
  await win.getByRole('menuitem', { name: 'Import connections…' }).click();
  const dialog = win.getByRole('dialog', { name: 'Import connections' });
  const choosing = win.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a file' }).click();
  await (await choosing).setFiles(file);
  // Other tests of this worker may have added more connections.
  const known = dialog.getByRole('checkbox', { name: 'Lab', exact: true }).first();
  await expect(known).not.toBeChecked();
  await expect(known).toHaveAccessibleDescription(/already added/);
  await expect(dialog.getByRole('checkbox', { name: 'Lab two' })).toBeChecked();
  await isAccessible(win);
  await dialog.getByRole('button', { name: 'Import 1 connection' }).click();
  await expect(dialog).toBeHidden();
  await revealInTree(win, sidebarRow(win, 'Lab two'));

  await win.getByRole('button', { name: 'Connection actions' }).click();
  await win.getByRole('menuitem', { name: 'Import connections…' }).click();
  const again = win.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose a file' }).click();
  await (
    await again
  ).setFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') });
  await expect(
    dialog.getByText('This is not a connection file from Cooper.', { exact: false }),
  ).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await removeConnection(win, 'Lab two');
});
