import { expect, type Locator, type Page } from '@playwright/test';
import { failure } from '../../../shared/errors.ts';
import type { CompletionCheck, UploadRef, UploadRow } from '../../../shared/models/stalled.ts';
import type { FakeResponses } from '../../support/window/fake-core.ts';
import { checkOf, mib, partsOf } from '../../unit/renderer/stalled/fixtures.ts';
import { connection, test, type OpenWindow } from '../support/fake-window.ts';
import { toolbar, uploadRow, uploadsGrid } from '../support/uploads.ts';

const names = ['bell.wav', 'crane.mov', 'dock.tar'];

const refOf = (key: string): UploadRef => ({
  connectionId: connection.id,
  bucket: 'quay',
  key,
  uploadId: `upload of ${key}`,
});

const rowOf = (key: string, id: number): UploadRow => ({
  id,
  bucket: 'quay',
  key,
  uploadId: `upload of ${key}`,
  initiatedAt: '2026-01-01T10:00:00.000Z',
  initiator: null,
  storageClass: 'STANDARD',
  verdict: 'no-gaps',
  parts: partsOf({ storedBytes: 10 * mib }),
  error: null,
});

/** A connection with three stalled uploads, which the service no longer lists once they are removed from `keys`. */
function quay(keys: string[], calls: FakeResponses['stalled'] = {}): FakeResponses {
  const group = { name: '', uploads: 3, storedBytes: 30 * mib, unread: 0, oldestAt: null, stored: [] };
  let scans = 0;
  return {
    stalled: {
      scan: async function* () {
        scans += 1;
        yield {
          scanId: `scan ${String(scans)}`,
          found: keys.length,
          bucketsDone: 1,
          bucketsTotal: 1,
          errors: [],
          unreadable: [],
          foreign: { count: 0, example: null },
          finished: true,
        };
      },
      rows: ({ sort, offset, limit }) => ({
        rows: (sort.descending ? keys.toReversed() : keys).map(rowOf).slice(offset, offset + limit),
        total: keys.length,
        unread: 0,
        found: keys.length,
        totals: { storedBytes: keys.length * 10 * mib, unread: 0, oldestAt: null },
      }),
      select: () => ({
        refs: keys.map(refOf),
        total: keys.length,
        storedBytes: keys.length * 10 * mib,
        unread: 0,
      }),
      has: ({ refs }) => refs.map(({ key }) => keys.includes(key)),
      summary: () => ({ all: group, byBucket: [], byInitiator: [], byAge: [] }),
      inspect: () => [],
      count: () => ({ count: keys.length, isComplete: true }),
      ...calls,
    },
  };
}

const rows = (page: Page): Locator =>
  uploadsGrid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
const selectedRows = (page: Page): Locator => uploadsGrid(page).locator('[role="row"][aria-selected="true"]');

async function openUploads(open: OpenWindow, ...responses: readonly FakeResponses[]): Promise<Page> {
  const page = await open(...responses);
  await page.keyboard.press('Alt+u');
  await expect(rows(page)).toHaveCount(3);
  return page;
}

test('stalled uploads are selected by click, box, key and "Select all", and the actions follow the selection', async ({
  open,
}) => {
  const page = await openUploads(open, quay([...names]));
  const action = (name: string): Locator => toolbar(page).getByRole('button', { name });
  await expect(action('Abort…')).toBeDisabled();
  await uploadRow(page, 'bell.wav').click();
  await expect(selectedRows(page)).toContainText(['bell.wav']);
  await expect(action('Open')).toBeEnabled();
  await expect(action('Resume from a file…')).toBeEnabled();
  // The box of a row adds the row, and a click beside it selects the row alone.
  await uploadRow(page, 'dock.tar').locator('[data-toggle]').click();
  await expect(selectedRows(page)).toHaveCount(2);
  await expect(action('Open')).toBeDisabled();
  await expect(action('Resume from a folder…')).toBeEnabled();
  await page.keyboard.press('Space');
  await expect(selectedRows(page)).toContainText(['bell.wav']);
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(selectedRows(page)).toHaveCount(2);
  await page.keyboard.press('Control+a');
  await expect(selectedRows(page)).toHaveCount(3);
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(selectedRows(page)).toHaveCount(0);
  await expect(action('Abort…')).toBeDisabled();
});

test('a heading sorts all stalled uploads in the core', async ({ open, core }) => {
  const page = await openUploads(open, quay([...names]));
  await expect(rows(page).first()).toContainText('dock.tar');
  const key = uploadsGrid(page).getByRole('columnheader', { name: 'Key' });
  await key.getByRole('button').first().click();
  await expect(key).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows(page).first()).toContainText('bell.wav');
  expect(core.inputsOf('stalled.rows').at(-1)).toMatchObject({ sort: { by: 'key', descending: false } });
});

test('an upload is aborted only after its box is ticked, and then leaves the list', async ({
  open,
  core,
}) => {
  const keys = [...names];
  const responses = quay(keys, {
    abort: ({ refs }) => {
      for (const { key } of refs) keys.splice(keys.indexOf(key), 1);
      return { jobIds: ['j1'], refused: [] };
    },
  });
  const page = await openUploads(open, responses);
  await uploadRow(page, 'crane.mov').click();
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog', { name: 'Abort this upload?' });
  await expect(dialog).toContainText('You lose 10 MiB.');
  await expect(dialog.getByRole('button', { name: 'Keep' })).toBeFocused();
  const submit = dialog.getByRole('button', { name: 'Abort and delete its parts' });
  await expect(submit).toBeDisabled();
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await expect(dialog).toBeHidden();
  expect(core.inputsOf('stalled.abort')).toEqual([]);

  await toolbar(page).getByRole('button', { name: 'Abort…' }).click();
  await dialog.getByRole('checkbox').check();
  await submit.click();
  await expect(dialog).toBeHidden();
  expect(core.inputsOf('stalled.abort')).toEqual([{ refs: [refOf('crane.mov')], listId: null }]);
  await toolbar(page).getByRole('button', { name: 'Refresh' }).click();
  await expect(rows(page)).toHaveCount(2);
  // An upload that is no longer there is no longer selected.
  await expect(toolbar(page).getByRole('button', { name: 'Abort…' })).toBeDisabled();
});

test('uploads that the service refuses to abort are listed with the reason', async ({ open }) => {
  const { error } = failure('access-denied', 'Aborting is denied.');
  const page = await openUploads(
    open,
    quay([...names], { abort: ({ refs }) => ({ jobIds: [], refused: refs.map((ref) => ({ ref, error })) }) }),
  );
  await uploadRow(page, 'bell.wav').click();
  await toolbar(page).getByRole('button', { name: 'Abort…' }).click();
  const question = page.getByRole('dialog', { name: 'Abort this upload?' });
  await question.getByRole('checkbox').check();
  await question.getByRole('button', { name: 'Abort and delete its parts' }).click();
  const refusal = page.getByRole('dialog', { name: 'Some uploads were not aborted' });
  await expect(refusal).toContainText('bell.wav');
  await expect(refusal).toContainText('You do not have permission');
});

test('completing an upload sends the fingerprint of its parts and the object at the key that its check returned', async ({
  open,
  core,
}) => {
  const standing = { kind: 'absent' } as const;
  const page = await openUploads(
    open,
    quay([...names], {
      checkCompletion: ({ refs }) =>
        refs.map((ref): CompletionCheck => checkOf({ ref, standing, fingerprint: `of ${ref.key}` })),
      complete: () => ({ jobIds: ['j1'], refused: [] }),
    }),
  );
  await uploadRow(page, 'bell.wav').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Complete as it is…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Complete this upload as it is?' });
  await expect(dialog).toContainText('3 stored parts become one object');
  expect(core.inputsOf('stalled.complete')).toEqual([]);
  await dialog.getByRole('button', { name: 'Complete', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(core.inputsOf('stalled.complete')).toEqual([
    { requests: [{ ref: refOf('bell.wav'), fingerprint: 'of bell.wav', standing, acceptGaps: false }] },
  ]);
});

test('an upload with gaps is completed only after its gaps are accepted', async ({ open, core }) => {
  const page = await openUploads(
    open,
    quay([...names], {
      checkCompletion: ({ refs }) => refs.map((ref) => checkOf({ ref, gaps: [{ from: 2, to: 2 }] })),
      complete: () => ({ jobIds: ['j1'], refused: [] }),
    }),
  );
  await uploadRow(page, 'dock.tar').click();
  await toolbar(page).getByRole('button', { name: 'Complete as it is…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Complete with missing parts?' });
  await expect(dialog).toContainText('Part 2 is missing');
  const submit = dialog.getByRole('button', { name: 'Complete with missing parts' });
  await expect(submit).toBeDisabled();
  await dialog.getByRole('checkbox').check();
  await submit.click();
  await expect(dialog).toBeHidden();
  expect(core.inputsOf('stalled.complete')).toMatchObject([
    { requests: [{ ref: refOf('dock.tar'), acceptGaps: true }] },
  ]);
});

test('the parts of an upload are read as they become visible, and a failed read offers a retry', async ({
  open,
  core,
}) => {
  const count = 450;
  let isDown = true;
  const page = await openUploads(
    open,
    quay([...names], {
      open: (ref) => ({
        ref,
        initiatedAt: null,
        initiator: null,
        storageClass: null,
        checksumAlgorithm: null,
        checksumType: null,
        verdict: 'no-gaps',
        parts: partsOf({ partCount: count, highestPartNumber: count }),
        runs: [{ from: 1, to: count, state: 'present' }],
        check: checkOf({ ref }),
        jobId: null,
      }),
      parts: ({ offset, limit }) => {
        if (isDown) throw failure('network', 'No response.', { retry: 'backoff' });
        const parts = Array.from({ length: Math.min(limit, count - offset) }, (_, at) => ({
          partNumber: offset + at + 1,
          state: 'present' as const,
          sizeBytes: 5 * mib,
          etag: `"etag ${String(offset + at + 1)}"`,
          lastModified: null,
          checksum: null,
        }));
        return { parts, total: count };
      },
    }),
  );
  await uploadRow(page, 'bell.wav').click();
  await page.keyboard.press('Enter');
  const retry = page.getByRole('dialog').getByRole('button', { name: 'Try again' });
  await expect(retry).toBeVisible();
  isDown = false;
  const parts = page.getByRole('grid', { name: 'Parts of this upload' });
  // A second read of the range that was on its way removes the button, too.
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1000 });
    await expect(parts.getByRole('row').filter({ hasText: 'etag 1' }).first()).toBeVisible({ timeout: 1000 });
  }).toPass();
  await parts.focus();
  await page.keyboard.press('End');
  await expect(parts.getByRole('row').filter({ hasText: 'etag 450' })).toBeVisible();
  expect(core.inputsOf('stalled.parts').at(-1)).toMatchObject({ ...refOf('bell.wav'), offset: 400 });
});

test('the state of an upload keeps its height beside a sentence of several lines', async ({ open }) => {
  const page = await openUploads(
    open,
    quay([...names], {
      open: (ref) => ({
        ref,
        initiatedAt: null,
        initiator: null,
        storageClass: null,
        checksumAlgorithm: null,
        checksumType: null,
        verdict: 'no-gaps',
        parts: partsOf({ partCount: 3, highestPartNumber: 3 }),
        runs: [{ from: 1, to: 3, state: 'present' }],
        check: checkOf({ ref }),
        jobId: null,
      }),
      parts: () => ({ parts: [], total: 0 }),
    }),
  );
  await uploadRow(page, 'bell.wav').click();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  const state = await drawer.locator('[data-tone]').first().boundingBox();
  const sentence = await drawer.locator('[data-tone] + p').boundingBox();
  expect(sentence?.height).toBeGreaterThan(30);
  expect(state?.height).toBeLessThan(25);
});

test('the groups of uploads keep a distance to the control that chooses them', async ({ open }) => {
  const page = await openUploads(open, quay([...names]));
  await page.getByRole('button', { name: 'Show groups' }).click();
  const table = await page.getByRole('region', { name: 'Groups of uploads' }).boundingBox();
  const choice = await page.getByRole('radiogroup', { name: 'Group by' }).boundingBox();
  if (table === null || choice === null) throw new Error('The groups are not shown.');
  expect(table.y - choice.y - choice.height).toBeCloseTo(6, 0);
  expect(choice.width).toBeLessThan(table.width / 2);
});
