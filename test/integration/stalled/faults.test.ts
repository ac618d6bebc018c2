import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FaultAction } from '../../support/lab-service/server.ts';
import { bytesOf, Rig, sha256, smallestPart } from '../../support/core/uploads-rig.ts';
import { sampleOf } from '../../support/sample.ts';

/** Every way a request can go wrong. */
const faults: readonly (readonly [string, FaultAction])[] = [
  ['a reset before the request is applied', { kind: 'reset', apply: false }],
  ['a reset after the request was applied', { kind: 'reset', apply: true }],
  ['a reset within the response', { kind: 'cut-answer', bytes: 40 }],
  ['a truncated response', { kind: 'cut-answer', bytes: 60, clean: true }],
  ['500', { kind: 'status', status: 500, code: 'InternalError' }],
  [
    'a 500 although the request was applied',
    { kind: 'status', status: 500, code: 'InternalError', apply: true },
  ],
  ['502', { kind: 'status', status: 502, code: 'BadGateway' }],
  [
    'a 502 although the request was applied',
    { kind: 'status', status: 502, code: 'BadGateway', apply: true },
  ],
  [
    'a 503 with Retry-After',
    { kind: 'status', status: 503, code: 'ServiceUnavailable', retryAfterSeconds: 7 },
  ],
  ['504', { kind: 'status', status: 504, code: 'GatewayTimeout' }],
  [
    'a 504 although the request was applied',
    { kind: 'status', status: 504, code: 'GatewayTimeout', apply: true },
  ],
  ['SlowDown', { kind: 'status', status: 503, code: 'SlowDown' }],
  ['RequestTimeout', { kind: 'status', status: 400, code: 'RequestTimeout' }],
  ['a 200 with an error', { kind: 'ok-with-error', code: 'InternalError' }],
  [
    'a 200 with an error after 4 kB of white space',
    { kind: 'ok-with-error', code: 'InternalError', whitespaceBytes: 4096 },
  ],
  [
    'a 200 with an error although the request was applied',
    { kind: 'ok-with-error', code: 'InternalError', apply: true },
  ],
  ['an empty 200', { kind: 'ok-empty', apply: false }],
  ['an empty 200 after the request was applied', { kind: 'ok-empty', apply: true }],
  ['an HTML page', { kind: 'ok-html', apply: false }],
  ['an HTML page after the request was applied', { kind: 'ok-html', apply: true }],
  ['a hang', { kind: 'hang', apply: false }],
  ['a hang after the request was applied', { kind: 'hang', apply: true }],
  ['an expired token', { kind: 'token-expired' }],
  ['a clock off by 20 minutes', { kind: 'clock-skew', ms: 20 * 60_000 }],
];

/** Returns a different draw for each fault, so that the samples of all faults together cover all requests. */
const drawOf = (fault: string): number => faults.findIndex(([name]) => name === fault);

let rig: Rig;
let run = 0;
beforeAll(async () => {
  rig = await Rig.start({ timeouts: { firstByteMs: 120, inactivityMs: 120, connectMs: 1000 } });
});
afterAll(async () => {
  await rig.close();
});

const bytes = bytesOf(smallestPart * 4 + 777, 11);
const verified = [1, 3];

/** Resumes an upload with a fault at the job's nth request. Returns what is wrong, and the number of requests. */
async function runWith(
  nth: number,
  action: FaultAction | null,
): Promise<{ wrong: string[]; requests: number }> {
  run += 1;
  const key = `run-${run}`;
  const file = rig.file('file.bin', bytes);
  const ref = await rig.begin(key, bytes, { partSize: smallestPart, parts: verified });
  const plan = await rig.plan(ref, file);
  rig.faults.clear();
  if (action !== null) rig.faults.add({ key, nth, action });
  const options = { parallelParts: 1, bandwidthBytesPerSecond: null, acceptUnverified: false };
  const { jobId } = rig.uploads.resume(plan.planId, options);
  let job = await rig.settle(jobId);
  if (job.reason === 'needs-new-keys' && action?.kind === 'token-expired') {
    rig.uploads.jobs.connectionChanged('c');
    job = await rig.settle(jobId);
  }
  const object = await rig.object(key);
  const wrong: string[] = [];
  if (job.state !== 'done') wrong.push(`request ${nth}: ${JSON.stringify(job)}`);
  if (sha256(object ?? Buffer.alloc(0)) !== sha256(bytes)) wrong.push(`request ${nth}: the bytes differ`);
  if (rig.asked('AbortMultipartUpload') > 0) wrong.push(`request ${nth}: it was aborted`);
  if (rig.sentParts().some((part) => verified.includes(part)))
    wrong.push(`request ${nth}: a verified part was sent`);
  const ofRun = rig.faults.journal.filter((entry) => entry.key === key && entry.operation !== 'GetObject');
  return { wrong, requests: ofRun.length };
}

describe('a fault at any request of an upload ends with the bytes of the file:', () => {
  test('the run without a fault has enough requests', async () => {
    const { wrong, requests } = await runWith(1, null);
    expect(wrong).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(9);
  });

  test.each(faults)('%s', { timeout: 120_000 }, async (name, action) => {
    const { requests } = await runWith(1, null);
    const nths = Array.from({ length: requests }, (_, index) => index + 1);
    const wrong: string[] = [];
    for (const nth of sampleOf(nths, 4, drawOf(name))) wrong.push(...(await runWith(nth, action)).wrong);
    expect(wrong).toEqual([]);
  });
});
