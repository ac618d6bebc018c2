import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultAction } from '../../support/lab-service/server.ts';
import { TransferRig, treeOf } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';
import { sampleOf } from '../../support/sample.ts';

/** Every way a request can go wrong. */
const faults: readonly (readonly [string, FaultAction])[] = [
  ['a reset before the request is applied', { kind: 'reset', apply: false }],
  ['a reset after the request was applied', { kind: 'reset', apply: true }],
  ['a reset within the response', { kind: 'cut-answer', bytes: 40 }],
  ['500', { kind: 'status', status: 500, code: 'InternalError' }],
  [
    'a 500 although the request was applied',
    { kind: 'status', status: 500, code: 'InternalError', apply: true },
  ],
  [
    'a 503 with Retry-After',
    { kind: 'status', status: 503, code: 'ServiceUnavailable', retryAfterSeconds: 7 },
  ],
  ['SlowDown', { kind: 'status', status: 503, code: 'SlowDown' }],
  ['a hang after the request was applied', { kind: 'hang', apply: true }],
];

let rig: TransferRig;
beforeAll(async () => {
  rig = await TransferRig.start({ timeouts: { firstByteMs: 150, inactivityMs: 150, connectMs: 1000 } });
});
afterAll(async () => {
  await rig.close();
});

const sizes = { small: bytesOf(9 * KiB, 1), large: bytesOf(300 * KiB + 3, 2) } as const;
const kinds = ['small', 'large'] as const;

/** Returns how often a fault occurs: also 7 times, beyond the client's attempts, so that the queue must retry too. */
function timesOf(action: FaultAction): readonly number[] {
  return action.kind === 'hang' ? [1] : [1, 7];
}

/** Runs the job without a fault to count its requests, and then with the fault at each request of a sample. */
async function atRequests(fault: string, play: (nth: number | null) => Promise<number>): Promise<void> {
  const requests = await play(null);
  const nths = Array.from({ length: requests }, (_, index) => index + 1);
  // Each fault has a different draw, so that the samples together cover all requests.
  const draw = faults.findIndex(([name]) => name === fault);
  for (const nth of sampleOf(nths, 4, draw)) await play(nth);
}

test.each(faults)(
  '%s at any request of an upload ends with the bytes of the file',
  { timeout: 240_000 },
  async (name, action) => {
    const wrong: string[] = [];
    for (const kind of kinds)
      for (const often of timesOf(action))
        await atRequests(name, async (nth) => {
          await rig.reset();
          const file = rig.file('file.bin', sizes[kind]);
          rig.service.faults.clear();
          if (nth !== null) rig.service.faults.add({ bucket: rig.bucket, nth, times: often, action });
          const job = await rig.settle(await rig.upload([file]));
          const requests = rig.service.faults.journal.length;
          rig.service.faults.clear();
          if (job.state !== 'done')
            wrong.push(
              `${kind}, request ${String(nth)}: ${JSON.stringify(job)} ${JSON.stringify(rig.items(job.id))}`,
            );
          if ((await rig.object('file.bin'))?.equals(sizes[kind]) !== true)
            wrong.push(`${kind}, request ${String(nth)}: other bytes`);
          return requests;
        });
    expect(wrong).toEqual([]);
  },
);

test.each(faults)(
  '%s at any request of a download ends with the bytes of the object',
  { timeout: 240_000 },
  async (name, action) => {
    const wrong: string[] = [];
    for (const kind of kinds)
      for (const often of timesOf(action))
        await atRequests(name, async (nth) => {
          await rig.reset();
          await rig.put('file.bin', sizes[kind]);
          rig.service.faults.clear();
          if (nth !== null) rig.service.faults.add({ bucket: rig.bucket, nth, times: often, action });
          const job = await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }]));
          const requests = rig.service.faults.journal.length;
          rig.service.faults.clear();
          if (job.state !== 'done')
            wrong.push(
              `${kind}, request ${String(nth)}: ${JSON.stringify(job)} ${JSON.stringify(rig.items(job.id))}`,
            );
          else if (!readFileSync(path.join(rig.fetchDir, 'file.bin')).equals(sizes[kind]))
            wrong.push(`${kind}, request ${String(nth)}: other bytes`);
          if (treeOf(rig.fetchDir).size !== 1)
            wrong.push(`${kind}, request ${String(nth)}: something is left behind`);
          return requests;
        });
    expect(wrong).toEqual([]);
  },
);
