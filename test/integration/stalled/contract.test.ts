import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fenceOff } from '../../../electron/core/disk/fence.ts';
import type { CoreClient } from '../../../shared/contract/index.ts';
import type { Job, JobsEvent } from '../../../shared/models/jobs.ts';
import type { UploadRef, UploadRow } from '../../../shared/models/stalled.ts';
import type { UploadPlan } from '../../../shared/models/resume-plan.ts';
import { coreUnderTest, inputFor, serviceUnderTest } from '../../support/core/core-under-test.ts';
import { tempDir } from '../../support/temp-dir.ts';

const everything = { text: '', verdicts: null, bucket: null, begunBefore: null };
const byKey = { by: 'key' as const, descending: false };

async function lastOf<T>(stream: AsyncIterable<T>): Promise<T> {
  let last: T | undefined;
  for await (const event of stream) last = event;
  if (last === undefined) throw new Error('The stream was empty.');
  return last;
}

async function rowsOf(client: CoreClient, connectionId: string): Promise<UploadRow[]> {
  const { scanId } = await lastOf(await client.stalled.scan({ connectionId, bucket: null, prefix: '' }));
  const { rows } = await client.stalled.rows({
    scanId,
    offset: 0,
    limit: 500,
    sort: byKey,
    filter: everything,
  });
  return await client.stalled.inspect({ scanId, rowIds: rows.map((row) => row.id) });
}

async function planOf(client: CoreClient, ref: UploadRef, fileHandle: string): Promise<UploadPlan> {
  const last = await lastOf(await client.stalled.plan({ ref, fileHandle }));
  if (last.kind !== 'plan') throw new Error('No plan.');
  return last.plan;
}

async function untilAtRest(client: CoreClient, jobId: string): Promise<Job> {
  for (;;) {
    const job = await client.jobs.get({ jobId });
    if (['done', 'needs-attention', 'paused', 'cancelled'].includes(job.state)) return job;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

describe('the three stalled uploads of the sample buckets', () => {
  test('are completed as is or from a file, and a wrong file is refused', { timeout: 60_000 }, async () => {
    const dataDir = tempDir();
    const service = await serviceUnderTest({
      samples: { filesDir: path.join(dataDir, 'sample-files'), logCount: 10 },
    });
    await service.samplesReady;
    const { client } = coreUnderTest({ service, dataDir });
    const rows = await rowsOf(client, 'samples');
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(await client.stalled.count({ connectionId: 'samples', bucket: null, prefix: '' })).toEqual({
      count: rows.length,
      isComplete: true,
    });

    // The picker: the samples' files are a separate root, addressed by handle and never by path.
    const roots = await client.files.roots();
    const root = roots.find((entry) => entry.name === 'sample-files');
    const page = { offset: 0, limit: 100, text: '' };
    const listed = await client.files.list({ folderHandle: root?.handle ?? '', ...page });
    expect(JSON.stringify([roots, listed])).not.toContain(dataDir);
    expect(listed.entries.length).toBeGreaterThanOrEqual(2);

    const refs = rows.map(({ bucket, key, uploadId }) => ({
      connectionId: 'samples',
      bucket,
      key,
      uploadId,
    }));
    const refused: string[] = [];
    const finished: Job[] = [];
    for (const ref of refs)
      for (const entry of listed.entries) {
        const plan = await planOf(client, ref, entry.handle);
        if (plan.refusal !== null) {
          refused.push(plan.refusal);
          continue;
        }
        if (plan.partsVerified === 0) continue;
        const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };
        const { jobId } = await client.stalled.resume({ planId: plan.planId, options });
        finished.push(await untilAtRest(client, jobId));
        break;
      }
    expect(refused).toContain('all-differ');
    expect(finished.length).toBeGreaterThanOrEqual(1);
    expect(finished.every((job) => job.state === 'done' && job.outcome === 'completed')).toBe(true);

    const left = await rowsOf(client, 'samples');
    expect(left).toHaveLength(rows.length - finished.length);
    const leftRefs = left.map(({ bucket, key, uploadId }) => ({
      connectionId: 'samples',
      bucket,
      key,
      uploadId,
    }));
    const checks = await client.stalled.checkCompletion({ refs: leftRefs });
    const possible = checks.find((check) => check.problem === null);
    expect(possible).toBeDefined();
    if (possible === undefined) return;
    const { ref, fingerprint, standing } = possible;
    const made = await client.stalled.complete({
      requests: [{ ref, fingerprint, standing, acceptGaps: true }],
    });
    const job = await untilAtRest(client, made.jobIds[0] ?? '');
    expect(job).toMatchObject({ state: 'done' });
    const details = await client.objects.details({
      connectionId: 'samples',
      bucket: ref.bucket,
      key: ref.key,
    });
    expect(details.sizeBytes).toBe(possible.sizeBytes);
    expect(await client.jobs.attempts({ jobId: job.id, beforeId: null, limit: 10 })).not.toEqual([]);
    expect(await client.jobs.clear({ jobIds: null })).toEqual({ removed: finished.length + 1 });
  });
});

describe('the transfer queue over the contract', () => {
  test(
    'pauses, resumes, retries and cancels all jobs with matching counts',
    { timeout: 30_000 },
    async () => {
      const service = await serviceUnderTest({ minPartBytes: 1 });
      const { client, core } = coreUnderTest({ service });
      const made = await client.connections.create(inputFor(service.endpoint));
      const connectionId = made.id;
      const s3 = await core.connectionClient(connectionId);
      await s3.createBucket({ bucket: 'bucket' });
      await client.jobs.updateSettings({ jobsAtOnce: 1 });
      service.faults.latencyMs = 30;
      const refs: UploadRef[] = [];
      for (let index = 0; index < 6; index += 1) {
        const key = `k${index}`;
        const { uploadId } = await s3.createMultipartUpload({ bucket: 'bucket', key });
        const body = { sizeBytes: 1, open: () => Buffer.from('x') };
        await s3.uploadPart({ bucket: 'bucket', key, uploadId, partNumber: 1, body });
        refs.push({ connectionId, bucket: 'bucket', key, uploadId });
      }
      const checks = await client.stalled.checkCompletion({ refs });
      const requests = checks.map(({ ref, fingerprint, standing }) => ({
        ref,
        fingerprint,
        standing,
        acceptGaps: false,
      }));
      const events: JobsEvent[] = [];
      const stop = new AbortController();
      const watching = (async () => {
        for await (const event of await client.jobs.watch(undefined, { signal: stop.signal }))
          events.push(event);
      })();
      const jobIds: string[] = [];
      for (const request of requests)
        jobIds.push(...(await client.stalled.complete({ requests: [request] })).jobIds);
      expect(jobIds).toHaveLength(6);
      await client.jobs.pause({ jobIds: null });
      const paused = await client.jobs.list({
        offset: 0,
        limit: 10,
        filter: { states: ['paused'], connectionId },
      });
      expect(paused.total).toBeGreaterThanOrEqual(5);
      await client.jobs.resume({ jobIds: null });
      for (const jobId of jobIds.slice(0, 3))
        expect(await untilAtRest(client, jobId)).toMatchObject({ state: 'done' });
      await client.jobs.cancel({ jobIds: null });
      const counts = await client.jobs.counts();
      expect(counts.total).toBe(6);
      expect((counts.byState.done ?? 0) + (counts.byState.cancelled ?? 0)).toBe(6);
      stop.abort();
      await watching.catch(() => undefined);
      expect(events.length).toBeGreaterThan(0);
      expect(service.faults.count('AbortMultipartUpload')).toBe(0);
    },
  );

  test('pauses a job whose connection was removed', { timeout: 30_000 }, async () => {
    const service = await serviceUnderTest({ minPartBytes: 1 });
    const { client, core } = coreUnderTest({ service });
    const { id: connectionId } = await client.connections.create(inputFor(service.endpoint));
    const s3 = await core.connectionClient(connectionId);
    await s3.createBucket({ bucket: 'bucket' });
    const { uploadId } = await s3.createMultipartUpload({ bucket: 'bucket', key: 'k' });
    const ref = { connectionId, bucket: 'bucket', key: 'k', uploadId };
    await client.connections.remove({ connectionId });
    const { jobIds } = await client.stalled.abort({ refs: [ref] });
    expect(await untilAtRest(client, jobIds[0] ?? '')).toMatchObject({
      state: 'paused',
      reason: 'connection-missing',
    });
  });
});

describe('the picker of local files', () => {
  test('lists no dot folder or data folder and follows no link out of the roots', async () => {
    const home = tempDir();
    const outside = tempDir();
    const dataDir = path.join(home, 'cooper-data');
    mkdirSync(path.join(home, 'docs'), { recursive: true });
    mkdirSync(path.join(home, '.ssh'));
    mkdirSync(dataDir);
    writeFileSync(path.join(home, 'docs', 'a.bin'), 'a');
    writeFileSync(path.join(home, '.ssh', 'id'), 'secret');
    writeFileSync(path.join(outside, 'b.bin'), 'b');
    cpSync(path.join(home, 'docs', 'a.bin'), path.join(dataDir, 'secrets.json'));
    symlinkSync(outside, path.join(home, 'link-out'));
    symlinkSync(path.join(home, '.ssh'), path.join(home, 'link-ssh'));
    symlinkSync(dataDir, path.join(home, 'link-data'));
    symlinkSync(path.join(home, 'docs'), path.join(home, 'link-docs'));
    const { createFiles } = await import('../../../electron/core/files/files.ts');
    let count = 0;
    onTestFinished(fenceOff(dataDir, ['sample-files']));
    const files = createFiles({
      shell: { revealInFolder: () => Promise.resolve() },
      random: { fraction: () => 0, id: () => `h${(count += 1)}` },
      dialogs: {
        available: false,
        openFiles: () => Promise.resolve([]),
        openFolder: () => Promise.resolve(null),
        saveFile: () => Promise.resolve(null),
      },
      sampleDir: path.join(dataDir, 'sample-files'),
      roots: [home],
    });
    const [root] = await files.roots();
    const page = { offset: 0, limit: 100, text: '' };
    const { entries, total } = await files.list({ folderHandle: root?.handle ?? '', ...page });
    expect(total).toBe(2);
    expect(entries.map((entry) => entry.name)).toEqual(['docs', 'link-docs']);
    const docs = await files.list({ folderHandle: entries[0]?.handle ?? '', ...page });
    expect(docs.entries).toMatchObject([{ name: 'a.bin', kind: 'file', sizeBytes: 1 }]);
    expect(docs.trail.map((step) => step.name)).toEqual([path.basename(home), 'docs']);
    expect(JSON.stringify([entries, docs])).not.toContain(home);
    await expect(files.list({ folderHandle: '/etc', ...page })).rejects.toThrow(/no longer known/);
    await expect(files.pick({ kind: 'file', title: 't', multiple: false })).rejects.toThrow(/no file dialog/);
    expect(await files.realPathOf(docs.entries[0]?.handle ?? '')).toBe(path.join(home, 'docs', 'a.bin'));
  });
});
