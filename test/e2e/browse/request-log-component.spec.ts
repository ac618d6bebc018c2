import { expect } from '@playwright/test';
import type { RequestLogEntry } from '../../../shared/models/settings.ts';
import { Feed } from '../../support/window/fake-core.ts';
import { connection, test } from '../support/fake-window.ts';

const pageEntries = 500;

function entryOf(id: number, path: string): RequestLogEntry {
  return {
    id,
    startedAt: '2026-01-02T03:04:05.678Z',
    operation: 'ListObjectsV2',
    method: 'GET',
    host: 'storage.example.com',
    path,
    status: 200,
    durationMs: 12,
    requestId: 'R1',
    tryNumber: 1,
    requestBytes: 0,
    responseBytes: 512,
    error: null,
  };
}

const entriesBelow = (id: number, path: string): RequestLogEntry[] =>
  Array.from({ length: pageEntries }, (_, at) => entryOf(id - 1 - at, path));

test('older requests neither join the log of another connection nor return after the log is cleared', async ({
  open,
  core,
}) => {
  const changes = new Feed<{ readonly newestId: number }>();
  const older = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let newest = entriesBelow(2001, '/all');
  let asked = 0;
  const page = await open({
    requestLog: {
      watch: () => changes.stream(),
      clear: () => undefined,
      list: async ({ beforeId }) => {
        if (beforeId === null) return newest;
        const held = older[asked];
        asked += 1;
        await held?.promise;
        return entriesBelow(beforeId, '/older');
      },
    },
  });
  await page.keyboard.press('Control+j');
  const log = page.getByRole('region', { name: 'Request log' });
  const count = log.getByText(/^[\d,]+ requests?$/);
  await expect(count).toHaveText('500 requests');
  const loadOlder = async (times: number): Promise<void> => {
    await log.getByRole('row').last().click();
    await page.keyboard.press('End');
    await expect.poll(() => asked).toBe(times);
  };
  /** Releases older requests, and waits until a later call has reached the core. */
  const releaseOlder = async (at: number): Promise<void> => {
    older[at]?.resolve();
    const calls = core.inputsOf('buckets.list').length;
    await page.getByRole('button', { name: 'Reload', exact: true }).last().click();
    await expect.poll(() => core.inputsOf('buckets.list').length).toBe(calls + 1);
  };
  const addNewest = (id: number): void => {
    newest = [entryOf(id, '/newest'), ...newest.slice(0, -1)];
    changes.push({ newestId: id });
  };

  await loadOlder(1);
  newest = entriesBelow(3001, '/harbour');
  await log.getByRole('combobox', { name: 'Connection' }).click();
  await page.getByRole('option', { name: connection.name }).click();
  await expect(log.getByText('/harbour').first()).toBeVisible();
  await releaseOlder(0);
  addNewest(3001);
  await expect(count).toHaveText('501 requests');

  await loadOlder(2);
  newest = [];
  await log.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(count).toHaveText('0 requests');
  await releaseOlder(1);
  await expect(count).toHaveText('0 requests');
});

test('keeps older requests that arrive while newer ones are read', async ({ open }) => {
  const changes = new Feed<{ readonly newestId: number }>();
  const newerEntries = Promise.withResolvers<void>();
  let readsOfNewest = 0;
  let entries = entriesBelow(2001, '/all');
  const page = await open({
    requestLog: {
      watch: () => changes.stream(),
      list: async ({ beforeId }) => {
        if (beforeId !== null) return entriesBelow(beforeId, '/older');
        readsOfNewest += 1;
        if (readsOfNewest === 2) await newerEntries.promise;
        return entries;
      },
    },
  });
  await page.keyboard.press('Control+j');
  const log = page.getByRole('region', { name: 'Request log' });
  const count = log.getByText(/^[\d,]+ requests?$/);
  await expect(count).toHaveText('500 requests');
  entries = [entryOf(2001, '/newest'), ...entries.slice(0, -1)];
  changes.push({ newestId: 2001 });
  await expect.poll(() => readsOfNewest).toBe(2);
  await log.getByRole('row').last().click();
  await page.keyboard.press('End');
  await expect(count).toHaveText('1,000 requests');
  newerEntries.resolve();
  await expect(count).toHaveText('1,001 requests');
});
