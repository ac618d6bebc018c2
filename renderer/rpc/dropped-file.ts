import { dropAnswerSchema } from '../../shared/drop-answer.ts';
import { AppFailure, failure } from '../../shared/errors.ts';
import type { FileEntry } from '../../shared/models/files.ts';
import { rpc } from './client.ts';
import { desktopBridge } from './message-port.ts';

export interface TakeOptions {
  readonly signal: AbortSignal;
  /** Called with the number of bytes sent to the core. Not called for files that the desktop app reads in place. */
  readonly onSent: (sentBytes: number) => void;
}

/** Lets the core read a dropped file. The desktop app passes the file's path if known. Otherwise, the core receives a copy. */
export async function takeDropped(file: File, options: TakeOptions): Promise<FileEntry> {
  const bridge = desktopBridge();
  if (bridge === null) return await sendCopy(file, options);
  const answer = dropAnswerSchema.parse(await bridge.droppedFile(file));
  if (answer.kind === 'no-path') return await sendCopy(file, options);
  if (answer.kind === 'refused') throw new AppFailure(answer.error);
  if (answer.file.kind !== 'file')
    throw failure('invalid-argument', 'One file is wanted.', {
      reason: 'drop-not-a-file',
      retry: 'after-fix',
    });
  return answer.file;
}

/** Tells the core that this window no longer needs a dropped file. The file stays if a job sends it. */
export function discardDropped(file: FileEntry): void {
  // If this request is lost, the next start of the core removes the copy.
  rpc.files.discard({ handle: file.handle }).catch(() => undefined);
}

async function sendCopy(file: File, { signal, onSent }: TakeOptions): Promise<FileEntry> {
  const modifiedAt = new Date(file.lastModified).toISOString();
  const announced = { name: file.name, sizeBytes: file.size, modifiedAt };
  const { path, handle } = await rpc.files.receive(announced, { signal });
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
export async function bodyOf(file: Blob): Promise<Blob | ArrayBuffer> {
  return desktopBridge() === null ? file : await file.arrayBuffer();
}

/** Uses XMLHttpRequest, since fetch reports no upload progress. The browser streams the file from disk. */
export function putBytes(
  path: string,
  body: Blob | ArrayBuffer,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    const settle = (outcome: () => void) => (): void => {
      signal.removeEventListener('abort', stop);
      outcome();
    };
    request.upload.addEventListener('progress', (event) => onSent(event.loaded));
    request.addEventListener(
      'load',
      settle(() => (request.status === 204 ? resolve() : reject(refusal(request.status)))),
    );
    request.addEventListener(
      'error',
      settle(() => reject(refusal(0))),
    );
    request.addEventListener(
      'abort',
      settle(() => reject(failure('cancelled', 'Sending the file was stopped.'))),
    );
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
  return failure('storage', `The dropped file was not taken (${String(status)}).`, {
    reason,
    retry: 'after-fix',
  });
}
