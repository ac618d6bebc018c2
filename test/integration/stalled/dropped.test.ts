import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Core } from '../../../electron/core/core.ts';
import type { CoreClient } from '../../../shared/contract/index.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import { coreUnderTest, inputFor, serviceUnderTest } from '../../support/core/core-under-test.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';
import { tempDir } from '../../support/temp-dir.ts';

const partSize = 5 * 1024 * 1024;
const bytes = bytesOf(2 * partSize + 1234, 5);

async function drop({ client, core }: { client: CoreClient; core: Core }): Promise<string> {
  const announced = { name: 'film.mp4', sizeBytes: bytes.byteLength, modifiedAt: null };
  const { path: address, handle } = await client.files.receive(announced);
  const body = Readable.from([bytes]);
  expect((await core.bytes.handle({ method: 'PUT', path: address, headers: {}, body })).status).toBe(204);
  return handle;
}

test('the job of a dropped file keeps its copy over a restart, asks if it is gone and removes it at the end', async () => {
  const service = await serviceUnderTest();
  const bucket = service.store.buckets.create('films', 1e12);
  const uploadId = service.store.createUpload(bucket?.id ?? 0, 'film.mp4', {
    initiatedMs: 1e12,
    storageClass: 'STANDARD',
    attributes: { headers: {}, metadata: {} },
    checksumAlgorithm: null,
    checksumType: null,
  });
  await service.store.putPartBytes(uploadId, 1, bytes.subarray(0, partSize), 1e12);
  const dataDir = tempDir();
  const dir = path.join(dataDir, 'dropped');
  const first = coreUnderTest({ dataDir });
  const { id: connectionId } = await first.client.connections.create(inputFor(service.endpoint));

  const fileHandle = await drop(first);
  const ref = { connectionId, bucket: 'films', key: 'film.mp4', uploadId };
  let planId = '';
  for await (const event of await first.client.stalled.plan({ ref, fileHandle }))
    if (event.kind === 'plan') ({ planId } = event.plan);
  const slow = { parallelParts: 1, bandwidthBytesPerSecond: 1024, acceptUnverified: false };
  const { jobId } = await first.client.stalled.resume({ planId, options: slow });
  await first.client.jobs.pause({ jobIds: [jobId] });
  await first.client.files.discard({ handle: fileHandle });
  const [copy, ...others] = readdirSync(dir);
  expect(others).toEqual([]);
  await first.core.close();
  // The removal of this unneeded copy shows that the sweep of the next start has finished.
  writeFileSync(path.join(dir, `${'f'.repeat(32)}.part`), 'the');

  const second = coreUnderTest({ dataDir, ports: first.ports });
  await expect.poll(() => readdirSync(dir), { timeout: 5000 }).toEqual([copy]);
  rmSync(path.join(dir, copy ?? ''), { recursive: true });
  await second.client.jobs.resume({ jobIds: [jobId] });
  const job = async (): Promise<Job> => await second.client.jobs.get({ jobId });
  await expect.poll(async () => (await job()).reason, { timeout: 10_000 }).toBe('file-missing');
  expect((await job()).fileName).toBe('film.mp4');

  const again = await drop(second);
  await second.client.jobs.giveFile({ jobId, fileHandle: again });
  await second.client.files.discard({ handle: again });
  expect(readdirSync(dir)).toHaveLength(1);
  await second.client.jobs.cancel({ jobIds: [jobId] });
  await expect.poll(async () => (await job()).state, { timeout: 10_000 }).toBe('cancelled');
  await expect.poll(() => readdirSync(dir), { timeout: 5000 }).toEqual([]);
}, 30_000);
