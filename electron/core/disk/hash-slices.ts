import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { startChecksum } from './checksums.ts';
import { openPlannedSync, type PlannedSource } from './planned-file.ts';
import type { FileFailure, HashResponse, HashTask, HashTogetherTask, SliceOutcome } from './hash-messages.ts';
import { Md5Streams, type Md5Stream } from './md5-streams.ts';

/** Reports results of a thread's task and checks whether it was cancelled. */
export interface HashRun {
  readonly tell: (response: HashResponse) => void;
  readonly isCancelled: (id: number) => boolean;
  readonly nowMs: () => number;
}

/** The size of one read. It is small enough for the data to stay in the CPU cache until it is hashed. */
const blockBytes = 256 * 1024;
const progressBytes = 4 * 1024 * 1024;
/**
 * Slices are hashed in sequence if their first reads take longer than this on average. On a disk that moves a head, reads that
 * alternate between slices would be several times as slow.
 */
const maxReadMs = 4;
/** The buffer for the bytes of a slice. Allocated at first use. */
let blockBuffer: Buffer | null = null;
/** Created at first use; null if the CPU has no vector instructions. */
let streams: Md5Streams | null | undefined;

/** Returns the MD5 of one slice of a file, with the checksum if one is requested. */
export function hashSlice(task: HashTask, { tell, isCancelled }: HashRun): HashResponse {
  const md5 = createHash('md5');
  const checksum = task.algorithm === null ? null : startChecksum(task.algorithm);
  const file = openPlannedSync(task);
  try {
    let done = 0;
    let reportedBytes = 0;
    while (done < task.sizeBytes) {
      if (isCancelled(task.id)) return { id: task.id, kind: 'cancelled' };
      const maxReadBytes = Math.min(blockBytes, task.sizeBytes - done);
      const target = sharedBlock();
      const read = readSync(file, target, 0, maxReadBytes, task.offset + done);
      if (read === 0) return { id: task.id, kind: 'failed', ...fileFailure(shortFileError()) };
      const bytes = target.subarray(0, read);
      md5.update(bytes);
      checksum?.update(bytes);
      done += read;
      if (done - reportedBytes >= progressBytes || done === task.sizeBytes) {
        tell({ id: task.id, kind: 'progress', bytes: done - reportedBytes });
        reportedBytes = done;
      }
    }
    return { id: task.id, kind: 'done', md5: md5.digest('hex'), checksum: checksum?.digest() ?? null };
  } finally {
    closeSync(file);
  }
}

/** Hashes several slices, in parallel lanes if the CPU supports it. An error in one slice does not affect the others. */
export function hashTogether(task: HashTogetherTask, run: HashRun): HashResponse {
  streams ??= Md5Streams.create();
  return {
    id: task.id,
    kind: 'hashed',
    slices: (streams === null ? null : hashInLanes(task, run, streams)) ?? hashSequentially(task, run),
  };
}

/** Hashes slices in parallel lanes. Returns null if the disk is too slow for that; nothing is reported then. */
function hashInLanes(
  { id, slices }: HashTogetherTask,
  { tell, isCancelled, nowMs }: HashRun,
  md5Streams: Md5Streams,
): readonly SliceOutcome[] | null {
  const startedMs = nowMs();
  let rounds = 0;
  let isSlow = false;
  const files = new Map<string, number>();
  const fileOf = (source: PlannedSource): number => {
    const name = JSON.stringify([source.path, source.planned]);
    const file = files.get(name) ?? openPlannedSync(source);
    files.set(name, file);
    return file;
  };
  const unreported = slices.map(() => 0);
  const reportProgress = (): void => {
    tell({ id, kind: 'progress-together', bytes: [...unreported] });
    unreported.fill(0);
  };
  try {
    const outcomes = md5Streams.hash(
      slices.map((slice): Md5Stream => ({
        sizeBytes: slice.sizeBytes,
        read: (into, offset) => readFully(fileOf(slice), into, slice.offset + offset),
      })),
      (readBytes) => {
        rounds += 1;
        isSlow = rounds === 1 && nowMs() - startedMs > slices.length * maxReadMs;
        if (isSlow) return false;
        for (const [index, bytes] of readBytes.entries())
          unreported[index] = (unreported[index] ?? 0) + bytes;
        if (Math.max(...unreported) >= progressBytes) reportProgress();
        return !isCancelled(id);
      },
    );
    if (isSlow) return null;
    reportProgress();
    return outcomes.map((outcome) =>
      outcome !== 'stopped' && 'thrown' in outcome ? fileFailure(outcome.thrown) : outcome,
    );
  } finally {
    for (const file of files.values()) closeSync(file);
  }
}

function hashSequentially({ id, slices }: HashTogetherTask, run: HashRun): readonly SliceOutcome[] {
  return slices.map((slice, index) => {
    const tell = (response: HashResponse): void => {
      if (response.kind !== 'progress') return;
      run.tell({
        id,
        kind: 'progress-together',
        bytes: slices.map((_, at) => (at === index ? response.bytes : 0)),
      });
    };
    try {
      const answer = hashSlice({ ...slice, kind: 'hash', id, algorithm: null }, { ...run, tell });
      if (answer.kind === 'done') return { md5: answer.md5 };
      return answer.kind === 'failed' ? answer : 'stopped';
    } catch (thrown) {
      return fileFailure(thrown);
    }
  });
}

function readFully(file: number, into: Uint8Array, position: number): void {
  for (let done = 0; done < into.byteLength;) {
    const read = readSync(file, into, done, into.byteLength - done, position + done);
    if (read === 0) throw shortFileError();
    done += read;
  }
}

function shortFileError(): Error {
  return Object.assign(new Error('The file ended early.'), { code: 'SHORT' });
}

/** Converts a thrown error into the message that a thread sends. */
export function fileFailure(thrown: unknown): FileFailure {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null;
  return { code, message: thrown instanceof Error ? thrown.message : String(thrown) };
}

function sharedBlock(): Buffer {
  blockBuffer ??= Buffer.allocUnsafeSlow(blockBytes);
  return blockBuffer;
}
