import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../core/ports.ts';
import { authenticate, isSigned, unsignedPayload, type AuthRequest, type Payload } from './auth/verify.ts';
import { RequestBody } from './body.ts';
import { xmlAnswer, type Answer, type RequestContext, type ServiceState } from './context.ts';
import { anyError, renderError, ServiceError, serviceError } from './errors.ts';
import type { FaultAction, FaultRequest } from './faults.ts';
import { handlers } from './operations/handlers.ts';
import type { ServiceCredentials } from './options.ts';
import { operationOf, parseTarget, type Operation, type Target } from './router.ts';
import { sendAnswer, type Spoiling } from './send.ts';
import { assertNever } from '../../shared/assert-never.ts';

export interface DispatchSettings {
  readonly state: ServiceState;
  readonly credentials: readonly ServiceCredentials[];
  readonly publicBuckets: ReadonlySet<string>;
  readonly logger: Logger | null;
  /** Aborts what still waits when the service closes. */
  readonly signal: AbortSignal;
}

const longestKeyBytes = 1024;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly hostId: string;
}

/** Answers one request. `expectsContinue`: the client waits for a word before it sends its body. */
export async function dispatch(
  request: IncomingMessage,
  response: ServerResponse,
  settings: DispatchSettings,
  expectsContinue: boolean,
): Promise<void> {
  const requestId = randomBytes(8).toString('hex').toUpperCase();
  const exchange = { request, response, requestId, hostId: randomBytes(24).toString('base64') };
  try {
    await answer(exchange, settings, expectsContinue);
  } catch (error) {
    // The other side has gone, the service closes, or a file cannot be read: nobody is left to be told by an answer.
    if (!response.destroyed && !settings.signal.aborted && !isGone(error)) {
      settings.logger?.error('object storage: an answer could not be sent', { error: String(error) });
    }
    response.destroy();
  }
}

async function answer(
  exchange: Exchange,
  settings: DispatchSettings,
  expectsContinue: boolean,
): Promise<void> {
  const { request, response } = exchange;
  const { state } = settings;
  const method = request.method ?? 'GET';
  const headers = new Map(
    Object.entries(request.headersDistinct).map(([name, values]) => [name, (values ?? []).join(',')]),
  );
  response.setHeader('x-amz-request-id', exchange.requestId);
  response.setHeader('x-amz-id-2', exchange.hostId);
  response.setHeader('server', 'Cooper');
  let target: Target;
  let operation: Operation;
  try {
    target = parseTarget(request);
    operation = operationOf(method, target, headers);
  } catch (error) {
    response.setHeader('date', new Date(state.nowMs()).toUTCString());
    await send(exchange, settings, errorAnswer(error, exchange, settings), {});
    return;
  }
  const fault = state.faults.take(faultRequest(operation, method, target, headers));
  const skewMs = fault?.kind === 'clock-skew' ? fault.ms : 0;
  response.setHeader('date', new Date(state.nowMs() + skewMs).toUTCString());
  if (target.bucket !== '') response.setHeader('x-amz-bucket-region', state.region);
  if (state.faults.latencyMs > 0) await sleep(state.faults.latencyMs, undefined, { signal: settings.signal });
  if (await faultBefore(exchange, settings, fault)) return;

  const auth: AuthRequest = { method, rawPath: target.rawPath, query: target.pairs, headers };
  const run = async (): Promise<Answer> => {
    const refused = refusal(fault);
    if (refused !== null) throw refused;
    refuseExpectation(headers);
    const payload = authorize(auth, settings, operation, target.bucket, state.nowMs() + skewMs);
    const body = new RequestBody(request, headers, payload, () => {
      if (expectsContinue) response.writeContinue();
    });
    if (Buffer.byteLength(target.key) > longestKeyBytes) throw serviceError('KeyTooLongError');
    refuseHeaders(headers);
    refuseChecksums(state, headers);
    const context: RequestContext = {
      state,
      operation,
      method,
      bucket: target.bucket,
      key: target.key,
      query: target.query,
      headers,
      body,
      origin: `http://${headers.get('host') ?? ''}`,
      isPathStyle: target.isPathStyle,
    };
    return weakened(state, await handlers[operation](context));
  };
  const made = await run().catch((error: unknown) => errorAnswer(error, exchange, settings));
  if (fault === null) await send(exchange, settings, made, {});
  else await sendSpoiled(exchange, settings, made, fault);
}

/** A proxy that compresses changes the bytes, and says so of the ETag (RFC 9110, 8.8.1). */
function weakened({ quirks }: ServiceState, answer: Answer): Answer {
  const { etag } = answer.headers;
  if (quirks.etagHeaders === 'strong' || etag === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, etag: `W/${etag}` } };
}

/** Faults that strike before anything is carried out; true: the request is done with. */
async function faultBefore(
  exchange: Exchange,
  settings: DispatchSettings,
  fault: FaultAction | null,
): Promise<boolean> {
  const { request, response } = exchange;
  if (fault === null) return false;
  switch (fault.kind) {
    case 'reset':
      if (fault.apply) return false;
      request.socket.resetAndDestroy();
      return true;
    case 'hang':
      if (fault.apply) return false;
      await hang(response, settings);
      return true;
    case 'cut-request':
      await readBytes(request, fault.bytes);
      request.socket.resetAndDestroy();
      return true;
    case 'delay':
      if (fault.when !== 'after') await sleep(fault.ms, undefined, { signal: settings.signal });
      return false;
    case 'hold':
      await Promise.race([fault.until, untilAborted(settings.signal)]);
      return false;
    case 'ok-with-error':
    case 'ok-empty':
    case 'ok-html':
      if (fault.apply === true) return false;
      await sendSpoiled(exchange, settings, { status: 200, headers: {}, body: null }, fault);
      return true;
    case 'status':
    case 'whitespace':
    case 'cut-answer':
    case 'throttle':
    case 'token-expired':
    case 'clock-skew':
      return false;
    default:
      return assertNever(fault);
  }
}

/** Faults that refuse a request instead of carrying it out. */
function refusal(fault: FaultAction | null): ServiceError | null {
  if (fault?.kind === 'token-expired') return serviceError('ExpiredToken');
  return fault?.kind === 'status' && fault.apply !== true ? statusError(fault) : null;
}

function statusError(fault: Extract<FaultAction, { kind: 'status' }>): ServiceError {
  const headers =
    fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
  const message = fault.message ?? anyError(fault.code).message;
  return new ServiceError(fault.code, fault.status, message, { headers });
}

async function sendSpoiled(
  exchange: Exchange,
  settings: DispatchSettings,
  made: Answer,
  fault: FaultAction,
): Promise<void> {
  const instead = (other: Answer, spoiling: Spoiling = {}): Promise<void> => {
    if (typeof made.body === 'object') made.body?.release();
    return send(exchange, settings, other, spoiling);
  };
  switch (fault.kind) {
    case 'reset':
      if (typeof made.body === 'object') made.body?.release();
      exchange.request.socket.resetAndDestroy();
      return;
    case 'hang':
      if (typeof made.body === 'object') made.body?.release();
      await hang(exchange.response, settings);
      return;
    case 'status':
      if (fault.apply === true) return instead(errorAnswer(statusError(fault), exchange, settings));
      break;
    case 'ok-with-error': {
      const error = anyError(fault.code, undefined, fault.message);
      const { whitespaceBytes: bytes = 0, whitespaceMs: ms = 0 } = fault;
      const spoiling = bytes > 0 || ms > 0 ? { whitespace: { bytes: Math.max(bytes, 1), ms } } : {};
      return instead({ ...errorAnswer(error, exchange, settings), status: 200 }, spoiling);
    }
    case 'ok-empty':
      return instead({ status: 200, headers: {}, body: '' });
    case 'ok-html':
      return instead({
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<html><body>Hello</body></html>',
      });
    case 'whitespace':
      // The status has gone out with the first space, so an error comes as 200 as well.
      return send(exchange, settings, { ...made, status: 200 }, { whitespace: fault });
    case 'cut-answer':
      return send(exchange, settings, made, { cut: { bytes: fault.bytes, clean: fault.clean ?? false } });
    case 'throttle':
      return send(exchange, settings, made, { bytesPerSecond: fault.bytesPerSecond });
    case 'delay':
      if (fault.when === 'after') await sleep(fault.ms, undefined, { signal: settings.signal });
      break;
    case 'cut-request':
    case 'hold':
    case 'token-expired':
    case 'clock-skew':
      break;
  }
  await send(exchange, settings, made, {});
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

/** What would change how an object is kept, and is not there, is refused: nobody may believe that it was done. */
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

/** RFC 9110, 10.1.1: there is one expectation. */
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
  made: Answer,
  spoiling: Spoiling,
): Promise<void> {
  return sendAnswer(exchange.response, made, exchange.request.method === 'HEAD', spoiling, settings.signal);
}

function errorAnswer(thrown: unknown, exchange: Exchange, settings: DispatchSettings): Answer {
  const error = thrown instanceof ServiceError ? thrown : serviceError('InternalError');
  if (!(thrown instanceof ServiceError) && !isGone(thrown)) {
    settings.logger?.error('object storage: a request failed', { error: String(thrown) });
  }
  if (error.status === 304 || exchange.request.method === 'HEAD') {
    return { status: error.status, headers: error.headers, body: null };
  }
  const path = (exchange.request.url ?? '/').split('?', 1)[0] ?? '/';
  const body = renderError(error, path, exchange.requestId, exchange.hostId);
  return { ...xmlAnswer(body, error.headers), status: error.status };
}

/** The other side ended the connection. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(code);
}

/** What a plan of faults sees of a request; the tests' proxy has one too. */
export function faultRequest<Named extends string>(
  operation: Named,
  method: string,
  target: Target,
  headers: ReadonlyMap<string, string>,
): FaultRequest<Named> {
  const part = target.query.get('partNumber');
  return {
    operation,
    method,
    bucket: target.bucket,
    key: target.key,
    uploadId: target.query.get('uploadId') ?? null,
    partNumber: part === undefined ? null : Number(part),
    query: target.query,
    headers,
  };
}

async function hang(response: ServerResponse, settings: DispatchSettings): Promise<void> {
  const { faults } = settings.state;
  faults.hanging += 1;
  try {
    await untilClosed(response, settings.signal);
  } finally {
    faults.hanging -= 1;
  }
}

async function untilClosed(response: ServerResponse, signal: AbortSignal): Promise<void> {
  if (response.destroyed || signal.aborted) return;
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

async function readBytes(request: IncomingMessage, bytes: number): Promise<void> {
  let left = bytes;
  if (left <= 0) return;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    left -= chunk.byteLength;
    if (left <= 0) return;
  }
}
