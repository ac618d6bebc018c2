import { expect, type Locator, type Page } from '@playwright/test';
import { failure } from '../../../shared/errors.ts';
import type { Job, JobsEvent } from '../../../shared/models/jobs.ts';
import type { TransferItem } from '../../../shared/models/transfers.ts';
import { Feed, type FakeResponses } from '../../support/window/fake-core.ts';
import { countsOf, jobOf } from '../../unit/renderer/transfers/queue/fixtures.ts';
import { connection, test, type OpenWindow } from '../support/fake-window.ts';
import { jobRow, panel, showTransfers } from '../support/uploads.ts';

const transferOf = (changes: Partial<Job>): Job =>
  jobOf({ connectionId: connection.id, bucket: 'quay', partsTotal: 0, partsDone: 0, ...changes });

/** A queue whose jobs a test changes. `announce` tells the window that they have changed. */
class Queue {
  jobs: readonly Job[];
  readonly #events = new Feed<JobsEvent>();

  constructor(...jobs: readonly Job[]) {
    this.jobs = jobs;
  }

  set(...jobs: readonly Job[]): void {
    this.jobs = jobs;
    this.#events.push({ changed: [...jobs], removed: [], reload: true, counts: this.#counts(), settled: [] });
  }

  answers(calls: FakeResponses['jobs'] = {}): FakeResponses {
    return {
      jobs: {
        list: ({ filter }) => {
          const jobs = this.jobs.filter(({ state }) => filter.states?.includes(state) ?? true);
          return { jobs, total: jobs.length };
        },
        counts: () => this.#counts(),
        watch: () => this.#events.stream(),
        attempts: () => [],
        ...calls,
      },
    };
  }

  #counts() {
    const byState = Object.fromEntries(this.jobs.map(({ state }) => [state, 1]));
    return countsOf({ total: this.jobs.length, byState });
  }
}

async function openQueue(open: OpenWindow, ...responses: readonly FakeResponses[]): Promise<Page> {
  const page = await open(...responses);
  await showTransfers(page);
  await expect(panel(page).getByRole('grid')).toBeVisible();
  return page;
}

const action = (row: Locator, name: string): Locator =>
  row.getByRole('button', { name: new RegExp(`^${name}`) });

const denied = failure('access-denied', 'The keys may not write to quay.').error;
const stopped = transferOf({
  kind: 'upload',
  state: 'needs-attention',
  reason: 'items-failed',
  key: 'fog.wav',
  error: denied,
  items: { total: 3, done: 2, skipped: 0, failed: 1, asking: 0 },
});

test('a failed transfer names its cause in its row and each failed item in its detail', async ({
  open,
  core,
}) => {
  const item: TransferItem = {
    seq: 1,
    kind: 'file',
    key: 'sounds/fog.wav',
    localName: 'fog.wav',
    sizeBytes: 10,
    state: 'failed',
    error: denied,
    note: null,
    verified: null,
    source: null,
    target: null,
  };
  const page = await openQueue(open, new Queue(stopped).answers(), {
    transfers: { items: () => ({ items: [item], total: 1 }) },
  });
  const row = jobRow(page, 'fog.wav');
  await expect(row).toContainText('Access denied');
  await row.dblclick();
  const failed = panel(page).getByRole('region', { name: 'Failed items' });
  await expect(failed).toContainText('1 item failed:');
  await expect(failed.getByRole('listitem')).toContainText('sounds/fog.wav');
  await expect(failed.getByRole('listitem')).toContainText('You do not have permission');
  expect(core.inputsOf('transfers.items')).toContainEqual({
    jobId: stopped.id,
    filter: 'failed',
    offset: 0,
    limit: 200,
  });
});

test('the headings of the log stay on one line', async ({ open }) => {
  const attempt = {
    id: 1,
    at: '2026-01-01T10:00:00.000Z',
    request: 'upload-part',
    partNumber: 1,
    status: 403,
    requestId: 'request of a part',
    error: denied,
    note: null,
  };
  const page = await openQueue(open, new Queue(stopped).answers({ attempts: () => [attempt] }), {
    transfers: { items: () => ({ items: [], total: 0 }) },
  });
  await jobRow(page, 'fog.wav').dblclick();
  const heading = panel(page).getByRole('columnheader', { name: 'Request ID' });
  await expect(heading).toBeVisible();
  expect((await heading.boundingBox())?.height).toBeLessThan(30);
});

test('a click or a menu acts on the transfer that was pressed, although the list has moved since', async ({
  open,
}) => {
  const [first, second, third, fourth] = ['anchor.wav', 'buoy.wav', 'crane.wav', 'dock.wav'].map((key) =>
    transferOf({ id: `job of ${key}`, kind: 'upload', state: 'done', key }),
  );
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) return;
  const queue = new Queue(first, second, third, fourth);
  const page = await openQueue(open, queue.answers());
  const row = (name: string) => jobRow(page, name);
  await row('buoy.wav').hover();
  await page.mouse.down();
  queue.set(second, third, fourth);
  await expect(row('anchor.wav')).toHaveCount(0);
  await page.mouse.up();
  await expect(row('buoy.wav')).toHaveAttribute('aria-selected', 'true');
  await expect(row('crane.wav')).toHaveAttribute('aria-selected', 'false');

  // Nothing is selected in the place of a row that is gone.
  await row('crane.wav').hover();
  await page.mouse.down();
  queue.set(second, fourth);
  await expect(row('crane.wav')).toHaveCount(0);
  await page.mouse.up();
  await expect(row('dock.wav')).toHaveAttribute('aria-selected', 'false');
  await row('dock.wav').click({ button: 'right' });
  await expect(row('dock.wav')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
});

test('a failed transfer is retried by its button, its menu and its key, and its row shows the new state', async ({
  open,
  core,
}) => {
  const queue = new Queue(stopped);
  const page = await openQueue(open, queue.answers({ retryNow: () => undefined }));
  const row = jobRow(page, 'fog.wav');
  await action(row, 'Try again now').click();
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Try again now' }).click();
  await row.click();
  await page.keyboard.press('r');
  await expect.poll(() => core.inputsOf('jobs.retryNow')).toHaveLength(3);
  expect(core.inputsOf('jobs.retryNow')[0]).toEqual({ jobIds: [stopped.id] });
  queue.set({ ...stopped, state: 'transferring', reason: null, error: null });
  await expect(row).not.toContainText('Access denied');
  await expect(action(row, 'Pause')).toBeVisible();
  await expect(action(row, 'Try again now')).toHaveCount(0);
});

test('the remedy of a failed transfer is readable in a narrow list, and the other actions are in a menu', async ({
  open,
  core,
}) => {
  const page = await openQueue(open, new Queue(stopped).answers({ retryNow: () => undefined }));
  await page.setViewportSize({ width: 800, height: 600 });
  const row = jobRow(page, 'fog.wav');
  await action(row, 'More').click();
  await page.getByRole('menuitem', { name: 'Try again now' }).click();
  await expect.poll(() => core.inputsOf('jobs.retryNow')).toHaveLength(1);
  const label = action(row, 'Edit connection').locator('.mantine-Button-label');
  expect(await label.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
});

test('a running transfer is cancelled only after a confirmation', async ({ open, core }) => {
  const copy = transferOf({
    kind: 'copy',
    state: 'transferring',
    key: 'charts/',
    items: { total: 9, done: 2, skipped: 0, failed: 0, asking: 0 },
    target: { connectionId: connection.id, bucket: 'pier', prefix: '' },
  });
  const queue = new Queue(copy);
  const cancel = (): void => queue.set({ ...copy, state: 'cancelled' });
  const page = await openQueue(open, queue.answers({ cancel }));
  const row = panel(page).getByRole('grid').getByRole('row');
  await action(row, 'Cancel').click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this transfer?' });
  await expect(dialog).toContainText('Copied objects stay.');
  await dialog.getByRole('button', { name: 'Continue transfer' }).click();
  await expect(dialog).toBeHidden();
  expect(core.inputsOf('jobs.cancel')).toEqual([]);
  await row.click();
  await page.keyboard.press('Delete');
  await dialog.getByRole('button', { name: 'Cancel transfer' }).click();
  await expect(action(row, 'Clear')).toBeVisible();
  expect(core.inputsOf('jobs.cancel')).toEqual([{ jobIds: [copy.id] }]);
});

test('cancelling an upload with stored parts asks what happens to the parts', async ({ open, core }) => {
  const upload = transferOf({
    kind: 'upload',
    state: 'transferring',
    key: 'bell.wav',
    items: { total: 1, done: 0, skipped: 0, failed: 0, asking: 0 },
  });
  const page = await openQueue(open, new Queue(upload).answers({ cancel: () => undefined }), {
    transfers: {
      storedParts: () => ({ uploads: 1, sizeBytes: 10 * 1024 ** 2 }),
      cancelAndDeleteParts: () => ({ kept: 1 }),
    },
  });
  const ask = async (): Promise<Locator> => {
    await action(jobRow(page, 'bell.wav'), 'Cancel').click();
    return page.getByRole('dialog', { name: 'Cancel the upload?' });
  };
  const dialog = await ask();
  await expect(dialog).toContainText('10 MiB');
  await dialog.getByRole('button', { name: 'Continue upload' }).click();
  await expect(dialog).toBeHidden();
  expect(core.inputsOf('jobs.cancel')).toEqual([]);
  await (await ask()).getByRole('button', { name: 'Keep the parts, finish later' }).click();
  await expect.poll(() => core.inputsOf('jobs.cancel')).toEqual([{ jobIds: [upload.id] }]);
  expect(core.inputsOf('transfers.cancelAndDeleteParts')).toEqual([]);
  await (await ask()).getByRole('button', { name: 'Delete the parts' }).click();
  await expect(page.getByRole('alert')).toContainText('Cooper could not delete the parts of 1 upload.');
  expect(core.inputsOf('transfers.cancelAndDeleteParts')).toEqual([{ jobId: upload.id }]);
});

test('a finished transfer is cleared at once, and one that needs attention only after a confirmation', async ({
  open,
  core,
}) => {
  const finished = transferOf({
    id: 'done',
    kind: 'upload',
    state: 'done',
    outcome: 'uploaded',
    key: 'buoy.csv',
  });
  const queue = new Queue(stopped, finished);
  const page = await openQueue(
    open,
    queue.answers({
      clear: ({ jobIds }) => {
        queue.set(...queue.jobs.filter(({ id }) => jobIds?.includes(id) !== true));
        return { removed: 1 };
      },
    }),
  );
  await action(jobRow(page, 'buoy.csv'), 'Clear').click();
  await expect(jobRow(page, 'buoy.csv')).toHaveCount(0);
  await action(jobRow(page, 'fog.wav'), 'Clear').click();
  const dialog = page.getByRole('dialog', { name: 'Clear 1 transfer?' });
  await expect(dialog).toContainText('It includes transfers that need attention.');
  expect(core.inputsOf('jobs.clear')).toEqual([{ jobIds: ['done'] }]);
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await expect(panel(page)).toContainText('No transfers');
  expect(core.inputsOf('jobs.clear').at(-1)).toEqual({ jobIds: [stopped.id] });
});
