import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ExportFormat, WalkExport } from '../../../shared/models/walks.ts';
import { bytesPath } from '../../../shared/session.ts';
import { saveFile } from '../disk/save-file.ts';
import type { Clock, Dialogs } from '../ports.ts';
import type { WalkPlace } from './walk-source.ts';

export interface ExportRequest {
  readonly place: Pick<WalkPlace, 'bucket' | 'prefix'>;
  readonly format: ExportFormat;
  readonly title: string;
  /** Generates the whole text in chunks. Each call starts at the beginning. */
  readonly chunks: () => AsyncIterable<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly rows: number }>;
}

export interface ExportDownload {
  readonly fileName: string;
  readonly contentType: string;
  readonly body: Readable;
}

export interface WalkExports {
  run(request: ExportRequest, signal: AbortSignal): Promise<WalkExport>;
  /** Returns the export that `run` registered under this ticket; null if the ticket is unknown or was already used. */
  open(ticket: string): ExportDownload | null;
}

const ticketLifetimeMs = 10 * 60_000;
const maxTickets = 50;

/** Saves a generated text, such as search results, to a file on the desktop, or streams it to a browser, in chunks. */
export function createExports(deps: {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly dialogs: Dialogs;
}): WalkExports {
  const tickets = new Map<
    string,
    { readonly request: ExportRequest; readonly fileName: string; readonly endsMs: number }
  >();

  const forgetOld = (): void => {
    for (const [ticket, { endsMs }] of tickets) {
      if (endsMs > deps.clock.monotonicMs() && tickets.size <= maxTickets) return;
      tickets.delete(ticket);
    }
  };

  return {
    run: async (request, signal) => {
      const fileName = fileNameFor(request);
      if (!deps.dialogs.available) {
        const ticket = randomBytes(16).toString('base64url');
        tickets.set(ticket, { request, fileName, endsMs: deps.clock.monotonicMs() + ticketLifetimeMs });
        forgetOld();
        return { kind: 'download', path: bytesPath + ticket, fileName };
      }
      const target = await deps.dialogs.saveFile({ title: request.title, suggestedName: fileName });
      if (target === null) return { kind: 'cancelled' };
      const rows = await writeFile(request, target, signal);
      return { kind: 'saved', fileName: path.basename(target), rows };
    },
    open: (ticket) => {
      forgetOld();
      const found = tickets.get(ticket);
      if (found === undefined) return null;
      tickets.delete(ticket);
      const contentType =
        extensionOf(found.request) === 'json' ? 'application/json' : 'text/csv; charset=utf-8';
      return { fileName: found.fileName, contentType, body: Readable.from(bytesOf(found.request)) };
    },
  };
}

const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf);

async function* chunksOf({
  format,
  chunks,
}: ExportRequest): AsyncGenerator<{ readonly bytes: Uint8Array; readonly rows: number }, void, void> {
  if (format === 'csv-bom') yield { bytes: byteOrderMark, rows: 0 };
  yield* chunks();
}

async function* bytesOf(request: ExportRequest): AsyncGenerator<Uint8Array, void, void> {
  for await (const { bytes } of chunksOf(request)) if (bytes.byteLength > 0) yield bytes;
}

async function writeFile(request: ExportRequest, target: string, signal: AbortSignal): Promise<number> {
  let rows = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of chunksOf(request)) {
      rows += chunk.rows;
      yield chunk.bytes;
    }
  };
  await saveFile(target, counted(), signal);
  return rows;
}

/** Returns a file name such as `photos-2024.csv` for an export of the prefix `photos/2024/`. */
function fileNameFor(request: ExportRequest): string {
  const { place, format } = request;
  const name = `${place.bucket}/${place.prefix}`
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .slice(-2)
    .join('-')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
    .slice(0, 80);
  return `${name.toWellFormed()}${format === 'manifest' ? '-manifest.csv' : `.${extensionOf(request)}`}`;
}

function extensionOf({ format }: ExportRequest): 'csv' | 'json' {
  return format === 'json' ? 'json' : 'csv';
}
