import { expect, type Page } from '@playwright/test';
import type { Connection } from '../../../shared/models/connection.ts';
import { defaultSettings } from '../../../shared/models/default-settings.ts';
import type { JobCounts } from '../../../shared/models/jobs.ts';
import { Feed, startFakeCore, type FakeResponses, type FakeCore } from '../../support/window/fake-core.ts';
import { test as base } from './window.ts';

/** Opens the window in front of a core with these responses, on the page of its connection. The first response to a call counts. */
export type OpenWindow = (...replies: readonly FakeResponses[]) => Promise<Page>;

/** Tests components: the window is real, and the test plays the core and reads which calls reach it. */
export const test = base.extend<{ readonly open: OpenWindow; readonly core: FakeCore }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what is wanted from the pattern
  core: async ({}, use) => {
    const core = await startFakeCore();
    await use(core);
    expect(core.unanswered()).toEqual([]);
    await core.close();
  },
  open: async ({ core, page }, use) => {
    await use(async (...replies) => {
      core.answerWith(...replies, calmCore());
      await page.goto(core.newAddress());
      await page.getByRole('treeitem', { name: connection.name }).click();
      return page;
    });
  },
});

export const connection: Connection = {
  id: 'c1',
  name: 'Harbour',
  provider: 'other',
  endpoint: 'https://s3.example.com',
  region: 'us-east-1',
  addressing: 'auto',
  caPem: null,
  proxy: { kind: 'none' },
  start: null,
  auth: { kind: 'anonymous' },
  builtIn: false,
};

export const noJobs: JobCounts = { total: 0, byState: {}, broken: 0, bytesTotal: 0, bytesDone: 0 };

/** Returns the responses of a core with one connection and nothing else, to the calls of a window that opens. */
export function calmCore(): FakeResponses {
  return {
    app: {
      info: () => ({
        host: 'browser',
        platform: 'linux',
        version: '1.0.0',
        secretProtection: 'file',
        hasNativeDialogs: false,
        accent: null,
        dataDir: '/data',
      }),
      watch: () => new Feed<never>().stream(),
    },
    settings: { get: () => defaultSettings },
    view: { get: () => null, set: () => undefined },
    connections: { list: () => [connection], awsProfiles: () => [] },
    buckets: { list: () => ({ buckets: [], error: null }) },
    bookmarks: { list: () => [] },
    edits: { list: () => [] },
    files: { roots: () => [] },
    prices: { of: () => ({ origin: 'none', list: null, shipped: null }) },
    s3Links: { take: () => null },
    stalled: { count: () => ({ count: 0, isComplete: true }) },
    updates: { status: () => ({ kind: 'off', reason: 'browser' }) },
    walks: { list: () => [] },
    map: { totals: () => [] },
    jobs: {
      counts: () => noJobs,
      list: () => ({ jobs: [], total: 0 }),
      watch: () => new Feed<never>().stream(),
    },
  };
}
