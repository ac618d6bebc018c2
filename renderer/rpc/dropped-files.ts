import type { DroppedBatch, FileEntry } from '../../shared/models/files.ts';
import { dropResponseSchema } from '../../shared/drop-response.ts';
import { AppFailure, failure } from '../../shared/errors.ts';
import { rpc } from './client.ts';
import { desktopBridge } from './message-port.ts';

interface TakeOptions {
  readonly signal: AbortSignal;
  /** Called with the number of bytes sent to the core. Not called for files that the desktop app reads in place. */
  readonly onSent: (sentBytes: number) => void;
}

/** Lets the core read a dropped file. The desktop app passes the file's path if known. Otherwise, the core receives a copy. */
export async function takeDropped(file: File, options: TakeOptions): Promise<FileEntry> {
  const bridge = desktopBridge();
  if (bridge === null) return await sendCopy(file, options);
  const response = dropResponseSchema.parse(await bridge.droppedFile(file));
  if (response.kind === 'no-path') return await sendCopy(file, options);
  if (response.kind === 'refused') throw new AppFailure(response.error);
  if (response.file.kind !== 'file')
    throw failure('invalid-argument', 'One file is wanted.', {
      reason: 'drop-not-a-file',
      retry: 'after-fix',
    });
  return response.file;
}

/** Tells the core that this window no longer needs a dropped file. The file stays if a job sends it. */
export function discardDropped(file: FileEntry): void {
  // If this request is lost, the next start of the core removes the copy.
  rpc.files.discard({ handle: file.handle }).catch(() => undefined);
}

async function sendCopy(file: File, { signal, onSent }: TakeOptions): Promise<FileEntry> {
  const modifiedAt = new Date(file.lastModified).toISOString();
  const announced = { name: file.name, sizeBytes: file.size, modifiedAt };
  // Not aborted, since only the reply names what to discard in the core.
  const { path, handle } = await rpc.files.receive(announced);
  const entry: FileEntry = { ...announced, handle, kind: 'file' };
  try {
    await putBytes(path, await bodyOf(file), signal, onSent);
  } catch (thrown) {
    discardDropped(entry);
    throw thrown;
  }
  return entry;
}

/**
 * Returns the request body for a file. A browser streams the file from disk. Electron's schemes accept only bytes, but files
 * without a path (attachments, pasted pictures) are small enough to be held in memory.
 */
async function bodyOf(file: Blob): Promise<Blob | ArrayBuffer> {
  return desktopBridge() === null ? file : await file.arrayBuffer();
}

/** Uses XMLHttpRequest, since fetch reports no upload progress. The browser streams the file from disk. */
function putBytes(
  path: string,
  body: Blob | ArrayBuffer,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    request.upload.addEventListener('progress', (event) => onSent(event.loaded));
    request.addEventListener('load', () => {
      if (request.status === 204) resolve();
      else reject(refusal(request.status));
    });
    request.addEventListener('error', () => reject(refusal(0)));
    request.addEventListener('abort', () => reject(failure('cancelled', 'Sending the file was stopped.')));
    request.addEventListener('loadend', () => signal.removeEventListener('abort', stop));
    signal.addEventListener('abort', stop);
    request.open('PUT', path);
    // Sends no type for the file, and does not let the browser guess one.
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.send(body);
    if (signal.aborted) stop();
  });
}

function refusal(status: number): AppFailure {
  const reason = status === 507 ? 'drop-no-space' : status === 400 ? 'drop-wrong-size' : 'drop-not-taken';
  return failure('storage', `The dropped file was not accepted (${String(status)}).`, {
    reason,
    retry: 'after-fix',
  });
}

/** An item in dropped or pasted data, read from its event, which is empty after the handler. */
export interface DroppedItem {
  readonly file: File | null;
  readonly entry: FileSystemEntry | null;
}

export interface TakeProgress {
  readonly files: number;
  readonly sentBytes: number;
}

export interface ReceivedFiles {
  readonly handles: readonly string[];
  /** Discards the copies that the window no longer needs. Copies stay if a job sends them. */
  readonly discard: () => void;
}

/** Limits of one request body; the limit reached first applies. They keep requests few and progress reports regular. */
const batchFiles = 500;
const batchBytes = 64 * 1024 * 1024;

export function droppedItemsOf(data: DataTransfer): readonly DroppedItem[] {
  return [...data.items]
    .filter((item) => item.kind === 'file')
    .map((item) => ({ file: item.getAsFile(), entry: item.webkitGetAsEntry() }));
}

/** Makes files and folders readable by the core. The desktop app passes their paths; a browser sends copies to the core. */
export async function takeDroppedMany(
  items: readonly DroppedItem[],
  signal: AbortSignal,
  onProgress: (progress: TakeProgress) => void,
): Promise<ReceivedFiles> {
  const bridge = desktopBridge();
  if (bridge === null) return await sendCopies(items, signal, onProgress);
  const handles: string[] = [];
  const pathless: DroppedItem[] = [];
  for (const item of items) {
    signal.throwIfAborted();
    if (item.file === null) continue;
    const response = dropResponseSchema.parse(await bridge.droppedFile(item.file));
    if (response.kind === 'refused') throw new AppFailure(response.error);
    if (response.kind === 'no-path') pathless.push(item);
    else handles.push(response.file.handle);
  }
  if (pathless.length > 0) {
    const copies = await sendCopies(pathless, signal, onProgress);
    return { handles: [...handles, ...copies.handles], discard: copies.discard };
  }
  signal.throwIfAborted();
  if (handles.length === 0) throw noFileFailure();
  return { handles, discard: () => undefined };
}

async function sendCopies(
  items: readonly DroppedItem[],
  signal: AbortSignal,
  onProgress: (progress: TakeProgress) => void,
): Promise<ReceivedFiles> {
  let dropHandle: string | null = null;
  const discard = (): void => {
    // If this request is lost, the next start of the core removes the copies.
    if (dropHandle !== null) rpc.files.discard({ handle: dropHandle }).catch(() => undefined);
  };
  let progress: TakeProgress = { files: 0, sentBytes: 0 };
  try {
    for await (const { batch, bodies } of batchesOf(items)) {
      signal.throwIfAborted();
      const before = progress;
      // Not aborted, since only the reply names what to discard in the core.
      const ticket = await rpc.files.receiveBatch({ ...batch, dropHandle });
      ({ dropHandle } = ticket);
      // The browser reads files one at a time while sending, so that no file is held in memory.
      await putBytes(ticket.path, await bodyOf(new Blob(bodies)), signal, (sent) =>
        onProgress({ ...before, sentBytes: before.sentBytes + sent }),
      );
      const sizeBytes = bodies.reduce((sum, file) => sum + file.size, 0);
      progress = { files: before.files + bodies.length, sentBytes: before.sentBytes + sizeBytes };
      onProgress(progress);
    }
    if (dropHandle === null) throw noFileFailure();
    const handles = await rpc.files.droppedEntries({ dropHandle });
    signal.throwIfAborted();
    return { handles, discard };
  } catch (thrown) {
    discard();
    throw thrown;
  }
}

interface Batch {
  readonly batch: Omit<DroppedBatch, 'dropHandle'>;
  readonly bodies: File[];
}

async function* batchesOf(items: readonly DroppedItem[]): AsyncGenerator<Batch> {
  let files: DroppedBatch['files'][number][] = [];
  let emptyFolders: string[][] = [];
  let bodies: File[] = [];
  let bytes = 0;
  for await (const found of filesOf(items)) {
    if (found.file === null) emptyFolders.push([...found.path]);
    else {
      files.push({
        path: [...found.path],
        sizeBytes: found.file.size,
        modifiedAt: new Date(found.file.lastModified).toISOString(),
      });
      bodies.push(found.file);
      bytes += found.file.size;
    }
    if (files.length + emptyFolders.length < batchFiles && bytes < batchBytes) continue;
    yield { batch: { files, emptyFolders }, bodies };
    files = [];
    emptyFolders = [];
    bodies = [];
    bytes = 0;
  }
  if (files.length + emptyFolders.length > 0) yield { batch: { files, emptyFolders }, bodies };
}

interface DroppedEntry {
  readonly path: readonly string[];
  /** Null for an empty folder. */
  readonly file: File | null;
}

/** Yields every dropped file and every empty folder. */
async function* filesOf(items: readonly DroppedItem[]): AsyncGenerator<DroppedEntry> {
  for (const { file, entry } of items) {
    if (entry !== null && entry.isDirectory) yield* filesBelow(entry as FileSystemDirectoryEntry, []);
    else if (file !== null) yield { path: [file.name], file };
  }
}

async function* filesBelow(
  folder: FileSystemDirectoryEntry,
  above: readonly string[],
): AsyncGenerator<DroppedEntry> {
  const path = [...above, folder.name];
  const reader = folder.createReader();
  let isEmpty = true;
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (entries.length === 0) break;
    isEmpty = false;
    for (const entry of entries) {
      if (entry.isDirectory) yield* filesBelow(entry as FileSystemDirectoryEntry, path);
      else {
        const file = await new Promise<File>((resolve, reject) => {
          (entry as FileSystemFileEntry).file(resolve, reject);
        });
        yield { path: [...path, file.name], file };
      }
    }
  }
  if (isEmpty) yield { path, file: null };
}

function noFileFailure(): Error {
  return failure('invalid-argument', 'There was no file in what was dropped.', {
    reason: 'drop-not-a-file',
    retry: 'after-fix',
  });
}
