import { Readable } from 'node:stream';
import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import { bytesErrorHeader, bytesPath } from '../../../shared/session.ts';
import type { Dropped } from '../files/dropped.ts';
import type { Logger } from '../ports.ts';
import { getExactly } from '../s3/conditions/conditional.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { ExportDownload, WalkExports } from '../walks/exports.ts';
import type { Ticketed, Tickets } from './tickets.ts';
import { refOf, type ByteRange } from '../s3/model/object-types.ts';

export interface BytesRequest {
  readonly method: string;
  /** The path of the request: `/bytes/<ticket>`. */
  readonly path: string;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Aborts when the window no longer waits for the response. */
  readonly signal?: AbortSignal;
  /** The body of a PUT request, if the host accepts PUT. */
  readonly body?: Readable;
}

export interface BytesResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; the caller must read it to its end or destroy it. */
  readonly body: Readable | null;
}

/** Sends the bytes of previews and downloads to the window, and receives dropped files. Both hosts mount it at /bytes/. */
export interface BytesRoute {
  handle(request: BytesRequest): Promise<BytesResponse>;
}

/** Headers that prevent the browser from executing an object, even if its address is opened directly. */
const safeHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "sandbox; default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

export function createBytesRoute(deps: {
  readonly tickets: Tickets;
  readonly client: (connectionId: string) => Promise<S3Client>;
  readonly logger: Logger;
  readonly dropped: Pick<Dropped, 'take'>;
  readonly exports?: Pick<WalkExports, 'open'>;
}): BytesRoute {
  return {
    handle: async (request) => {
      if (request.method === 'PUT' && request.body !== undefined)
        return await receiveDropped(request, request.body, deps);
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return textResponse(405, 'This address is read-only.', { allow: 'GET, HEAD' });
      }
      const ticket = request.path.startsWith(bytesPath) ? request.path.slice(bytesPath.length) : '';
      const isTicket = /^[A-Za-z0-9_-]{22}$/.test(ticket);
      if (isTicket && request.method === 'GET') {
        const download = deps.exports?.open(ticket) ?? null;
        if (download !== null) return exportResponse(download);
      }
      const offered = isTicket && request.method === 'GET' ? deps.tickets.takeOffer(ticket) : null;
      const ticketed = isTicket ? (offered ?? deps.tickets.use(ticket)) : null;
      if (ticketed === null)
        return textResponse(
          404,
          'This address is no longer valid. Open the preview, or begin the download, again.',
        );
      try {
        return await sendObject(request, await ticketed, deps.client);
      } catch (thrown) {
        const error = toAppError(thrown);
        if (error.code === 'internal') deps.logger.error('A preview failed.', { err: thrown });
        return failureResponse(error);
      }
    },
  };
}

/** Returns search results as a file. They are generated while they are sent, so the length is unknown. */
function exportResponse({ fileName, contentType, body }: ExportDownload): BytesResponse {
  return {
    status: 200,
    headers: {
      ...safeHeaders,
      'content-type': contentType,
      'content-disposition': responseDisposition(fileName, 'attachment'),
    },
    body,
  };
}

/** Receives one dropped file. If it is refused, closes the connection, so that the rest is not transferred. */
async function receiveDropped(
  request: BytesRequest,
  body: Readable,
  deps: { readonly dropped: Pick<Dropped, 'take'>; readonly logger: Logger },
): Promise<BytesResponse> {
  try {
    await deps.dropped.take(request.path.slice(bytesPath.length), body, request.headers['content-length']);
    return { status: 204, headers: safeHeaders, body: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'internal') deps.logger.error('Could not store a dropped file.', { err: thrown });
    const status =
      error.reason === 'drop-no-space'
        ? 507
        : (dropFailureStatus[error.code as keyof typeof dropFailureStatus] ?? 500);
    return textResponse(status, error.message, { connection: 'close' });
  }
}

const dropFailureStatus = { 'not-found': 404, 'invalid-argument': 400, cancelled: 499 } as const;

async function sendObject(
  request: BytesRequest,
  ticketed: Ticketed,
  client: (connectionId: string) => Promise<S3Client>,
): Promise<BytesResponse> {
  const { sizeBytes } = ticketed;
  const requestedRange = readRange(request.headers['range'], sizeBytes);
  if (requestedRange.kind === 'unsatisfiable') {
    return textResponse(416, 'This part of the object does not exist.', {
      'content-range': `bytes */${sizeBytes}`,
    });
  }
  const isPart = requestedRange.kind === 'part';
  const range = isPart ? requestedRange.range : { firstByte: 0, lastByte: sizeBytes - 1 };
  const headers = {
    ...safeHeaders,
    'content-type': ticketed.shownAs,
    'content-disposition': responseDisposition(
      ticketed.ref.key,
      ticketed.isFile === true ? 'attachment' : 'inline',
    ),
    'accept-ranges': 'bytes',
    'content-length': String(range.lastByte - range.firstByte + 1),
    ...(isPart ? { 'content-range': `bytes ${range.firstByte}-${range.lastByte}/${sizeBytes}` } : {}),
  };
  const status = isPart ? 206 : 200;
  if (sizeBytes === 0) return { status: 200, headers: { ...headers, 'content-length': '0' }, body: null };
  if (request.method === 'HEAD') return { status, headers, body: null };

  const isWhole = range.firstByte === 0 && range.lastByte === sizeBytes - 1;
  const objectContent = await getExactly(
    await client(ticketed.ref.connectionId),
    { ...refOf(ticketed.ref), ...(isWhole ? {} : { range }), sizeBytes },
    // The condition prevents combining bytes of two versions of an object (aws-c-s3#226).
    { etag: ticketed.etag, sizeBytes: null, lastModified: ticketed.lastModified ?? null },
    { signal: request.signal },
  );
  // Without an ETag, only the size can show that the object changed.
  if (objectContent.sizeBytes !== null && objectContent.sizeBytes !== sizeBytes) {
    objectContent.body.destroy();
    throw failure('conflict', 'The size of the object has changed since the ticket was issued.');
  }
  return { status, headers, body: objectContent.body };
}

/** Returns the response to a failure, with the error code in a header. The response for an expired ticket has no such header. */
function failureResponse(error: AppError): BytesResponse {
  const headers = { [bytesErrorHeader]: error.code };
  switch (error.code) {
    case 'not-found':
      return textResponse(404, 'The object is no longer there.', headers);
    case 'conflict':
      return textResponse(412, 'The object has changed since. Open the preview again.', headers);
    case 'access-denied':
    case 'auth-expired':
      return textResponse(403, 'This key may not read the object.', headers);
    case 'cancelled':
      return textResponse(499, 'The request was aborted.', headers);
    default:
      return textResponse(502, 'The object could not be read from the service.', headers);
  }
}

function textResponse(
  status: number,
  sentence: string,
  headers: Readonly<Record<string, string>> = {},
): BytesResponse {
  const body = Buffer.from(`${sentence}\n`);
  return {
    status,
    headers: {
      ...safeHeaders,
      ...headers,
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(body.byteLength),
    },
    body: Readable.from([body]),
  };
}

/** Returns a Content-Disposition header (RFC 6266) with an ASCII name and the original name in UTF-8. */
export function responseDisposition(key: string, as: 'inline' | 'attachment' = 'inline'): string {
  const name = (key.split('/').findLast((segment) => segment !== '') ?? 'object').toWellFormed();
  const plainName = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_').slice(0, 150);
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${as}; filename="${plainName}"; filename*=UTF-8''${encoded}`;
}

type ParsedRange =
  /** There is no usable Range header. A server may ignore others (RFC 9110, section 14.2). */
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'unsatisfiable' };

/** Parses `bytes=0-99`, `bytes=100-` and `bytes=-100`. For several ranges, returns `whole`. */
export function readRange(header: string | undefined, sizeBytes: number): ParsedRange {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null) return { kind: 'whole' };
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return { kind: 'whole' };
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    if (length === 0) return { kind: 'unsatisfiable' };
    return { kind: 'part', range: { firstByte: sizeBytes - length, lastByte: sizeBytes - 1 } };
  }
  const firstByte = Number(first);
  if (last !== '' && Number(last) < firstByte) return { kind: 'whole' };
  if (firstByte >= sizeBytes) return { kind: 'unsatisfiable' };
  const lastByte = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return { kind: 'part', range: { firstByte, lastByte } };
}
