import { beforeEach, expect, test, vi } from 'vitest';
import { FolderComparison } from '../../../../../renderer/features/stalled/resume/use-folder-plans.ts';
import { summaryOf } from '../../../../../renderer/features/stalled/resume/folder-words.ts';
import { failure } from '../../../../../shared/errors.ts';
import type { FileMatch } from '../../../../../shared/models/resume-plan.ts';
import { planOf, refOf } from '../fixtures.ts';

const core = vi.hoisted(() => ({
  /** The plans in the core's list. */
  listed: [] as string[],
  started: [] as string[],
  /** True if the core has dropped all plans that are in no list. */
  hasForgotten: false,
  /** Resolves before the core replies to `collectPlan`. */
  beforeReply: (_planId: string): Promise<void> => Promise.resolve(),
}));

vi.mock('../../../../../renderer/rpc/client.ts', () => ({
  rpc: {
    stalled: {
      async *plan({ fileHandle }: { readonly fileHandle: string }) {
        yield await Promise.resolve({ kind: 'plan', plan: planOf({ planId: fileHandle }) });
      },
      async collectPlan({ planId }: { readonly planId: string }) {
        core.listed.push(planId);
        await core.beforeReply(planId);
        return { listId: 'list' };
      },
      resume({ planId }: { readonly planId: string }) {
        if (core.hasForgotten)
          return Promise.reject(failure('not-found', 'Gone.', { reason: 'plan-gone', retry: 'after-fix' }));
        core.started.push(planId);
        return Promise.resolve({ jobId: 'single' });
      },
      resumeMany() {
        core.started.push(...core.listed);
        return Promise.resolve({ jobId: 'many' });
      },
    },
  },
}));

const matchOf = (key: string): FileMatch => ({
  ref: refOf(key),
  handle: key,
  fileName: key,
  sizeBytes: 5,
  problem: null,
});
const matches = ['a', 'b', 'c', 'd'].map(matchOf);

const readyCount = (comparison: FolderComparison): number =>
  summaryOf(matches, comparison.store.getState().plans).readyCount;

const whenIdle = async (comparison: FolderComparison): Promise<void> =>
  await vi.waitFor(() => expect(comparison.store.getState().busy).toBe(null));

beforeEach(() => {
  core.listed.length = 0;
  core.started.length = 0;
  core.hasForgotten = false;
  core.beforeReply = () => Promise.resolve();
});

test('starts all ready plans as one job', async () => {
  const comparison = new FolderComparison();
  comparison.compare(matches);
  await whenIdle(comparison);
  expect(readyCount(comparison)).toBe(4);
  expect(await comparison.start()).toBe(null);
  expect(core.started).toEqual(['a', 'b', 'c', 'd']);
});

test('resumes only the uploads shown as ready when Stop arrives while a plan is added to the list', async () => {
  const comparison = new FolderComparison();
  const reply = Promise.withResolvers<void>();
  core.beforeReply = (planId) => (planId === 'c' ? reply.promise : Promise.resolve());
  comparison.compare(matches);
  await vi.waitFor(() => expect(core.listed).toContain('c'));
  comparison.stop();
  // The list is not known yet, so nothing can be started.
  expect(comparison.store.getState().busy).toBe('comparing');
  reply.resolve();
  await whenIdle(comparison);
  expect(readyCount(comparison)).toBe(3);
  await comparison.start();
  expect(core.started).toEqual(['a', 'b', 'c']);
});

test('can start the first plan even if Stop arrives while it is added to the list', async () => {
  const comparison = new FolderComparison();
  core.beforeReply = () => {
    comparison.stop();
    return Promise.resolve();
  };
  comparison.compare(matches);
  await whenIdle(comparison);
  expect(readyCount(comparison)).toBe(1);
  await comparison.start();
  expect(core.started).toEqual(['a']);
});

test('has nothing to start after another folder was chosen', async () => {
  const comparison = new FolderComparison();
  comparison.compare(matches);
  await whenIdle(comparison);
  comparison.clear();
  expect(readyCount(comparison)).toBe(0);
  await comparison.start();
  expect(core.started).toEqual([]);
});

test('starts a single ready plan from the list if the core has dropped it meanwhile', async () => {
  const comparison = new FolderComparison();
  comparison.compare(matches.slice(0, 1));
  await whenIdle(comparison);
  core.hasForgotten = true;
  expect(await comparison.start()).toBe(null);
  expect(core.started).toEqual(['a']);
});
