import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { failure } from '../../../shared/errors.ts';
import type { WalkExport, WalkSort } from '../../../shared/models/walks.ts';
import { bytesPath } from '../../../shared/session.ts';
import type { Clock, Dialogs } from '../ports.ts';
import type { Cursor, ExportChunk } from './tables/table-messages.ts';
import type { TableHandle } from './tables/table-thread.ts';
import type { WalkPlace } from './walk-source.ts';

export interface ExportWish {
  readonly table: TableHandle;
  readonly place: WalkPlace;
  readonly format: 'csv' | 'json';
  readonly sort: WalkSort;
  readonly title: string;
}

export interface ExportDownload {
  readonly fileName: string;
  readonly contentType: string;
  readonly body: Readable;
}

export interface WalkExports {
  run(wish: ExportWish, signal: AbortSignal): Promise<WalkExport>;
  /** What a ticket of `run` stands for, once; null: it was never given, or is over. */
  open(ticket: string): ExportDownload | null;
}

const rowsPerChunk = 2000;
const ticketLifetimeMs = 10 * 60_000;
const maxTickets = 50;

/** Writes what a search found into a file, or gives it to a page, a stretch at a time. */
export function createExports(deps: {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly dialogs: Dialogs;
}): WalkExports {
  const tickets = new Map<
    string,
    { readonly wish: ExportWish; readonly fileName: string; readonly endsMs: number }
  >();

  const forgetOld = (): void => {
    for (const [ticket, { endsMs }] of tickets) {
      if (endsMs > deps.clock.monotonicMs() && tickets.size <= maxTickets) return;
      tickets.delete(ticket);
    }
  };

  return {
    run: async (wish, signal) => {
      const fileName = fileNameFor(wish);
      if (!deps.dialogs.available) {
        const ticket = randomBytes(16).toString('base64url');
        tickets.set(ticket, { wish, fileName, endsMs: deps.clock.monotonicMs() + ticketLifetimeMs });
        forgetOld();
        return { kind: 'download', path: bytesPath + ticket, fileName };
      }
      const target = await deps.dialogs.saveFile({ title: wish.title, suggestedName: fileName });
      if (target === null) return { kind: 'cancelled' };
      const rows = await writeFile(wish, target, signal);
      return { kind: 'saved', fileName: path.basename(target), rows };
    },
    open: (ticket) => {
      forgetOld();
      const found = tickets.get(ticket);
      if (found === undefined) return null;
      tickets.delete(ticket);
      const contentType = found.wish.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json';
      return { fileName: found.fileName, contentType, body: Readable.from(bytesOf(found.wish)) };
    },
  };
}

async function* chunksOf(wish: ExportWish): AsyncGenerator<ExportChunk, void, void> {
  let from: Cursor | null = null;
  do {
    const { format, sort } = wish;
    const chunk: ExportChunk = await wish.table.ask('export', { format, sort, from, limit: rowsPerChunk });
    yield chunk;
    from = chunk.next;
  } while (from !== null);
}

async function* bytesOf(wish: ExportWish): AsyncGenerator<Uint8Array, void, void> {
  for await (const { bytes } of chunksOf(wish)) if (bytes.byteLength > 0) yield bytes;
}

/** Under its name only when it is whole. The dialog has asked whether another file may be replaced. */
async function writeFile(wish: ExportWish, target: string, signal: AbortSignal): Promise<number> {
  const part = `${target}.${randomBytes(4).toString('hex')}.part`;
  let rows = 0;
  try {
    const file = await open(part, 'wx');
    try {
      for await (const chunk of chunksOf(wish)) {
        signal.throwIfAborted();
        await file.writeFile(chunk.bytes);
        rows += chunk.rows;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, target);
    return rows;
  } catch (thrown) {
    await rm(part, { force: true });
    if (!(thrown instanceof Error) || !('syscall' in thrown)) throw thrown;
    const isFull = 'code' in thrown && thrown.code === 'ENOSPC';
    throw failure('storage', `The file could not be written: ${thrown.message}`, {
      reason: isFull ? 'disk-full' : 'file-unwritable',
      retry: 'after-fix',
      cause: thrown,
    });
  }
}

/** `photos-2024.csv` for a search below `photos/2024/`. */
function fileNameFor({ place, format }: ExportWish): string {
  const name = `${place.bucket}/${place.prefix}`
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .slice(-2)
    .join('-')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
    .slice(0, 80);
  return `${name.toWellFormed()}.${format}`;
}
