import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { pieceBytes, type TransferRig } from '../../support/core/transfers-rig.ts';
import { smallestPart } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;

rigOfFile((started) => {
  rig = started;
});

beforeEach(() => {
  rig.uploads.jobs.updateSettings({ parallelParts: 4 });
});

/** A client that counts requests for parts, and holds the first ones until the maximum number is in flight. */
class Counting {
  readonly #names: readonly (keyof S3Client)[];
  readonly #isPart: (input: unknown) => boolean;
  readonly #waiting: (() => void)[] = [];
  inFlight = 0;
  maxInFlight = 0;
  maxFiles = 0;
  readonly #keys: string[] = [];
  readonly #full: number;

  constructor(full: number, names: readonly (keyof S3Client)[], isPart: (input: unknown) => boolean) {
    this.#full = full;
    this.#names = names;
    this.#isPart = isPart;
  }

  wrap(client: S3Client): S3Client {
    const wrapped: Record<string, unknown> = { ...client };
    for (const name of this.#names) {
      const method = client[name] as (input: { readonly key: string }, options?: unknown) => Promise<unknown>;
      wrapped[name] = async (input: { readonly key: string }, options?: unknown) => {
        if (!this.#isPart(input)) return await method(input, options);
        await this.#enter(input.key);
        try {
          return await method(input, options);
        } finally {
          this.inFlight -= 1;
          this.#keys.splice(this.#keys.indexOf(input.key), 1);
        }
      };
    }
    return wrapped as unknown as S3Client;
  }

  /** Holds the first requests until the maximum is in flight. If only one file were worked on, this would never happen. */
  async #enter(key: string): Promise<void> {
    this.inFlight += 1;
    this.#keys.push(key);
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
    this.maxFiles = Math.max(this.maxFiles, new Set(this.#keys).size);
    if (this.maxInFlight >= this.#full) for (const go of this.#waiting.splice(0)) go();
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    // Waits for requests that are about to start, so that they are counted.
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  }
}

/** The contents of files with two parts each. */
const contents = Array.from({ length: 6 }, () => randomBytes(2 * smallestPart));
const names = contents.map((_, index) => `file-${index}`);

test('parts of several files are in flight together up to the limit of the settings', async () => {
  const service = new Counting(4, ['uploadPart'], () => true);
  rig.wrapClient = (client) => service.wrap(client);
  const files = contents.map((bytes, index) => rig.file(`file-${index}`, bytes));
  const job = await rig.settle(await rig.upload(files, { multipartFromBytes: smallestPart }));
  expect(job).toMatchObject({ state: 'done', outcome: 'uploaded' });
  expect(service.maxInFlight).toBe(4);
  expect(service.maxFiles).toBeGreaterThanOrEqual(2);
  for (const [index, bytes] of contents.entries())
    expect(bytes.equals((await rig.object(`file-${index}`)) ?? Buffer.alloc(0))).toBe(true);
});

test('pieces of several objects are in flight together up to the limit of the settings', async () => {
  const objects = names.map((name, index) => ({ name, bytes: randomBytes(pieceBytes * 2 - index) }));
  for (const { name, bytes } of objects) await rig.put(name, bytes);
  const service = new Counting(4, ['getObject'], (input) => 'range' in (input as object));
  rig.wrapClient = (client) => service.wrap(client);
  const job = await rig.settle(await rig.download(objects.map(({ name }) => ({ kind: 'key', key: name }))));
  expect(job).toMatchObject({ state: 'done', outcome: 'downloaded' });
  expect(service.maxInFlight).toBe(4);
  expect(service.maxFiles).toBeGreaterThanOrEqual(2);
  for (const { name, bytes } of objects)
    expect(bytes.equals(readFileSync(path.join(rig.fetchDir, name)))).toBe(true);
});

test('large copies run concurrently', async () => {
  const large = names.map((name) => ({ name, bytes: randomBytes(6 * smallestPart) }));
  for (const { name, bytes } of large) await rig.put(name, bytes);
  const service = new Counting(4, ['uploadPartCopy'], () => true);
  rig.wrapClient = (client) => service.wrap(client);
  const { jobId } = rig.operations.copy({
    from: { connectionId: 'c', bucket: rig.bucket, basePrefix: '' },
    items: large.map(({ name }) => ({ kind: 'key', key: name })),
    to: { connectionId: 'c', bucket: rig.otherBucket, prefix: '' },
    options: { onConflict: 'ask', isMove: false },
  });
  const job = await rig.settle(jobId ?? '');
  expect(job).toMatchObject({ state: 'done', outcome: 'copied' });
  expect(service.maxInFlight).toBe(4);
  expect(service.maxFiles).toBeGreaterThanOrEqual(2);
  for (const { name, bytes } of large)
    expect(bytes.equals((await rig.object(name, rig.otherBucket)) ?? Buffer.alloc(0))).toBe(true);
});

test('small files do not wait behind large ones', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const sent: string[] = [];
  rig.wrapClient = (client) => ({
    ...client,
    uploadPart: async (input, options) => {
      await held;
      return await client.uploadPart(input, options);
    },
    putObject: async (input, options) => {
      const response = await client.putObject(input, options);
      if (sent.push(input.key) >= 10) release();
      return response;
    },
  });
  // More large files than run at once, followed by small ones.
  const files = Array.from({ length: 12 }, (_, index) => rig.file(`a-${index}`, randomBytes(smallestPart)));
  for (let index = 0; index < 10; index += 1) files.push(rig.file(`b-${index}`, randomBytes(10)));
  const job = await rig.settle(await rig.upload(files, { multipartFromBytes: smallestPart }));
  expect(job).toMatchObject({ state: 'done', outcome: 'uploaded' });
  expect(new Set(sent).size).toBe(10);
});
