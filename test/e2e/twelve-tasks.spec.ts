import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { addConnection, removeConnection, typedSecrets } from './support/forms.ts';
import { expectLabKeys } from './support/operations.ts';
import { partSize, sampleFile, stall, uploadRow } from './support/uploads.ts';
import { goTo, grid, labBucket, labKeys, numbered, openConnection, rowOf, test } from './support/window.ts';
import { revealInTree } from './support/tree.ts';

/**
 * Counts a user's actions: a key with its modifiers, a click, a double click, or a drag. Typing a text does not count, because a
 * name must be typed in any program, but moving focus into a field does, unless the window focuses it.
 */
class Hands {
  readonly #page: Page;
  #actions = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  get actions(): number {
    return this.#actions;
  }

  async press(keys: string): Promise<void> {
    this.#actions += 1;
    await this.#page.keyboard.press(keys);
  }

  async click(target: Locator, options: Parameters<Locator['click']>[0] = {}): Promise<void> {
    this.#actions += 1;
    await target.click(options);
  }

  async doubleClick(target: Locator): Promise<void> {
    this.#actions += 1;
    await target.dblclick();
  }

  async drag(from: Locator, to: Locator): Promise<void> {
    this.#actions += 1;
    await from.hover();
    await this.#page.mouse.down();
    // Moves twice, because the target gets drag events only from the second move on.
    await to.hover();
    await to.hover();
    await this.#page.mouse.up();
  }

  /** Types into a field that has the focus. */
  async type(field: Locator, text: string): Promise<void> {
    await expect(field).toBeFocused();
    await this.#page.keyboard.insertText(text);
  }
}

/**
 * Returns the file picker, opened in the samples' folder. In the desktop app it is a system dialog that opens in its last folder,
 * so choosing a file there counts as one action.
 */
async function pickerInSamples(page: Page): Promise<Locator> {
  const picker = page
    .getByRole('dialog')
    .filter({ has: page.getByRole('button', { name: 'This computer' }) });
  await picker.getByRole('button', { name: 'This computer' }).click();
  await picker.getByRole('row').filter({ hasText: 'sample-files' }).dblclick();
  return picker;
}

const menuItem = (page: Page, name: string | RegExp): Locator => page.getByRole('menuitem', { name });
const dialogOf = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });

test('a service is connected and one of its buckets opened in 7 actions', async ({ win, lab }) => {
  // A name at the start of the list, which renders only its visible buckets.
  await labBucket(lab, '0-task-connect', ['a.txt']);
  const hands = new Hands(win);
  await hands.click(win.getByRole('button', { name: 'Add a connection' }).first());
  const form = dialogOf(win, 'Add a connection');
  await hands.click(form.getByLabel('Provider').first());
  await hands.click(win.getByRole('option', { name: 'MinIO' }));
  await hands.type(form.getByLabel('Endpoint'), lab.endpoint);
  await hands.click(form.getByLabel('Access key ID'));
  await hands.type(form.getByLabel('Access key ID'), labKeys.accessKeyId);
  await hands.press('Tab');
  typedSecrets.add(labKeys.secretAccessKey);
  await hands.type(form.getByLabel('Secret access key', { exact: true }), labKeys.secretAccessKey);
  await hands.press('Enter');
  await expect(form).toBeHidden();
  const bucket = win
    .getByRole('grid', { name: 'Buckets' })
    .getByRole('row')
    .filter({ hasText: '0-task-connect' });
  await hands.click(bucket.getByText('0-task-connect'));
  await expect(rowOf(win, 'a.txt')).toBeVisible();
  expect(hands.actions).toBeLessThanOrEqual(7);
});

test('a file whose name is half known is opened in 2 actions', async ({ win, lab }) => {
  await labBucket(lab, 'task-open', ['deep/quarterly-invoice.txt', 'deep/other.txt', 'x.txt']);
  await goTo(win, 'Lab', 'task-open/deep/');
  await expect(rowOf(win, 'other.txt')).toBeVisible();
  const hands = new Hands(win);
  await hands.press('Control+p');
  await hands.type(win.getByRole('combobox', { name: /^Go to a file/u }), 'quart inv');
  await expect(win.getByRole('option', { selected: true })).toContainText('quarterly-invoice.txt');
  await hands.press('Enter');
  const look = win.getByRole('region', { name: 'Look at quarterly-invoice.txt' });
  await expect(look.getByText('deep/quarterly-invoice.txt')).toBeVisible();
  expect(hands.actions).toBeLessThanOrEqual(2);
});

test('a folder is uploaded by the menu in 3 actions', async ({ win, lab, cooper }) => {
  await labBucket(lab, 'task-upload', ['kept.txt']);
  mkdirSync(path.join(cooper.dataDir, 'sample-files', 'album'), { recursive: true });
  writeFileSync(path.join(cooper.dataDir, 'sample-files', 'album', 'one.jpg'), 'one');
  await goTo(win, 'Lab', 'task-upload');
  await expect(rowOf(win, 'kept.txt')).toBeVisible();
  const hands = new Hands(win);
  await hands.click(win.getByRole('button', { name: 'Upload', exact: true }));
  await hands.click(menuItem(win, 'Upload a folder…'));
  const picker = await pickerInSamples(win);
  await picker.getByRole('row').filter({ hasText: 'album' }).click();
  await hands.click(picker.getByRole('button', { name: 'Choose “album”' }));
  await expectLabKeys(lab, 'task-upload', ['album/one.jpg', 'kept.txt']);
  expect(hands.actions).toBeLessThanOrEqual(3);
});

test('three files are chosen and downloaded in 4 actions', async ({ win, lab }) => {
  await labBucket(lab, 'task-download', ['a.txt', 'b.txt', 'c.txt', 'd.txt']);
  await goTo(win, 'Lab', 'task-download');
  const hands = new Hands(win);
  await hands.click(rowOf(win, 'a.txt'));
  await hands.click(rowOf(win, 'c.txt'), { modifiers: ['Shift'] });
  await hands.press('Control+s');
  const picker = await pickerInSamples(win);
  await hands.click(picker.getByRole('button', { name: 'Choose “sample-files”' }));
  await expect(picker).toBeHidden();
  await expect(win.getByText(/Downloaded 3 /u).first()).toBeVisible({ timeout: 20_000 });
  expect(hands.actions).toBeLessThanOrEqual(4);
});

test('a link to an object is created in 2 actions', async ({ win, lab }) => {
  await labBucket(lab, 'task-link', ['a.txt']);
  await goTo(win, 'Lab', 'task-link');
  const hands = new Hands(win);
  await hands.click(rowOf(win, 'a.txt'), { button: 'right' });
  await hands.click(menuItem(win, 'Create a link…'));
  await expect(
    dialogOf(win, /link/iu)
      .getByText(/X-Amz-Signature=/u)
      .first(),
  ).toBeVisible();
  expect(hands.actions).toBeLessThanOrEqual(2);
});

test('the cause of a failed transfer is read without any action', async ({ win, lab }) => {
  await labBucket(lab, 'task-failure', ['a.txt']);
  await goTo(win, 'Lab', 'task-failure');
  await rowOf(win, 'a.txt').click();
  lab.faults.add({
    operation: 'CopyObject',
    bucket: 'task-failure',
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  await win.keyboard.press('F2');
  await win.getByRole('textbox', { name: 'New name of a.txt' }).fill('b.txt');
  await win.keyboard.press('Enter');
  const hands = new Hands(win);
  await expect(win.getByRole('alert').filter({ hasText: 'Access denied' }).first()).toBeVisible({
    timeout: 20_000,
  });
  expect(hands.actions).toBe(0);
  lab.faults.clear();
});

test('a stalled upload is finished from its file in 6 actions', async ({ win, lab, cooper }) => {
  const bytes = sampleFile(cooper.dataDir, 'task.img', 2 * partSize, 41);
  await stall(lab, { bucket: 'task-stalled', key: 'task.img' }, bytes, [1]);
  await goTo(win, 'Lab', 'task-stalled');
  const hands = new Hands(win);
  await hands.press('Alt+u');
  await expect(uploadRow(win, 'task.img')).toContainText('1');
  await hands.click(uploadRow(win, 'task.img'));
  await hands.click(
    win
      .getByRole('toolbar', { name: 'Actions for stalled uploads' })
      .getByRole('button', { name: /^Resume/u }),
  );
  await hands.click(win.getByRole('button', { name: 'Choose the file…' }));
  const picker = await pickerInSamples(win);
  await hands.doubleClick(picker.getByRole('row').filter({ hasText: 'task.img' }));
  const start = win.getByRole('button', { name: 'Start sending' });
  await expect(start).toBeEnabled();
  await hands.click(start);
  await expectLabKeys(lab, 'task-stalled', ['task.img']);
  expect(hands.actions).toBeLessThanOrEqual(6);
});

test('a folder is deleted in 3 actions', async ({ win, lab }) => {
  await labBucket(lab, 'task-delete', ['old/a.txt', 'old/b.txt', 'z.txt']);
  await goTo(win, 'Lab', 'task-delete');
  const hands = new Hands(win);
  await hands.click(rowOf(win, 'old'));
  await hands.press('Delete');
  await hands.click(
    dialogOf(win, 'Delete the folder old?').getByRole('button', { name: 'Delete', exact: true }),
  );
  await expectLabKeys(lab, 'task-delete', ['z.txt']);
  expect(hands.actions).toBeLessThanOrEqual(3);
});

test('a deleted object is restored in 2 actions', async ({ win, lab }) => {
  await labBucket(lab, 'task-restore', ['kept.txt']);
  const bucket = lab.store.buckets.get('task-restore')?.id ?? -1;
  lab.store.setVersioning(bucket, 'Enabled');
  for (const name of ['lost.txt', 'other.txt']) {
    await lab.store.putBytes(bucket, name, Buffer.from(name), { modifiedMs: 1e12 });
    lab.store.deleteObject(bucket, name);
  }
  await goTo(win, 'Lab', 'task-restore');
  await expect(rowOf(win, 'kept.txt')).toBeVisible();
  const hands = new Hands(win);
  await hands.press('Alt+z');
  const dialog = dialogOf(win, /Deleted objects in/u);
  await hands.type(dialog.getByRole('textbox', { name: 'Find a deleted object' }), 'lost');
  await expect(dialog.getByRole('row').filter({ has: win.getByRole('gridcell') })).toHaveCount(1);
  await hands.press('Enter');
  await expectLabKeys(lab, 'task-restore', ['kept.txt', 'lost.txt']);
  expect(hands.actions).toBeLessThanOrEqual(2);
});

test('the sizes of folders are compared in 1 action', async ({ win, lab }) => {
  await labBucket(lab, 'task-sizes', ['a/one.txt', 'b/a-much-longer-name.txt']);
  await goTo(win, 'Lab', 'task-sizes');
  await expect(rowOf(win, 'a')).toBeVisible();
  const hands = new Hands(win);
  await hands.press('Alt+s');
  await expect(rowOf(win, 'a')).toContainText('9 bytes');
  await expect(rowOf(win, 'b')).toContainText('24 bytes');
  expect(hands.actions).toBeLessThanOrEqual(1);
});

test('the content type of 100 objects is changed in 3 actions', async ({ win, lab }) => {
  await labBucket(lab, 'task-type', numbered(100));
  await goTo(win, 'Lab', 'task-type');
  await expect(grid(win)).toBeFocused();
  const hands = new Hands(win);
  await hands.press('Control+a');
  await hands.press('Alt+Enter');
  const dialog = dialogOf(win, /Properties of 100/u);
  await hands.type(dialog.getByRole('textbox', { name: 'Content type' }), 'text/x-task');
  await hands.press('Enter');
  const id = lab.store.buckets.get('task-type')?.id ?? -1;
  await expect
    .poll(() => lab.store.object(id, '0099.txt')?.attributes.headers['content-type'], { timeout: 30_000 })
    .toBe('text/x-task');
  expect(hands.actions).toBeLessThanOrEqual(3);
});

test('a folder goes to another account in 3 actions', async ({ win, lab }) => {
  await labBucket(lab, 'task-from', ['trip/a.jpg', 'trip/b.jpg']);
  await labBucket(lab, 'task-to', ['kept.txt']);
  await addConnection(win, { name: 'Second account', endpoint: lab.endpoint, keys: labKeys });
  const target = win.getByRole('treeitem', { name: /^task-to/u }).last();
  await goTo(win, 'Lab', 'task-from');
  await revealInTree(win, target);
  const hands = new Hands(win);
  await hands.drag(rowOf(win, 'trip'), target);
  // A copy asks for no confirmation.
  await expectLabKeys(lab, 'task-to', ['kept.txt', 'trip/a.jpg', 'trip/b.jpg']);
  expect(hands.actions).toBeLessThanOrEqual(3);
  await openConnection(win, 'Lab');
  await removeConnection(win, 'Second account');
});
