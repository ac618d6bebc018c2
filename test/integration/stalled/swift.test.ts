import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure } from '../../../shared/errors.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import type { RealServer } from '../../support/servers/real-server.ts';
import { isSwiftInstalled, startSwift } from '../../support/servers/swift.ts';
import { bytesOf, Rig, sha256 } from '../../support/core/uploads-rig.ts';

const partSize = 5 * 1024 * 1024;

/** Swift lists an upload's parts even after its completion, and then still accepts parts. */
describe.skipIf(!isSwiftInstalled())('stalled uploads on OpenStack Swift (if installed)', () => {
  let swift: RealServer;
  let rig: Rig;
  const bytes = bytesOf(2 * partSize + 12_345, 31);

  beforeAll(async () => {
    swift = await startSwift();
    rig = await Rig.start({
      external: { endpoint: swift.endpoint, region: swift.region, credentials: () => Promise.resolve(swift) },
      minPartBytes: partSize,
      sleepMs: 100,
    });
  }, 180_000);
  afterAll(async () => {
    await rig.close();
    swift.stop();
  });

  /** Carries out CompleteMultipartUpload, runs `then` as another client, and optionally loses the response. */
  function completeAnd(isLost: boolean, then: (client: S3Client) => Promise<unknown>): void {
    rig.wrapClient = (client): S3Client => ({
      ...client,
      completeMultipartUpload: async (input, options) => {
        const reply = await client.completeMultipartUpload(input, options);
        await then(client);
        if (isLost) throw failure('network', 'lost', { retry: 'backoff', outcome: 'unknown' });
        return reply;
      },
    });
  }

  test('with a lost response are proved without waiting ten minutes', { timeout: 60_000 }, async () => {
    completeAnd(true, () => Promise.resolve());
    const ref = await rig.begin('lost-answer', bytes, { partSize });
    const before = rig.clock.passedMs;
    const job = await rig.settle(await rig.complete(ref), 60_000);
    expect(job).toMatchObject({ state: 'done', outcome: 'completed', completeAttempts: 1 });
    expect(rig.clock.passedMs - before).toBeLessThan(120_000);
    expect((await rig.client.listParts(ref)).parts).toHaveLength(3);
    expect(sha256((await rig.object('lost-answer')) ?? Buffer.alloc(0))).toBe(sha256(bytes));
  });

  test(
    'that replace an object by the same content and lose the response are proved without waiting',
    { timeout: 60_000 },
    async () => {
      rig.wrapClient = (client) => client;
      const first = await rig.begin('again', bytes, { partSize });
      expect(await rig.settle(await rig.complete(first), 60_000)).toMatchObject({ state: 'done' });
      const second = await rig.begin('again', bytes, { partSize });
      // Waits for another second, the resolution of Swift's times.
      await new Promise((resolve) => {
        setTimeout(resolve, 1100);
      });
      completeAnd(true, () => Promise.resolve());
      const before = rig.clock.passedMs;
      const job = await rig.settle(await rig.complete(second), 60_000);
      expect(job).toMatchObject({ state: 'done', outcome: 'wanted-bytes', completeAttempts: 1 });
      expect(rig.clock.passedMs - before).toBeLessThan(120_000);
    },
  );

  test.each([
    ['with a response', false],
    ['with a lost response', true],
  ])(
    'with a part sent after CompleteMultipartUpload are never called a success (%s)',
    { timeout: 60_000 },
    async (_name, isLost) => {
      const ref = await rig.begin(`late-${String(isLost)}`, bytes, { partSize });
      completeAnd(isLost, async () => await rig.put(ref, 3, bytesOf(2000, 5)));
      const job = await rig.settle(await rig.complete(ref), 60_000);
      expect(job).toMatchObject({
        state: 'needs-attention',
        reason: 'object-unreadable',
        error: { s3: { code: 'BrokenMPU' } },
      });
      // Another client sends the right part again: the object is complete, and the next check finds it so.
      await rig.put(ref, 3, bytes.subarray(2 * partSize));
      rig.uploads.jobs.send(job.id, { kind: 'retry-now' });
      expect(await rig.settle(job.id, 60_000)).toMatchObject({ state: 'done', outcome: 'completed' });
    },
  );

  test('leave out parts beyond the end of the file', { timeout: 60_000 }, async () => {
    rig.wrapClient = (client) => client;
    const ref = await rig.begin('longer', bytes, { partSize });
    const file = rig.file('beginning.bin', bytes.subarray(0, partSize + 777));
    expect(await rig.plan(ref, file)).toMatchObject({ partsBeyond: [{ from: 2, to: 3 }], partReplaced: 2 });
    expect(await rig.settle(await rig.resume(ref, file, { leaveOut: true }), 60_000)).toMatchObject({
      outcome: 'completed',
    });
    const object = (await rig.object('longer')) ?? Buffer.alloc(0);
    expect(sha256(object)).toBe(sha256(bytes.subarray(0, partSize + 777)));
  });

  test(
    'are resumed after a restart during an applied CompleteMultipartUpload',
    { timeout: 60_000 },
    async () => {
      const ref = await rig.begin('crashed', bytes, { partSize });
      const applied = Promise.withResolvers<null>();
      completeAnd(false, async () => {
        applied.resolve(null);
        return await new Promise(() => undefined);
      });
      const jobId = await rig.complete(ref);
      await applied.promise;
      rig.wrapClient = (client) => client;
      await rig.restart(() => undefined, true);
      expect(await rig.settle(jobId, 60_000)).toMatchObject({
        state: 'done',
        outcome: 'completed',
        completeAttempts: 1,
      });
    },
  );
});
