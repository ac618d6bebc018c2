import { createRouterClient } from '@orpc/server';
import { describe, expect, test } from 'vitest';
import { createImplementer } from '../../../../electron/core/handlers/implementer.ts';
import { jobHandlers } from '../../../../electron/core/handlers/job-handlers.ts';
import type { EngineEvent } from '../../../../electron/core/jobs/job.ts';
import type { StalledUploads } from '../../../../electron/core/stalled/stalled-uploads.ts';
import { jobStates, type JobFilter } from '../../../../shared/models/jobs.ts';
import { recordingLogger } from '../../../support/core/fake-ports.ts';

interface Sent {
  readonly jobIds: readonly string[] | null;
  readonly filter: JobFilter;
  readonly event: EngineEvent;
}

/** Creates the handlers with a queue that records the requests it receives. */
function handlersUnderTest() {
  const sent: Sent[] = [];
  const lookedAt: string[] = [];
  const jobs = {
    sendMany: (jobIds: readonly string[] | null, filter: JobFilter, event: EngineEvent) => {
      sent.push({ jobIds, filter, event });
      return Promise.resolve(1);
    },
    job: () => null,
  };
  const uploads = {
    jobs,
    lookNow: (jobId: string) => {
      lookedAt.push(jobId);
    },
  } as unknown as StalledUploads;
  const router = jobHandlers(createImplementer(recordingLogger()), { uploads });
  return { client: createRouterClient(router, { context: {} }), sent, lookedAt };
}

/** The states in which a job has ended for good. */
const ended = ['done', 'cancelled'];

describe('requests to all jobs', () => {
  test('pausing all jobs reaches none that rests or has ended', async () => {
    const { client, sent } = handlersUnderTest();
    await client.pause({ jobIds: null });
    expect(sent).toHaveLength(1);
    const { filter, event } = sent[0] ?? { filter: null, event: null };
    expect(event).toEqual({ kind: 'pause' });
    for (const state of [...ended, 'paused', 'needs-attention']) expect(filter?.states).not.toContain(state);
    expect(filter?.states).toEqual(
      expect.arrayContaining(['waiting', 'retry-scheduled', 'verifying-outcome']),
    );
  });

  test('resuming all jobs reaches paused ones only', async () => {
    const { client, sent } = handlersUnderTest();
    await client.resume({ jobIds: null });
    expect(sent).toEqual([
      { jobIds: null, filter: { states: ['paused'], connectionId: null }, event: { kind: 'resume' } },
    ]);
  });

  test('cancelling all jobs reaches every state except the final ones', async () => {
    const { client, sent } = handlersUnderTest();
    await client.cancel({ jobIds: null });
    expect(sent[0]?.filter.states?.toSorted()).toEqual(
      jobStates.filter((state) => !ended.includes(state)).toSorted(),
    );
  });
});

test('retrying named jobs checks their pending completions first', async () => {
  const { client, sent, lookedAt } = handlersUnderTest();
  const jobIds = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  await client.retryNow({ jobIds });
  expect(lookedAt).toEqual(jobIds);
  expect(sent).toEqual([
    {
      jobIds,
      filter: { states: ['retry-scheduled', 'verifying-outcome', 'needs-attention'], connectionId: null },
      event: { kind: 'retry-now' },
    },
  ]);
});

test('an unknown job is reported as not found', async () => {
  const { client } = handlersUnderTest();
  await expect(client.get({ jobId: '00000000-0000-4000-8000-000000000009' })).rejects.toMatchObject({
    data: { code: 'not-found' },
  });
});
