import { expect, test, vi } from 'vitest';
import { updateJobNotices } from '../../../../../renderer/features/transfers/queue/job-notices.tsx';
import type { JobsEvent } from '../../../../../shared/models/jobs.ts';
import { countsOf, jobOf } from './fixtures.ts';

const seen = vi.hoisted(() => ({
  open: new Set<string>(),
  undoState: Promise.withResolvers<{ readonly undo: null }>(),
}));

vi.mock('../../../../../renderer/rpc/client.ts', () => ({
  isStartedByWindow: () => false,
  rpc: { operations: { undoState: () => seen.undoState.promise } },
}));
vi.mock('../../../../../renderer/ui/notices/notices.tsx', () => ({
  showNotice: (_notice: unknown, id: string) => void seen.open.add(id),
  updateNotice: () => undefined,
  hideNotice: (id: string) => void seen.open.delete(id),
  hideStartedNotice: () => undefined,
}));

const event = (changes: Partial<JobsEvent>): JobsEvent => ({
  changed: [],
  removed: [],
  reload: false,
  counts: countsOf(),
  settled: [],
  ...changes,
});
const actions = { onShow: () => undefined, isListShown: () => false, onAsk: () => undefined };

test('a job that is resumed before its notice is shown leaves no notice behind', async () => {
  const stopped = jobOf({ id: 'a', state: 'needs-attention', reason: 'file-missing' });
  const done = jobOf({ id: 'b', kind: 'move', state: 'done' });
  const updates = [
    updateJobNotices(event({ changed: [stopped, done], settled: [stopped, done] }), actions),
    updateJobNotices(event({ changed: [jobOf({ id: 'a', state: 'waiting' })] }), actions),
  ];
  seen.undoState.resolve({ undo: null });
  await Promise.all(updates);
  // The notice about the finished job.
  expect(seen.open.size).toBe(1);
});
