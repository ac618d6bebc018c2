import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { failure } from '../../../shared/errors.ts';
import type {
  DroppedBatch,
  DroppedBatchTicket,
  DroppedFile,
  DropTicket,
} from '../../../shared/models/files.ts';
import { bytesPath } from '../../../shared/session.ts';
import type { Clock, Logger } from '../ports.ts';
import { namesIn } from '../disk/local-files.ts';
import { syncFolder } from '../store/safe-files.ts';
import { safeFileName } from './local-names.ts';
import {
  freeBytesOf,
  noSpace,
  wrongSize,
  storageFailure,
  checkBatch,
  entriesOf,
  sizeOfBatch,
  writeBatch,
} from './dropped-files.ts';

export interface DroppedDeps {
  /** The folder for the copies, created on first use. No other program uses it. */
  readonly dir: string;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly handleFor: (filePath: string) => string;
  /** Returns true if an unfinished job uploads from a path that contains this id. */
  readonly isInUse: (id: string) => boolean;
  /** Returns the free space of a folder's disk in bytes; replaced in tests. */
  readonly freeBytes?: (dir: string) => Promise<number>;
}

/**
 * Stores copies of dropped files whose path is unknown: all of them in a browser, and on the desktop those that are not files,
 * such as an attachment dragged out of a mail. The page sends their content once.
 */
export interface Dropped {
  /** Reserves space for one file. Returns the address to which the page sends it, and its future handle. */
  receive(input: DroppedFile): Promise<DropTicket>;
  /** Reserves space for many files and their folders. */
  receiveBatch(batch: DroppedBatch): Promise<DroppedBatchTicket>;
  /** Returns the handles of the top-level files and folders of a drop. */
  entriesOf(dropHandle: string): Promise<string[]>;
  /** Receives the content for a ticket, once. Keeps all of it or nothing. */
  take(ticket: string, body: Readable, lengthHeader: string | undefined): Promise<void>;
  /** Discards a copy that the window no longer needs. If an unfinished job uses it, it is deleted after that job. */
  discard(handle: string): Promise<void>;
  /** Removes the copies that neither a window nor an unfinished job needs. */
  sweep(): Promise<void>;
}

interface Expected {
  readonly id: string;
  readonly name: string;
  /** The announced files; null for a single file. */
  readonly batch: DroppedBatch | null;
  readonly sizeBytes: number;
  readonly modifiedAt: string | null;
  readonly endsMs: number;
}

const ticketLifetimeMs = 10 * 60_000;
const maxTickets = 100;

/** The disk space in bytes to leave free for other programs. */
const reserveBytes = 64 * 1024 * 1024;

const partSuffix = '.part';

export function createDropped(deps: DroppedDeps): Dropped {
  const { dir, clock } = deps;
  const tickets = new Map<string, Expected>();
  /**
   * The batches that windows of this run announced, by id, also while they arrive. Those of a reloaded window stay until the next
   * start.
   */
  const dropHandles = new Map<string, string>();
  const inFlight = new Map<string, number>();
  const freeBytes = deps.freeBytes ?? freeBytesOf;

  const expireTickets = (): void => {
    for (const [ticket, { id, endsMs }] of tickets) {
      if (endsMs > clock.monotonicMs()) continue;
      tickets.delete(ticket);
      dropHandles.delete(id);
    }
  };

  const remove = async (id: string): Promise<void> => {
    dropHandles.delete(id);
    await rm(path.join(dir, id), { recursive: true, force: true });
  };

  const checkSpace = async (sizeBytes: number): Promise<void> => {
    const promisedBytes = [...tickets.values()].reduce((sum, ticket) => sum + ticket.sizeBytes, 0);
    const inFlightBytes = [...inFlight.values()].reduce((sum, bytes) => sum + bytes, 0);
    if ((await freeBytes(dir)) - promisedBytes - inFlightBytes - reserveBytes >= sizeBytes) return;
    throw noSpace('There is not enough space on the disk of the data folder for a copy of this file.');
  };

  const prepare = async (sizeBytes: number): Promise<void> => {
    expireTickets();
    if (tickets.size >= maxTickets)
      throw failure('conflict', 'Too many dropped files are waiting.', {
        reason: 'drop-too-many',
        retry: 'after-fix',
      });
    await makeFolder(dir);
    await checkSpace(sizeBytes);
  };

  const idOf = (dropHandle: string): string => {
    const found = [...dropHandles].find(([, handle]) => handle === dropHandle);
    if (found === undefined)
      throw failure('not-found', 'This drop is no longer known. Drop the files again.', {
        reason: 'drop-ticket',
      });
    return found[0];
  };

  /** Writes a single file under a temporary name, and moves it into its folder once it is complete. */
  const writeSingle = async (
    { id, name, sizeBytes, modifiedAt }: Expected,
    body: Readable,
    onLeft: (leftBytes: number) => void,
  ): Promise<void> => {
    const temporary = path.join(dir, id + partSuffix);
    const folder = path.join(dir, id);
    try {
      await write(temporary, body, sizeBytes, onLeft);
      await setTime(temporary, modifiedAt);
      await mkdir(folder, { mode: 0o700 });
      await rename(temporary, path.join(folder, name));
      await syncFolder(folder);
    } catch (thrown) {
      await rm(temporary, { force: true });
      throw thrown;
    }
  };

  return {
    receiveBatch: async (batch) => {
      checkBatch(batch);
      const sizeBytes = sizeOfBatch(batch);
      await prepare(sizeBytes);
      const id = batch.dropHandle === null ? randomBytes(16).toString('hex') : idOf(batch.dropHandle);
      const folder = path.join(dir, id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const dropHandle = batch.dropHandle ?? deps.handleFor(folder);
      dropHandles.set(id, dropHandle);
      const ticket = randomBytes(16).toString('base64url');
      const endsMs = clock.monotonicMs() + ticketLifetimeMs;
      tickets.set(ticket, { id, name: '', sizeBytes, modifiedAt: null, batch, endsMs });
      return { path: bytesPath + ticket, dropHandle };
    },

    entriesOf: async (dropHandle) => {
      const found = await entriesOf(path.join(dir, idOf(dropHandle)));
      return found.map((foundPath) => deps.handleFor(foundPath));
    },

    receive: async (input) => {
      await prepare(input.sizeBytes);
      const id = randomBytes(16).toString('hex');
      const ticket = randomBytes(16).toString('base64url');
      const name = safeFileName(input.name);
      const handle = deps.handleFor(path.join(dir, id, name));
      dropHandles.set(id, handle);
      tickets.set(ticket, {
        ...input,
        id,
        name,
        batch: null,
        endsMs: clock.monotonicMs() + ticketLifetimeMs,
      });
      return { path: bytesPath + ticket, handle };
    },

    take: async (ticket, body, lengthHeader) => {
      expireTickets();
      const expected = tickets.get(ticket);
      if (expected === undefined)
        throw failure('not-found', 'This address is no longer valid. Drop the file again.', {
          reason: 'drop-ticket',
        });
      tickets.delete(ticket);
      const { id, sizeBytes, batch } = expected;
      const onLeft = (leftBytes: number): void => void inFlight.set(id, leftBytes);
      onLeft(sizeBytes);
      try {
        if (lengthHeader !== undefined && lengthHeader !== String(sizeBytes)) throw wrongSize();
        if (batch === null) await writeSingle(expected, body, onLeft);
        else await writeBatch(path.join(dir, id), batch, body, onLeft);
        await syncFolder(dir);
        // The window discarded the drop while its bytes were arriving.
        if (!dropHandles.has(id)) await remove(id);
      } catch (thrown) {
        await remove(id);
        throw storageFailure(thrown);
      } finally {
        inFlight.delete(id);
      }
    },

    discard: async (handle) => {
      for (const [id] of [...dropHandles].filter(([, knownHandle]) => knownHandle === handle)) {
        dropHandles.delete(id);
        for (const [ticket, expected] of tickets) if (expected.id === id) tickets.delete(ticket);
        if (!inFlight.has(id) && !deps.isInUse(id)) await remove(id);
      }
    },

    sweep: async () => {
      for (const name of await namesIn(dir)) {
        const id = /^([0-9a-f]{32})(\.part)?$/.exec(name)?.[1];
        if (id === undefined || inFlight.has(id) || dropHandles.has(id) || deps.isInUse(id)) continue;
        await rm(path.join(dir, name), { recursive: true, force: true }).catch((thrown: unknown) => {
          deps.logger.warn('Could not remove the copy of a dropped file.', { err: thrown });
        });
      }
    },
  };
}

/** Writes chunk by chunk and awaits each, so memory is constant for any size. */
async function write(
  file: string,
  body: Readable,
  sizeBytes: number,
  onLeft: (left: number) => void,
): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let received = 0;
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      if (received + chunk.byteLength > sizeBytes) throw wrongSize();
      // `write` may write only a part of the chunk.
      for (let at = 0; at < chunk.byteLength;)
        at += (await handle.write(chunk, at, chunk.byteLength - at, received + at)).bytesWritten;
      received += chunk.byteLength;
      onLeft(sizeBytes - received);
    }
    if (received !== sizeBytes) throw wrongSize();
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function setTime(file: string, modifiedAt: string | null): Promise<void> {
  if (modifiedAt === null) return;
  const time = new Date(modifiedAt);
  await utimes(file, time, time);
}

async function makeFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    if (process.platform !== 'win32') await chmod(dir, 0o700);
  } catch (thrown) {
    throw storageFailure(thrown);
  }
}
