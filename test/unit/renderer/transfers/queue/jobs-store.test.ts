import { expect, test, vi } from 'vitest';
import { followJobs, onJobsEvent } from '../../../../../renderer/features/transfers/queue/jobs-store.ts';
import type { JobsEvent } from '../../../../../shared/models/jobs.ts';
import { countsOf } from './fixtures.ts';

const counts = countsOf({ total: 1 });
const quiet: JobsEvent = { changed: [], removed: [], reload: false, counts, settled: [] };

vi.mock('../../../../../renderer/rpc/client.ts', () => ({
  rpc: {
    jobs: {
      watch: () =>
        Promise.resolve(
          (async function* () {
            await Promise.resolve();
            yield quiet;
            yield quiet;
          })(),
        ),
      counts: () => Promise.resolve(counts),
    },
  },
}));

test('the first event of each stream asks for a reload, since changes before it were missed', async () => {
  const reloads: boolean[] = [];
  const stop = onJobsEvent((event) => reloads.push(event.reload));
  await followJobs(new AbortController().signal);
  await followJobs(new AbortController().signal);
  stop();
  expect(reloads).toEqual([true, false, true, false]);
});
