import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { nodeClock } from '../../../../electron/host/node-ports.ts';
import { createHashPool } from '../../../../electron/core/disk/hash-pool.ts';
import type {
  Placed,
  PlaceRequest,
  NameRequest,
  Written,
  HashTask,
} from '../../../../electron/core/disk/hash-messages.ts';
import {
  PlaceQueue,
  type PlaceQueueOptions,
  placeTogether,
  takeSimilarTasks,
} from '../../../../electron/core/disk/grouped-tasks.ts';
import { manualClock } from '../../../support/core/fake-ports.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import type { DiskSync } from '../../../../electron/core/ports.ts';

type Slice = Pick<HashTask, 'kind' | 'sizeBytes' | 'algorithm'>;
const slice = (sizeBytes: number, more: Partial<Slice> = {}): { task: Slice } => ({
  task: { kind: 'hash', sizeBytes, algorithm: null, ...more },
});

test('eight slices of similar length are hashed together, and the others keep their order', () => {
  const queue = [10, 100, 12, 20, 5, 9, 11, 8, 13, 14, 15].map((size) => slice(size));
  expect(takeSimilarTasks(queue).map(({ task }) => task.sizeBytes)).toEqual([10, 12, 20, 5, 9, 11, 8, 13]);
  expect(queue.map(({ task }) => task.sizeBytes)).toEqual([100, 14, 15]);
});

test('two slices are hashed one after the other', () => {
  const queue = [slice(10), slice(10)];
  expect(takeSimilarTasks(queue)).toHaveLength(1);
  expect(queue).toHaveLength(1);
});

test('a slice that needs another checksum is hashed alone', () => {
  const summed = slice(10, { algorithm: 'crc32c' });
  const read = { task: { kind: 'read' } as const };
  const queue = [summed, read, slice(10), slice(10), slice(10)];
  expect(takeSimilarTasks(queue)).toEqual([summed]);
  expect(takeSimilarTasks(queue)).toEqual([read]);
  expect(takeSimilarTasks(queue)).toHaveLength(3);
  expect(takeSimilarTasks(queue)).toEqual([]);
});

const never = new AbortController().signal;

function request(target: string): PlaceRequest {
  const part = path.join(path.dirname(target), `.${path.basename(target)}.part`);
  return { part, target, bytes: Buffer.from(target), seconds: 1_700_000_000.5, mayReplace: false };
}

/** Batches that complete when the test resolves them. */
class Disk {
  readonly batches: { names: readonly string[]; answer: PromiseWithResolvers<readonly Placed[]> }[] = [];
  readonly queue: PlaceQueue;

  constructor(partial: PlaceQueueOptions['partial'] = { kind: 'at-once' }) {
    const place = (files: readonly PlaceRequest[]): Promise<readonly Placed[]> => {
      const response = Promise.withResolvers<readonly Placed[]>();
      this.batches.push({ names: files.map(({ target }) => target), answer: response });
      return response.promise;
    };
    this.queue = new PlaceQueue({ place, maxFiles: 16, partial });
  }

  place(names: readonly string[], signal = never): Promise<boolean>[] {
    return names.map((name) => this.queue.place(request(name), signal));
  }
}

const names = (count: number, start: string): string[] =>
  Array.from({ length: count }, (_, index) => `${start}${index}`);
const free = { isTaken: false };

describe('the queue that saves small files', () => {
  test('batches files that arrive together, and runs two batches at a time', async () => {
    const disk = new Disk();
    const first = disk.place(names(3, 'a'));
    await Promise.resolve();
    const second = disk.place(names(1, 'b'));
    await Promise.resolve();
    const others = disk.place(names(20, 'c'));
    await Promise.resolve();
    expect(disk.batches.map((batch) => batch.names)).toEqual([['a0', 'a1', 'a2'], ['b0']]);
    disk.batches[0]?.answer.resolve([free, { isTaken: true }, free]);
    await expect(Promise.all(first)).resolves.toEqual([true, false, true]);
    disk.batches[1]?.answer.resolve([free]);
    await Promise.all(second);
    expect(disk.batches.slice(2).map((batch) => batch.names)).toEqual([
      names(20, 'c').slice(0, 16),
      names(20, 'c').slice(16),
    ]);
    for (const batch of disk.batches) batch.answer.resolve(batch.names.map(() => free));
    await expect(Promise.all(others)).resolves.toEqual(names(20, 'c').map(() => true));
  });

  test('sends the first file at once and the next ones when the wait is over or the batch is full', async () => {
    const clock = manualClock();
    const disk = new Disk({ kind: 'apart', clock, ms: 60 });
    const alone = disk.place(['alone']);
    await Promise.resolve();
    const few = disk.place(names(3, 'few'));
    await Promise.resolve();
    expect(disk.batches.map((batch) => batch.names)).toEqual([['alone']]);
    await clock.advance(60);
    expect(disk.batches[1]?.names).toEqual(names(3, 'few'));
    disk.batches[0]?.answer.resolve([free]);
    await Promise.all(alone);
    const many = disk.place(names(20, 'many'));
    await Promise.resolve();
    expect(disk.batches[2]?.names).toEqual(names(16, 'many'));
    disk.batches[1]?.answer.resolve(few.map(() => free));
    await Promise.all(few);
    expect(disk.batches).toHaveLength(3);
    await clock.advance(60);
    expect(disk.batches[3]?.names).toEqual(names(20, 'many').slice(16));
    for (const batch of disk.batches) batch.answer.resolve(batch.names.map(() => free));
    await expect(Promise.all(many)).resolves.toEqual(many.map(() => true));
  });

  test('sends a batch early if it holds many bytes', async () => {
    const disk = new Disk({ kind: 'apart', clock: manualClock(), ms: 60 });
    void disk.place(['first']);
    await Promise.resolve();
    const large = ['l0', 'l1', 'l2'].map((name) => ({ ...request(name), bytes: new Uint8Array(2 ** 21) }));
    const placed = large.map((file) => disk.queue.place(file, never));
    await Promise.resolve();
    expect(disk.batches[1]?.names).toEqual(['l0', 'l1']);
    expect(placed).toHaveLength(3);
  });

  test("rejects only the failed file of a batch, with the system's code", async () => {
    const disk = new Disk();
    const [good, bad] = disk.place(['good', 'bad']);
    await Promise.resolve();
    disk.batches[0]?.answer.resolve([free, { code: 'ENOSPC', message: 'no space' }]);
    await expect(good).resolves.toBe(true);
    await expect(bad).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  test('rejects a whole batch if its thread fails, and continues with the next', async () => {
    const disk = new Disk();
    const lost = disk.place(['x', 'y']);
    await Promise.resolve();
    const next = disk.place(names(1, 'z'));
    disk.batches[0]?.answer.reject(new Error('The thread died.'));
    for (const settled of await Promise.allSettled(lost)) expect(settled.status).toBe('rejected');
    disk.batches[1]?.answer.resolve([free]);
    await expect(Promise.all(next)).resolves.toEqual([true]);
  });

  test('does not start files that were aborted while queued', async () => {
    const disk = new Disk();
    const stop = new AbortController();
    const [held] = disk.place(['held']);
    await Promise.resolve();
    const [second] = disk.place(['second']);
    await Promise.resolve();
    const [stopped, kept] = [...disk.place(['stopped'], stop.signal), ...disk.place(['kept'])];
    stop.abort(new Error('stop'));
    disk.batches[0]?.answer.resolve([free]);
    await expect(held).resolves.toBe(true);
    await expect(stopped).rejects.toThrow('stop');
    expect(disk.batches.map((batch) => batch.names)).toEqual([['held'], ['second'], ['kept']]);
    for (const batch of disk.batches) batch.answer.resolve([free]);
    await expect(Promise.all([second, kept])).resolves.toEqual([true, true]);
    await expect(disk.queue.place(request('late'), stop.signal)).rejects.toThrow('stop');
  });
});

/** Pools that flush files singly, together, and with a sync that fails. */
const pools = [
  { how: 'by itself', pool: createHashPool() },
  ...[true, false].map((isSafe) => ({
    how: isSafe ? 'together' : 'by itself after all',
    pool: createHashPool({
      clock: nodeClock,
      disk: { sync: () => Promise.resolve(isSafe), close: () => undefined },
    }),
  })),
];

describe.each(pools)('small files saved in threads, synced $how', ({ pool }) => {
  afterAll(async () => {
    await pool.close();
  });

  test('are written with content, time and name; a failed one or a taken name leaves no partial file', async () => {
    const folder = tempDir();
    const targets = names(50, 'f').map((name) => path.join(folder, name));
    const occupied = path.join(folder, 'f7');
    writeFileSync(occupied, 'of somebody else');
    mkdirSync(path.join(folder, '.f9.part'));
    const settled = await Promise.allSettled(targets.map((target) => pool.placeFile(request(target), never)));
    const placed = targets.filter((target) => target !== occupied && !target.endsWith('f9'));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(49);
    expect(settled[7]).toEqual({ status: 'fulfilled', value: false });
    expect(settled[9]).toMatchObject({ status: 'rejected', reason: { code: 'EISDIR' } });
    for (const target of placed) {
      expect(readFileSync(target, 'utf8')).toBe(target);
      expect(statSync(target).mtimeMs).toBe(1_700_000_000_500);
    }
    expect(readFileSync(occupied, 'utf8')).toBe('of somebody else');
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual(['.f9.part']);
  });

  test('replace an existing file as a whole if allowed', async () => {
    const target = path.join(tempDir(), 'f');
    writeFileSync(target, 'old');
    await expect(pool.placeFile({ ...request(target), mayReplace: true }, never)).resolves.toBe(true);
    expect(readFileSync(target, 'utf8')).toBe(target);
  });
});

const placeRequest = (name: string): PlaceRequest => ({
  part: `/disk/${name}.part`,
  target: `/disk/${name}`,
  bytes: Buffer.from(name),
  seconds: null,
  mayReplace: name.startsWith('over'),
});

const nameOf = ({ target }: { readonly target: string }): string => target.slice('/disk/'.length);

/** Simulates two disks. Names that begin with `b` are on the second. `isSafe` returns the result of syncing a disk. */
function rig(isSafe: (folder: string) => boolean, failing: readonly string[] = []) {
  const messages: string[] = [];
  const disk: Pick<DiskSync, 'sync'> = {
    sync: (folder) => {
      messages.push(`sync ${folder}`);
      return Promise.resolve(isSafe(folder));
    },
  };
  const run = async (names: readonly string[]) =>
    await placeTogether(
      names.map(placeRequest),
      {
        write: (files) => {
          messages.push(`write ${files.map(nameOf).join(' ')}`);
          const written = files.map((file): Written =>
            failing.includes(nameOf(file))
              ? { code: 'ENOSPC', message: 'no space' }
              : { device: nameOf(file).startsWith('b') ? 2 : 1 },
          );
          return Promise.resolve(written);
        },
        name: (files: readonly NameRequest[]) => {
          messages.push(`name ${files.map((file) => `${nameOf(file)}${file.isSafe ? '' : '!'}`).join(' ')}`);
          return Promise.resolve(files.map((file) => ({ isTaken: nameOf(file) === 'taken' })));
        },
      },
      { ...disk, close: () => undefined },
    );
  return { said: messages, run };
}

test('no file is renamed before all volumes of the batch are synced', async () => {
  const { said: messages, run } = rig(() => true);
  await expect(run(['a', 'taken', 'over'])).resolves.toEqual([
    { isTaken: false },
    { isTaken: true },
    { isTaken: false },
  ]);
  expect(messages).toEqual(['write a taken over', 'sync /disk', 'name a taken over']);
});

test('each volume is synced once, and the files of a volume whose sync failed are synced singly', async () => {
  let syncs = 0;
  const { said: messages, run } = rig(() => (syncs += 1) === 1);
  await run(['a1', 'b1', 'a2', 'b2']);
  expect(messages).toEqual(['write a1 b1 a2 b2', 'sync /disk', 'sync /disk', 'name a1 b1! a2 b2!']);
});

test('a file that could not be written is not renamed, and the others are', async () => {
  const { said: messages, run } = rig(() => true, ['bad']);
  await expect(run(['a', 'bad', 'taken'])).resolves.toEqual([
    { isTaken: false },
    { code: 'ENOSPC', message: 'no space' },
    { isTaken: true },
  ]);
  expect(messages).toEqual(['write a bad taken', 'sync /disk', 'name a taken']);
});
