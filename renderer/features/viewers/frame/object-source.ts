import { errorCodes } from '../../../../shared/error-schema.ts';
import { type ErrorCode, failure } from '../../../../shared/errors.ts';
import type { ObjectRef, Preview } from '../../../../shared/models/objects.ts';
import { bytesErrorHeader } from '../../../../shared/session.ts';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import { rpc } from '../../../rpc/client.ts';
import { cachedSource, type RangeOrigin, type RangeSource } from './range-source.ts';
import type { MediaAddress, ViewedFile, ViewedObject } from './viewer.ts';

export type PreviewedObject = Extract<Preview, { kind: 'object' }>;

export interface ObjectSourceDeps {
  /** Asks the core for a new ticket. */
  readonly preview: (ref: ObjectRef) => Promise<Preview>;
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
}

const windowDeps: ObjectSourceDeps = {
  preview: async (ref) => await rpc.objects.preview(ref),
  fetch: async (path, init) => await fetch(path, init),
};

/**
 * Reads an object through its ticket, which pins one version of it, and renews the ticket when it expires. Returns the object as
 * a source, and as an address for the browser's media player.
 */
export function objectSource(
  ref: ObjectRef,
  first: PreviewedObject,
  deps: ObjectSourceDeps = windowDeps,
): { readonly source: RangeSource; readonly media: MediaAddress } {
  let { path } = first;
  let renewing: Promise<string> | null = null;

  const renewed = async (): Promise<string> => {
    const now = await deps.preview(ref);
    if (
      now.kind !== 'object' ||
      isOtherEtag(now.etag, first.etag) ||
      now.sizeBytes !== first.sizeBytes ||
      now.lastModified !== first.lastModified
    )
      throw changed();
    path = now.path;
    return path;
  };
  const renew = async (): Promise<string> => {
    renewing ??= renewed().finally(() => {
      renewing = null;
    });
    return await renewing;
  };

  const ask = async (offset: number, end: number | null, signal: AbortSignal): Promise<Response> => {
    const headers = { range: `bytes=${String(offset)}-${end === null ? '' : String(end - 1)}` };
    const send = async (to: string): Promise<Response> => {
      try {
        return await deps.fetch(to, { headers, signal, cache: 'no-store' });
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        throw failure('disconnected', 'The bytes could not be fetched.', { retry: 'backoff', cause: thrown });
      }
    };
    let response = await send(path);
    // A 404 without an error code from the service means that the ticket has expired.
    if (response.status === 404 && !response.headers.has(bytesErrorHeader))
      response = await send(await renew());
    if (response.status === 206) return response;
    await response.body?.cancel();
    throw refusal(response);
  };

  const origin: RangeOrigin = {
    sizeBytes: first.sizeBytes,
    fetch: async (offset, length, signal) => {
      const response = await ask(offset, offset + length, signal);
      let bytes: Uint8Array<ArrayBuffer>;
      try {
        bytes = new Uint8Array(await response.arrayBuffer());
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        throw failure('network', 'The response ended early.', { retry: 'backoff', cause: thrown });
      }
      if (bytes.length !== length)
        throw failure(
          'damaged',
          `The response has ${String(bytes.length)} bytes instead of ${String(length)}.`,
        );
      return bytes;
    },
    stream: async (offset, signal) => {
      const { body } = await ask(offset, null, signal);
      if (body === null) throw failure('protocol', 'The response has no body.');
      return body;
    },
  };
  return { source: cachedSource(origin), media: { now: () => path, renew } };
}

/** Returns true if both ETags are known and differ. A proxy may add `W/` to one of them, or remove it (RFC 9110, 8.8.3.2). */
function isOtherEtag(left: string | null, right: string | null): boolean {
  return left !== null && right !== null && left.replace(/^W\//, '') !== right.replace(/^W\//, '');
}

function changed() {
  return failure('conflict', 'The object has changed since it was opened.', { reason: 'object-changed' });
}

function refusal(response: Response) {
  if (response.status === 412) return changed();
  const header = response.headers.get(bytesErrorHeader);
  const code: ErrorCode = errorCodes.find((known) => known === header) ?? 'server';
  return failure(code, `The bytes could not be fetched (HTTP ${String(response.status)}).`, {
    retry: 'backoff',
    ...(code === 'not-found' ? { reason: 'no-such-key' as const } : {}),
  });
}

/** Creates the file that viewers get for an object. */
export function openedFile(
  ref: ObjectRef,
  object: PreviewedObject,
  rest: Pick<ViewedObject, 'refresh' | 'memory'>,
): ViewedFile {
  const { source, media } = objectSource(ref, object);
  return {
    name: lastSegment(ref.key),
    contentType: object.contentType,
    contentEncoding: object.contentEncoding,
    source,
    object: { ref, etag: object.etag, ...rest, media: object.isPlayable ? media : null },
  };
}
