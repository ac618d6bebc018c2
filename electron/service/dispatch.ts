import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomFillSync } from 'node:crypto';
import type { Logger } from '../core/ports.ts';
import { authenticate, isSigned, unsignedPayload, type AuthRequest } from './auth/verify.ts';
import { RequestBody } from './received-body.ts';
import { xmlResponse, type OperationResponse, type RequestContext, type ServiceState } from './context.ts';
import { renderError, ServiceError, serviceError } from './service-errors.ts';
import {
  operationRequest,
  type Interception,
  type Interceptor,
  type OperationRequest,
} from './interceptor.ts';
import { handlers } from './operations/handlers.ts';
import type { ServiceCredentials, Payload } from './auth/canonical.ts';
import { operationOf, parseTarget, type Operation, type Target } from './find-operation.ts';
import { sendResponse } from './send.ts';

interface RequestIds {
  /** 16 hexadecimal digits in upper case. */
  readonly requestId: string;
  /** 24 bytes in Base64. */
  readonly hostId: string;
}

const requestIdBytes = 8;
const idBytes = 32;
const pool = Buffer.allocUnsafe(128 * idBytes);
let usedBytes = pool.byteLength;

/** Returns the two ids of a response. Takes random bytes from a pool, because a call for each response would be slow. */
export function newRequestIds(): RequestIds {
  if (usedBytes === pool.byteLength) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  const middle = usedBytes + requestIdBytes;
  const requestId = pool.toString('hex', usedBytes, middle).toUpperCase();
  usedBytes += idBytes;
  return { requestId, hostId: pool.toString('base64', middle, usedBytes) };
}

export interface DispatchSettings {
  readonly state: ServiceState;
  readonly credentials: readonly ServiceCredentials[];
  readonly publicBuckets: ReadonlySet<string>;
  readonly logger: Logger | null;
  readonly intercept: Interceptor | null;
  /** Aborts pending work when the service closes. */
  readonly signal: AbortSignal;
}

const maxKeyBytes = 1024;

interface Exchange extends RequestIds {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Responds to one request and never rejects. `expectsContinue` means that the client waits for 100 Continue before it sends its
 * body.
 */
export async function dispatch(
  request: IncomingMessage,
  response: ServerResponse,
  settings: DispatchSettings,
  expectsContinue: boolean,
): Promise<void> {
  const exchange = { request, response, ...newRequestIds() };
  try {
    await respond(exchange, settings, expectsContinue);
  } catch (error) {
    // No response can be sent: the client disconnected, the service closes, or a file cannot be read.
    if (!response.destroyed && !settings.signal.aborted && !isGone(error)) {
      settings.logger?.error('object storage: a response could not be sent', { error: String(error) });
    }
    response.destroy();
  }
}

async function respond(
  exchange: Exchange,
  settings: DispatchSettings,
  expectsContinue: boolean,
): Promise<void> {
  const { request, response } = exchange;
  const { state } = settings;
  const method = request.method ?? 'GET';
  const headers = headersOf(request);
  response.setHeader('x-amz-request-id', exchange.requestId);
  response.setHeader('x-amz-id-2', exchange.hostId);
  response.setHeader('server', 'Cooper');
  let target: Target;
  let operation: Operation;
  try {
    target = parseTarget(request, state.quirks.basePath);
    operation = operationOf(method, target, headers);
  } catch (error) {
    response.setHeader('date', new Date(state.nowMs()).toUTCString());
    await send(exchange, settings, errorResponse(error, exchange, settings));
    return;
  }
  const interception = intercepted(operationRequest(operation, method, target, headers), exchange, settings);
  const skewMs = interception?.skewMs ?? 0;
  response.setHeader('date', new Date(state.nowMs() + skewMs).toUTCString());
  if (target.bucket !== '') response.setHeader('x-amz-bucket-region', state.region);
  if (interception !== null && (await interception.before())) return;

  const auth: AuthRequest = { method, rawPath: target.rawPath, query: target.pairs, headers };
  let isContinuePending = expectsContinue;
  const run = async (): Promise<OperationResponse> => {
    const refused = interception?.refusal ?? null;
    if (refused !== null) throw refused;
    refuseExpectation(headers);
    const payload = authorize(auth, settings, operation, target.bucket, state.nowMs() + skewMs);
    const body = new RequestBody(request, headers, payload, () => {
      if (!isContinuePending) return;
      isContinuePending = false;
      response.writeContinue();
    });
    if (Buffer.byteLength(target.key) > maxKeyBytes) throw serviceError('KeyTooLongError');
    refuseHeaders(headers);
    refuseChecksums(state, headers);
    const context: RequestContext = {
      state,
      bucket: target.bucket,
      key: target.key,
      query: target.query,
      headers,
      body,
      origin: `http://${headers.get('host') ?? ''}`,
      isPathStyle: target.isPathStyle,
    };
    return withWeakEtag(state, await handlers[operation](context));
  };
  const operationResponse = await run().catch((error: unknown) => errorResponse(error, exchange, settings));
  // Without 100 Continue, the client may or may not send its body, so the next request could not be distinguished from it.
  if (isContinuePending) response.setHeader('connection', 'close');
  await (interception?.send(operationResponse) ?? send(exchange, settings, operationResponse));
}

/** Returns headers by their names in lower case. Repeated headers are joined by a comma. */
function headersOf({ rawHeaders }: IncomingMessage): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return headers;
}

function intercepted(
  requestInfo: OperationRequest,
  exchange: Exchange,
  settings: DispatchSettings,
): Interception | null {
  if (settings.intercept === null) return null;
  return settings.intercept(requestInfo, {
    request: exchange.request,
    response: exchange.response,
    signal: settings.signal,
    answerTo: (error) => errorResponse(error, exchange, settings),
    send: (reply) => send(exchange, settings, reply),
  });
}

/** Makes the ETag weak if the quirk for weak ETags is set. A proxy that compresses the body does the same (RFC 9110, 8.8.1). */
function withWeakEtag({ quirks }: ServiceState, reply: OperationResponse): OperationResponse {
  const { etag } = reply.headers;
  if (quirks.etagHeaders === 'strong' || etag === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, etag: `W/${etag}` } };
}

function authorize(
  request: AuthRequest,
  settings: DispatchSettings,
  operation: Operation,
  bucket: string,
  nowMs: number,
): Payload {
  const isRead = operation.startsWith('List') || operation.startsWith('Get') || operation.startsWith('Head');
  if (!isSigned(request) && isRead && settings.publicBuckets.has(bucket)) return unsignedPayload(request);
  return authenticate(request, { credentials: settings.credentials, region: settings.state.region, nowMs });
}

const absentFeatures =
  /^x-amz-(server-side-encryption|object-lock|copy-source-server-side-encryption|grant-|mfa)/;

/** Throws NotImplemented for storage options that the service does not have, so that no client believes they took effect. */
function refuseHeaders(headers: ReadonlyMap<string, string>): void {
  const acl = headers.get('x-amz-acl') ?? 'private';
  const name =
    acl === 'private' || acl === 'bucket-owner-full-control'
      ? [...headers].find(([header, value]) => absentFeatures.test(header) && value !== '')?.[0]
      : 'x-amz-acl';
  if (name !== undefined) {
    throw serviceError('NotImplemented', { message: `This service does not have "${name}".` });
  }
}

/** Throws for any expectation except 100-continue, the only one that exists (RFC 9110, 10.1.1). */
function refuseExpectation(headers: ReadonlyMap<string, string>): void {
  const expected = headers.get('expect');
  if (expected !== undefined && expected.trim().toLowerCase() !== '100-continue')
    throw serviceError('ExpectationFailed');
}

function refuseChecksums(state: ServiceState, headers: ReadonlyMap<string, string>): void {
  if (state.quirks.checksumHeaders === 'accepted') return;
  const name = [...headers.keys()].find((header) => /^x-amz-(sdk-)?checksum-|^x-amz-trailer$/.test(header));
  if (name !== undefined)
    throw serviceError('NotImplemented', { message: `Header '${name}' not implemented` });
}

function send(
  exchange: Exchange,
  settings: DispatchSettings,
  operationResponse: OperationResponse,
): Promise<void> {
  return sendResponse(
    exchange.response,
    operationResponse,
    exchange.request.method === 'HEAD',
    settings.signal,
  );
}

function errorResponse(thrown: unknown, exchange: Exchange, settings: DispatchSettings): OperationResponse {
  const error = thrown instanceof ServiceError ? thrown : serviceError('InternalError');
  if (!(thrown instanceof ServiceError) && !isGone(thrown)) {
    settings.logger?.error('object storage: a request failed', { error: String(thrown) });
  }
  if (error.status === 304 || exchange.request.method === 'HEAD') {
    return { status: error.status, headers: error.headers, body: null };
  }
  const path = (exchange.request.url ?? '/').split('?', 1)[0] ?? '/';
  const body = renderError(error, path, exchange.requestId, exchange.hostId);
  return { ...xmlResponse(body, error.headers), status: error.status };
}

/** Returns true for the errors thrown when the client closes the connection. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(code);
}
