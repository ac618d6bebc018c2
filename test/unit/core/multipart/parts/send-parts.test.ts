import { createHash } from 'node:crypto';
import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { failure } from '../../../../../shared/errors.ts';
import type { UploadPartInput } from '../../../../../electron/core/s3/model/multipart-types.ts';
import { checksumMemory } from '../../../../support/core/checksum-memory.ts';
import type { S3Client } from '../../../../../electron/core/s3/model/s3-client.ts';
import { createLimiter } from '../../../../../electron/core/flow/limits.ts';
import { createHashPool } from '../../../../../electron/core/disk/hash-pool.ts';
import { lookAtFile } from '../../../../../electron/core/disk/local-file.ts';
import { JobWaits } from '../../../../../electron/core/jobs/job-waits.ts';
import type { PartRecord } from '../../../../../electron/core/multipart/parts/part-store.ts';
import { PartScheduler } from '../../../../../electron/core/flow/part-scheduler.ts';
import { sendParts, type SendOptions } from '../../../../../electron/core/multipart/parts/send-parts.ts';
import { manualClock } from '../../../../support/core/fake-ports.ts';
import { fakeClock } from '../../../../support/servers/s3-client.ts';
import { tempDir } from '../../../../support/temp-dir.ts';
import { bodyBytes } from '../../../../support/core/body-bytes.ts';
import { bytesOf } from '../../../../support/core/uploads-rig.ts';

const hasher = createHashPool();
afterAll(async () => {
  await hasher.close();
});

const size = 100_000;
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

interface Scene {
  readonly options: SendOptions;
  readonly bytes: Buffer;
  readonly file: string;
  readonly received: Map<number, Buffer>;
  readonly sent: PartRecord[];
  readonly log: string[];
  maxInFlight: number;
}

/** Sets up a file of five parts, and a service that receives them through `take`. */
async function scene(
  take: (input: UploadPartInput, bytes: Buffer, tries: number) => string | Promise<string> = (
    _input,
    bytes,
  ) => `"${md5(bytes)}"`,
  change: Partial<SendOptions> = {},
  { checksMd5 = true } = {},
): Promise<Scene> {
  const file = path.join(tempDir(), 'file');
  const bytes = bytesOf(5 * size, 8);
  writeFileSync(file, bytes);
  const clock = fakeClock();
  const tries = new Map<number, number>();
  let inFlight = 0;
  const made: Omit<Scene, 'options'> = {
    bytes,
    file,
    received: new Map(),
    sent: [],
    log: [],
    maxInFlight: 0,
  };
  const client = {
    checksums: checksumMemory(),
    uploadPart: async (input: UploadPartInput) => {
      inFlight += 1;
      made.maxInFlight = Math.max(made.maxInFlight, inFlight);
      try {
        tries.set(input.partNumber, (tries.get(input.partNumber) ?? 0) + 1);
        const body = await bodyBytes(input.body);
        if (checksMd5 && md5(body) !== Buffer.from(input.contentMd5 ?? '', 'base64').toString('hex'))
          throw new Error('BadDigest');
        const etag = await take(input, body, tries.get(input.partNumber) ?? 0);
        made.received.set(input.partNumber, body);
        return { etag, checksums: {} };
      } finally {
        inFlight -= 1;
      }
    },
  } as Partial<S3Client> as S3Client;
  const parts = [1, 2, 3, 4, 5].map((partNumber): PartRecord => ({
    partNumber,
    offset: (partNumber - 1) * size,
    sizeBytes: size,
    state: 'todo',
    md5: null,
    etag: null,
    checksums: {},
  }));
  const options: SendOptions = {
    client,
    hasher,
    clock,
    random: { fraction: () => 0.5, id: () => '' },
    ref: { bucket: 'b', key: 'k', uploadId: 'u' },
    file: await lookAtFile({ path: file }),
    parts,
    algorithm: null,
    etagsAreMd5: true,
    scheduler: new PartScheduler(() => 2),
    order: 0,
    limiters: [],
    waits: new JobWaits(clock),
    signal: new AbortController().signal,
    onSent: (part) => made.sent.push(part),
    onBytes: () => undefined,
    log: (attempt) =>
      made.log.push(`${attempt.request} ${attempt.partNumber ?? ''} ${attempt.error?.code ?? ''}`),
    ...change,
  };
  return Object.assign(made, { options });
}

function isWhole(made: Scene): boolean {
  const joined = Buffer.concat([1, 2, 3, 4, 5].map((part) => made.received.get(part) ?? Buffer.alloc(0)));
  return joined.equals(made.bytes);
}

/** Changes the file before the first part is sent. Its planned properties lack the time of the inode's last change. */
async function changing(made: Scene): Promise<SendOptions> {
  const then = new Date('2026-01-01T00:00:00Z');
  utimesSync(made.file, then, then);
  const { ctimeNs: _unknown, ...planned } = await lookAtFile({ path: made.file });
  let isChanged = false;
  return {
    ...made.options,
    file: planned,
    hasher: {
      ...hasher,
      hash: async (...request) => {
        const hashed = await hasher.hash(...request);
        if (isChanged) return hashed;
        isChanged = true;
        writeFileSync(made.file, bytesOf(5 * size, 9));
        utimesSync(made.file, then, then);
        return hashed;
      },
    },
  };
}

describe('sending parts', () => {
  test.each([
    ['hashed side by side before they are sent', null],
    ['hashed one by one with a checksum', 'crc64nvme' as const],
  ])('%s: uploads every part exactly, within the concurrency limit', async (_name, algorithm) => {
    const made = await scene(undefined, { algorithm, scheduler: new PartScheduler(() => 2) });
    await sendParts(made.options);
    expect(isWhole(made)).toBe(true);
    expect(made.maxInFlight).toBeLessThanOrEqual(2);
    expect(made.sent.map((part) => part.state)).toEqual(Array(5).fill('sent'));
    expect(made.sent.find((part) => part.partNumber === 2)?.md5).toBe(
      md5(made.bytes.subarray(size, 2 * size)),
    );
  });

  test('reopens and resends a failed part, and logs the failure', async () => {
    const made = await scene((input, bytes, tries) => {
      if (input.partNumber === 3 && tries < 3) throw failure('server', 'x', { retry: 'backoff' });
      return `"${md5(bytes)}"`;
    });
    await sendParts(made.options);
    expect(isWhole(made)).toBe(true);
    expect(made.log).toEqual(['upload-part 3 server', 'upload-part 3 server']);
  });

  test('resends a part whose returned ETag is not its MD5', async () => {
    const made = await scene((input, bytes, tries) =>
      input.partNumber === 1 && tries === 1 ? `"${md5(Buffer.from('other'))}"` : `"${md5(bytes)}"`,
    );
    await sendParts(made.options);
    expect(made.log).toEqual(['upload-part 1 damaged']);
    expect(made.sent).toHaveLength(5);
  });

  test("accepts the service's ETag if ETags are not known to be MD5", async () => {
    const made = await scene(() => '"00000000000000000000000000000000"', { etagsAreMd5: false });
    await sendParts(made.options);
    expect(made.sent.map((part) => part.etag)).toEqual(Array(5).fill('"00000000000000000000000000000000"'));
  });

  test('delays all parts by one part\'s Retry-After, reports the wait, and ends it on "Try again now"', async () => {
    const clock = manualClock();
    const waits = new JobWaits(clock);
    const begun: number[] = [];
    const asked = Promise.withResolvers<null>();
    const made = await scene(
      (input, bytes, tries) => {
        begun.push(input.partNumber);
        if (input.partNumber === 1 && tries === 1) {
          asked.resolve(null);
          throw failure('rate-limited', 'Slow down', { retry: 'backoff', retryAfterMs: 600_000 });
        }
        return `"${md5(bytes)}"`;
      },
      { clock, waits, scheduler: new PartScheduler(() => 1) },
    );
    const sending = sendParts(made.options);
    await asked.promise;
    await clock.advance(599_000);
    expect(waits.current).toMatchObject({ error: { code: 'rate-limited', retryAfterMs: 600_000 } });
    expect(begun).toEqual([1]);
    const other = waits.passed(new AbortController().signal);
    waits.end();
    await Promise.all([other, sending]);
    expect(waits.current).toBeNull();
    expect(isWhole(made)).toBe(true);
  });

  test('stops at the first permanent failure and keeps the parts already sent', async () => {
    const made = await scene((input, bytes) => {
      if (input.partNumber === 4) throw failure('access-denied', 'x', { retry: 'after-fix' });
      return `"${md5(bytes)}"`;
    });
    await expect(sendParts(made.options)).rejects.toThrow(/^x$/);
    expect(made.sent.length).toBeGreaterThanOrEqual(2);
    expect(made.sent.some((part) => part.partNumber === 4)).toBe(false);
  });

  test('stops if the file changes while it is sent', async () => {
    const made = await scene((input, bytes) => {
      if (input.partNumber === 2) utimesSync(made.file, new Date(), new Date(Date.now() + 60_000));
      return `"${md5(bytes)}"`;
    });
    await expect(sendParts(made.options)).rejects.toMatchObject({ error: { reason: 'file-changed' } });
    expect(made.sent.some((part) => part.partNumber === 2)).toBe(false);
  });

  test('sends nothing if the file changes after a part is hashed', async () => {
    const made = await scene();
    const hashThenChange: typeof hasher.hash = async (...request) => {
      const hashed = await hasher.hash(...request);
      writeFileSync(made.file, bytesOf(5 * size, 9));
      return hashed;
    };
    await expect(
      sendParts({ ...made.options, hasher: { ...hasher, hash: hashThenChange } }),
    ).rejects.toMatchObject({ error: { reason: 'file-changed' } });
    expect([...made.received.keys()]).toEqual([]);
  });

  describe('a file that changes after it is hashed, with the same size and time,', () => {
    test('is refused by a service that checks the MD5', async () => {
      const made = await scene();
      await expect(sendParts(await changing(made))).rejects.toThrow('BadDigest');
      expect(made.sent).toEqual([]);
    });

    test('is noticed by a second hash if the service proves nothing', async () => {
      const made = await scene(() => '"no MD5"', { etagsAreMd5: false }, { checksMd5: false });
      await expect(sendParts(await changing(made))).rejects.toMatchObject({
        error: { reason: 'file-changed' },
      });
      expect(made.sent).toEqual([]);
    });
  });

  test('holds at most 1 MiB of each part in flight, whatever its size', async () => {
    const held = new Map<number, Set<ArrayBufferLike>>();
    const partBytes = 3 * 1024 * 1024;
    const made = await scene();
    const bytes = bytesOf(3 * partBytes, 8);
    writeFileSync(made.file, bytes);
    const digests: string[] = [];
    const uploadPart: S3Client['uploadPart'] = async ({ partNumber, body }) => {
      const opened = body.open();
      if (opened instanceof Uint8Array) throw new Error('The part is held in memory.');
      const digest = createHash('md5');
      const buffers = new Set<ArrayBufferLike>();
      held.set(partNumber, buffers);
      for await (const chunk of opened as AsyncIterable<Uint8Array>) {
        buffers.add(chunk.buffer);
        digest.update(chunk);
      }
      const heldBytes = [...buffers].reduce((sum, buffer) => sum + buffer.byteLength, 0);
      expect(heldBytes).toBeLessThanOrEqual(1024 * 1024);
      digests[partNumber - 1] = digest.digest('hex');
      return { etag: `"${digests[partNumber - 1] ?? ''}"`, checksums: {} };
    };
    await sendParts({
      ...made.options,
      client: { ...made.options.client, uploadPart },
      file: await lookAtFile({ path: made.file }),
      parts: made.options.parts
        .slice(0, 3)
        .map((part, index) => ({ ...part, offset: index * partBytes, sizeBytes: partBytes })),
    });
    expect(digests).toEqual([0, 1, 2].map((at) => md5(bytes.subarray(at * partBytes, (at + 1) * partBytes))));
    // The memory of a sent part is freed at once.
    expect([...held.values()].flatMap((buffers) => [...buffers].map((buffer) => buffer.byteLength))).toEqual(
      Array(6).fill(0),
    );
  });

  test('sends the checksum that the upload was created with, for each part', async () => {
    const seen: unknown[] = [];
    const made = await scene(
      (input, bytes) => {
        seen.push(input.checksums);
        return `"${md5(bytes)}"`;
      },
      { algorithm: 'sha256' },
    );
    await sendParts(made.options);
    expect(seen).toHaveLength(5);
    expect(seen).toContainEqual({
      sha256: createHash('sha256').update(made.bytes.subarray(0, size)).digest('base64'),
    });
  });

  test('shares one bandwidth limit among all senders', async () => {
    const clock = fakeClock();
    const limiter = createLimiter(clock, () => 100_000);
    const made = await scene(undefined, { clock, limiters: [limiter] });
    const started = clock.monotonicMs();
    await sendParts(made.options);
    // Half a megabyte at 100 kB/s takes 5 s, but the last chunk may start before its own share of the time has passed.
    expect(clock.monotonicMs() - started).toBeGreaterThanOrEqual(4000);
  });

  test('stops all requests and rejects on abort', async () => {
    const stop = new AbortController();
    const made = await scene(
      () => {
        stop.abort(failure('cancelled', 'stopped'));
        throw failure('cancelled', 'stopped');
      },
      { signal: stop.signal },
    );
    await expect(sendParts(made.options)).rejects.toThrow(/stopped/);
    expect(made.sent).toEqual([]);
  });
});

test.skipIf(process.platform === 'win32')(
  'a link that leads to another file only while a part is read sends nothing of that file',
  async () => {
    const { options, file, received } = await scene();
    const other = `${file}-other`;
    const link = `${file}-link`;
    writeFileSync(other, bytesOf(5 * size, 9));
    const leadTo = (target: string): void => {
      rmSync(link, { force: true });
      symlinkSync(target, link);
    };
    leadTo(file);
    const planned = await lookAtFile({ path: link });
    const hashOther: typeof hasher.hash = async (request, ...rest) => {
      leadTo(other);
      try {
        return await hasher.hash(request, ...rest);
      } finally {
        leadTo(file);
      }
    };
    await expect(
      sendParts({ ...options, file: planned, hasher: { ...hasher, hash: hashOther } }),
    ).rejects.toMatchObject({ error: { reason: 'file-changed' } });
    expect([...received.keys()]).toEqual([]);
  },
);
