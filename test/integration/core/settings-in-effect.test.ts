import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startProgram, type Program } from '../../../electron/host/program.ts';
import { Faults } from '../../support/lab-service/server.ts';
import type { Operation } from '../../../electron/service/find-operation.ts';
import type { Service } from '../../support/lab-service/server.ts';
import type { Settings } from '../../../shared/models/settings.ts';
import type { JobSettings } from '../../../shared/models/jobs.ts';
import { defaultUploadOptions, type UploadOptions } from '../../../shared/models/transfers.ts';
import {
  coreUnderTest,
  inputFor,
  serviceUnderTest,
  type CoreUnderTest,
} from '../../support/core/core-under-test.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** Tests that each setting, set as by the window, really changes the requests that the service receives. */
const MiB = 1024 ** 2;
const bucket = 'bucket';

interface Rig extends CoreUnderTest {
  readonly service: Service;
  readonly faults: Faults;
  readonly connectionId: string;
  /** Uploads a file of this size and returns its job's id. */
  send(name: string, sizeBytes: number, options?: Partial<UploadOptions>): Promise<string>;
  until(jobId: string, state: string): Promise<void>;
  /** Returns the body sizes, in bytes, of the requests of this operation. */
  sent(operation: Operation): readonly number[];
}

async function rigWith(settings: Partial<Settings>, jobs: Partial<JobSettings> = {}): Promise<Rig> {
  const faults = new Faults();
  const service = await serviceUnderTest({ faults });
  service.store.buckets.create(bucket, Date.now());
  const made = coreUnderTest();
  const { client, core } = made;
  const { id: connectionId } = await client.connections.create(inputFor(service.endpoint));
  await client.settings.update(settings);
  await client.jobs.updateSettings(jobs);
  const dir = tempDir();
  return {
    ...made,
    service,
    faults,
    connectionId,
    send: async (name, sizeBytes, options = {}) => {
      const file = path.join(dir, name);
      writeFileSync(file, Buffer.alloc(sizeBytes, name));
      const { handle } = await core.droppedFile(file);
      const { jobId } = await client.transfers.upload({
        connectionId,
        bucket,
        prefix: '',
        fileHandles: [handle],
        options: { ...defaultUploadOptions, ...options },
      });
      return jobId;
    },
    until: async (jobId, state) => {
      await vi.waitFor(async () => expect((await client.jobs.get({ jobId })).state).toBe(state), 20_000);
    },
    sent: (operation) =>
      faults.journal
        .filter((entry) => entry.operation === operation)
        .map(({ headers }) => Number(headers.get('content-length')))
        .toSorted((left, right) => right - left),
  };
}

describe('an upload', () => {
  test('uses the part size of the settings', async () => {
    const rig = await rigWith({ multipartFromBytes: 5 * MiB, partSizeBytes: 7 * MiB });
    await rig.until(await rig.send('a', 16 * MiB), 'done');
    expect(rig.sent('UploadPart')).toEqual([7 * MiB, 7 * MiB, 2 * MiB]);
  });

  test('may use parts above the multipart threshold, and a threshold above the part size', async () => {
    const rig = await rigWith({ multipartFromBytes: 5 * MiB, partSizeBytes: 40 * MiB });
    await rig.until(await rig.send('a', 6 * MiB), 'done');
    expect(rig.sent('UploadPart')).toEqual([6 * MiB]);
    await rig.client.settings.update({ multipartFromBytes: 12 * MiB, partSizeBytes: 5 * MiB });
    await rig.until(await rig.send('b', 12 * MiB), 'done');
    expect(rig.sent('UploadPart')).toEqual([6 * MiB, 5 * MiB, 5 * MiB, 2 * MiB]);
  });

  test('prefers its own options to the settings', async () => {
    const rig = await rigWith({ multipartFromBytes: 5 * MiB, partSizeBytes: 5 * MiB });
    await rig.until(await rig.send('a', 12 * MiB, { partSizeBytes: 6 * MiB }), 'done');
    expect(rig.sent('UploadPart')).toEqual([6 * MiB, 6 * MiB]);
  });

  test('is sent in parts from the multipart threshold of the settings', async () => {
    const rig = await rigWith({ multipartFromBytes: 6 * MiB });
    await rig.until(await rig.send('a', 6 * MiB - 1), 'done');
    expect(rig.faults.count('CreateMultipartUpload')).toBe(0);
    await rig.until(await rig.send('b', 6 * MiB), 'done');
    expect(rig.faults.count('CreateMultipartUpload')).toBe(1);
  });

  test('that copies through this computer uses the part size too', async () => {
    const rig = await rigWith({ partSizeBytes: 9 * MiB });
    const source = rig.service.store.buckets.create('source', Date.now());
    if (source === null) throw new Error('The bucket already exists.');
    await rig.service.store.putBytes(source.id, 'a', Buffer.alloc(20 * MiB, 'a'), { modifiedMs: 1e12 });
    const other = await rig.client.connections.create(inputFor(rig.service.endpoint, { name: 'Other' }));
    const { jobId } = await rig.client.operations.copy({
      from: { connectionId: rig.connectionId, bucket: 'source', basePrefix: '' },
      items: [{ kind: 'key', key: 'a' }],
      to: { connectionId: other.id, bucket, prefix: '' },
      options: { isMove: false, onConflict: 'ask' },
    });
    await rig.until(jobId ?? 'none', 'done');
    expect(rig.sent('UploadPart')).toEqual([9 * MiB, 9 * MiB, 2 * MiB]);
  });

  test.each([1, 3])('sends %i parts of a file at a time', async (parallelParts) => {
    const sizes = { multipartFromBytes: 5 * MiB, partSizeBytes: 5 * MiB };
    const rig = await rigWith(sizes, { parallelParts });
    rig.faults.add({ operation: 'UploadPart', times: Infinity, action: { kind: 'hang', apply: false } });
    const jobId = await rig.send('a', 25 * MiB);
    await vi.waitFor(() => expect(rig.faults.hanging).toBe(parallelParts), 20_000);
    // Any further part would be sent before another job has listed, checked and sent its file.
    await rig.until(await rig.send('b', 10), 'done');
    expect(rig.faults.count('UploadPart')).toBe(parallelParts);
    await rig.client.jobs.cancel({ jobIds: [jobId] });
  });

  test.each([1, 2])('is one of %i jobs that run at a time', async (jobsAtOnce) => {
    const rig = await rigWith({}, { jobsAtOnce });
    rig.faults.add({ operation: 'PutObject', times: Infinity, action: { kind: 'hang', apply: false } });
    const jobIds = [await rig.send('a', 10), await rig.send('b', 10), await rig.send('c', 10)];
    await vi.waitFor(() => expect(rig.faults.hanging).toBe(jobsAtOnce), 20_000);
    await rig.client.buckets.list({ connectionId: rig.connectionId });
    expect(rig.faults.count('PutObject')).toBe(jobsAtOnce);
    await rig.client.jobs.cancel({ jobIds });
  });
});

test('the speed limit applies to uploads and downloads', async () => {
  const rig = await rigWith({}, { bandwidthBytesPerSecond: 2 * MiB });
  const begunMs = performance.now();
  await rig.until(await rig.send('a', 3 * MiB), 'done');
  const upMs = performance.now() - begunMs;
  // Allows less than the computed time, because the first bytes pass without a wait.
  expect(upMs).toBeGreaterThan(1000);
  const folder = tempDir();
  const { jobId } = await rig.client.transfers.download({
    connectionId: rig.connectionId,
    bucket,
    basePrefix: '',
    items: [{ kind: 'key', key: 'a' }],
    folderHandle: (await rig.core.droppedFile(folder)).handle,
    options: { onConflict: 'ask' },
  });
  await rig.until(jobId, 'done');
  expect(performance.now() - begunMs - upMs).toBeGreaterThan(1000);
});

test('downloads go to the folder of the settings, and ask again once it is gone', async () => {
  const rig = await rigWith({});
  await rig.until(await rig.send('a', 10), 'done');
  const folder = path.join(tempDir(), 'all downloads');
  mkdirSync(folder);
  const { handle } = await rig.core.droppedFile(folder);
  await rig.client.settings.setDownloadFolder({ folderHandle: handle });
  const kept = await rig.client.settings.downloadFolder();
  expect(kept).toMatchObject({ name: 'all downloads', kind: 'folder' });
  const { jobId } = await rig.client.transfers.download({
    connectionId: rig.connectionId,
    bucket,
    basePrefix: '',
    items: [{ kind: 'key', key: 'a' }],
    folderHandle: kept?.handle ?? '',
    options: { onConflict: 'ask' },
  });
  await rig.until(jobId, 'done');
  expect(readFileSync(path.join(folder, 'a'))).toHaveLength(10);
  rmSync(folder, { recursive: true });
  expect(await rig.client.settings.downloadFolder()).toBeNull();
});

describe('the log', () => {
  let program: Program | null = null;
  afterEach(async () => {
    await program?.close();
    program = null;
  });

  test('changes its level with the settings at once', async () => {
    const dataDir = tempDir();
    const { secrets, dialogs, shell } = fakePorts();
    vi.stubEnv('COOPER_SAMPLE_LOGS', '0');
    const running = (program = await startProgram({ dataDir, host: 'browser', secrets, dialogs, shell }));
    const { logger, core } = running;
    const log = (): string => readFileSync(path.join(dataDir, 'cooper.log'), 'utf8');
    const say = (level: Settings['logLevel'], text: string): void => {
      core.settings.update({ logLevel: level });
      logger[level](text);
    };
    logger.debug('debug at first');
    expect(log()).not.toContain('debug at first');
    await vi.waitFor(() => {
      say('debug', 'debug when wanted');
      expect(log()).toContain('debug when wanted');
    });
    core.settings.update({ logLevel: 'error' });
    let tries = 0;
    await vi.waitFor(() => {
      tries += 1;
      logger.warn(`warning ${String(tries)}`);
      expect(log()).not.toContain(`warning ${String(tries)}`);
    });
    logger.error('an error all the same');
    expect(log()).toContain('an error all the same');
  });
});
