import {
  Agent,
  createServer,
  request as ask,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { operationRequest, type OperationRequest } from '../../../electron/service/interceptor.ts';
import { Faults } from '../lab-service/server.ts';
import { operationOf, parseTarget, type Operation } from '../../../electron/service/find-operation.ts';
import { errorDocument } from './fault-responses.ts';

/** A fault to inject. With `isApplied`, the service carries out the request anyway, and only its response is affected. */
export type ProxyFault =
  /** Resets the connection without a response. */
  | { readonly kind: 'lost'; readonly isApplied: boolean }
  /** Resets the connection once this many bytes of the request's body have been forwarded. */
  | { readonly kind: 'cut-request'; readonly bytes: number }
  /** Ends the body of the response after this many bytes by a reset, or with `isClean` as if it were complete. */
  | { readonly kind: 'cut'; readonly bytes: number; readonly isClean?: boolean }
  /** Breaks each connection after this many bytes, in both directions together. */
  | { readonly kind: 'break-each'; readonly bytes: number }
  | { readonly kind: 'delay'; readonly ms: number; readonly isApplied: boolean }
  /** Replaces the service's response; `fault-responses.ts` has common ones. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string;
      readonly isApplied: boolean;
    }
  /** Sends no response while the client waits, but optionally white space. */
  | { readonly kind: 'hang'; readonly isApplied: boolean; readonly whiteSpaceEachMs?: number }
  /** Sends the response chunked, without its length. */
  | { readonly kind: 'no-length' }
  | { readonly kind: 'ignore-range' }
  /** Replaces the ETag header of each response, or removes it for null. */
  | { readonly kind: 'etag-header'; readonly value: string | null }
  /** Makes the ETags of responses weak. If-Match with a weak ETag then never holds (RFC 9110, 13.1.1). */
  | { readonly kind: 'weak-etags' }
  /** Refuses conditional requests with 400 InvalidArgument. */
  | { readonly kind: 'refuse-conditions' }
  /** Changes one byte of the response's body. */
  | { readonly kind: 'damage'; readonly atByte: number }
  /** Changes one byte of the request's body, at this fraction of its length (0 to 1), and drops Content-MD5. */
  | { readonly kind: 'damage-request'; readonly at: number }
  /**
   * Forwards only this fraction (0 to 1) of the request's body, with a matching Content-Length, so that the service takes it for
   * the whole body.
   */
  | { readonly kind: 'truncate-request'; readonly at: number }
  /** Drops the Content-MD5 header of the request. */
  | { readonly kind: 'drop-md5' };

export type ProxyOperation = Operation | 'other';
export type ProxyRequest = OperationRequest<ProxyOperation>;

export interface FaultProxy {
  readonly endpoint: string;
  /** Occasional faults: at most one for each request. */
  readonly faults: Faults<ProxyFault, ProxyOperation>;
  /** Permanent behaviour of this proxy, in addition to its faults. */
  readonly habits: Faults<ProxyFault, ProxyOperation>;
  /** How often each kind of fault took effect. For example, a cut after the end of a response has no effect. */
  readonly played: ReadonlyMap<ProxyFault['kind'], number>;
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  /** Returns a uniform number in [0, 1), for rules that fire by chance. */
  readonly fraction?: () => number;
}

/**
 * Starts a proxy on 127.0.0.1 in front of any HTTP service that injects faults by a plan. Forwards the Host header unchanged, so
 * that signatures stay valid. If the service itself breaks a connection, so does the proxy, without counting a fault.
 */
export async function startFaultProxy(
  upstream: string,
  options: FaultProxyOptions = {},
): Promise<FaultProxy> {
  const fraction = options.fraction === undefined ? {} : { fraction: options.fraction };
  const faults = new Faults<ProxyFault, ProxyOperation>(fraction);
  const habits = new Faults<ProxyFault, ProxyOperation>({ ...fraction, journalLength: 1 });
  const played = new Map<ProxyFault['kind'], number>();
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const abort = new AbortController();
  const budgets = new WeakMap<Socket, number>();
  const { hostname, port } = new URL(upstream);

  const server = createServer((request, response) => {
    const way: Way = {
      request,
      response,
      played: (kind) => played.set(kind, (played.get(kind) ?? 0) + 1),
      budgets,
      signal: abort.signal,
      forward: (headers) =>
        ask({
          agent,
          host: hostname,
          port,
          method: request.method,
          path: request.url,
          headers,
          setDefaultHeaders: false,
        }),
    };
    response.on('error', () => undefined);
    const seen = seenIn(request);
    const actions = [habits.take(seen), faults.take(seen)].filter((action) => action !== null);
    carry(way, actions).catch(() => request.socket.destroy());
  });
  server.keepAliveTimeout = 60_000;
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    habits,
    played,
    async close() {
      abort.abort();
      server.closeAllConnections();
      agent.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

interface Way {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly played: (kind: ProxyFault['kind']) => void;
  /** The number of bytes that each connection may still carry. */
  readonly budgets: WeakMap<Socket, number>;
  readonly signal: AbortSignal;
  readonly forward: (headers: readonly string[]) => ClientRequest;
}

function seenIn(request: IncomingMessage): ProxyRequest {
  const headers = new Map(
    Object.entries(request.headersDistinct).map(([name, values]) => [name, (values ?? []).join(',')]),
  );
  const method = request.method ?? 'GET';
  const target = parseTarget(request);
  try {
    return operationRequest<ProxyOperation>(operationOf(method, target, headers), method, target, headers);
  } catch {
    // Another service may support operations that the embedded service lacks.
    return operationRequest<ProxyOperation>('other', method, target, headers);
  }
}

const conditionNames = /^(?:if-(?:none-)?match|x-amz-copy-source-if-(?:none-)?match)$/;

function conditionsOf(request: IncomingMessage): readonly string[] {
  return Object.entries(request.headers)
    .filter(([name]) => conditionNames.test(name))
    .map(([, value]) => String(value));
}

async function carry(way: Way, actions: readonly ProxyFault[]): Promise<void> {
  for (const action of actions) if (await playBefore(way, action)) return;
  const reply = await sendOn(way, actions);
  if (reply === null) return;
  for (const action of actions)
    if (await playAfter(way, action, reply)) {
      reply.resume();
      return;
    }
  await sendBack(way, actions, reply);
}

/** Injects a fault before the request is forwarded. Returns true if the request must not be forwarded. */
async function playBefore(way: Way, action: ProxyFault): Promise<boolean> {
  const { request, response, played } = way;
  switch (action.kind) {
    case 'lost':
      if (action.isApplied) return false;
      played('lost');
      request.socket.resetAndDestroy();
      return true;
    case 'delay':
      if (action.isApplied) return false;
      played('delay');
      await sleep(action.ms, undefined, { signal: way.signal });
      return false;
    case 'answer':
      if (action.isApplied) return false;
      await drained(request);
      standIn(way, action);
      return true;
    case 'hang':
      if (action.isApplied) return false;
      await drained(request);
      await hang(way, action.whiteSpaceEachMs);
      return true;
    case 'refuse-conditions':
      if (conditionsOf(request).length === 0) return false;
      await drained(request);
      played('refuse-conditions');
      refuse(response, 400, 'InvalidArgument');
      return true;
    case 'weak-etags':
      if (!conditionsOf(request).some((value) => value.startsWith('W/'))) return false;
      // If-None-Match uses weak comparison, so a read may proceed with a weak ETag.
      if (request.headers['if-none-match']?.startsWith('W/') === true) return false;
      await drained(request);
      played('weak-etags');
      refuse(response, 412, 'PreconditionFailed');
      return true;
    default:
      return false;
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const body = response.req.method === 'HEAD' ? '' : errorDocument(code);
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body);
}

/** Forwards the request. Returns the service's response, or null without a response. */
async function sendOn(way: Way, actions: readonly ProxyFault[]): Promise<IncomingMessage | null> {
  const { request, played } = way;
  const ignoresRange =
    actions.some(({ kind }) => kind === 'ignore-range') && request.headers.range !== undefined;
  if (ignoresRange) played('ignore-range');
  const upward = spoiledUpward(way, actions);
  const onward = way.forward([
    ...headersWithout(request.rawHeaders, [
      'connection',
      'expect',
      ...(ignoresRange ? ['range'] : []),
      ...upward.without,
    ]),
    ...upward.headers,
  ]);
  const answered = new Promise<IncomingMessage | null>((resolve) => {
    onward.once('response', resolve);
    onward.on('error', () => resolve(null));
    onward.once('close', () => resolve(null));
    request.on('error', () => resolve(null));
    // Aborts the forwarded request after the client aborted in the middle of its body. Otherwise, the service would take the
    // beginning for the whole body.
    request.once('close', () => {
      if (!request.complete) onward.destroy();
    });
  });
  const isCut = new Promise<null>((resolve) => {
    pass(way, upward.body, onward, limitOf(way, actions, 'request'), () => {
      onward.destroy();
      request.socket.resetAndDestroy();
      resolve(null);
    });
  });
  const reply = await Promise.race([answered, isCut]);
  if (reply === null) request.socket.destroy();
  return reply;
}

interface Upward {
  readonly body: NodeJS.ReadableStream;
  readonly without: readonly string[];
  readonly headers: readonly string[];
}

/** Returns the changes to a forwarded request. Keeps a signed Content-MD5, or the service would refuse the signature. */
function spoiledUpward({ request, played }: Way, actions: readonly ProxyFault[]): Upward {
  const plain: Upward = { body: request, without: [], headers: [] };
  const isSigned = /SignedHeaders=[^,]*content-md5/.test(request.headers.authorization ?? '');
  const digests = isSigned || request.headers['content-md5'] === undefined ? [] : ['content-md5'];
  const sizeBytes = Number(request.headers['content-length'] ?? 0);
  for (const action of actions) {
    if (action.kind === 'drop-md5' ? digests.length === 0 : sizeBytes === 0) continue;
    switch (action.kind) {
      case 'damage-request': {
        const atByte = Math.floor(action.at * sizeBytes);
        return {
          ...plain,
          body: request.pipe(damaging(atByte, () => played(action.kind))),
          without: digests,
        };
      }
      case 'truncate-request': {
        const bytes = Math.floor(action.at * sizeBytes);
        played(action.kind);
        return {
          body: request.pipe(truncating(bytes)),
          without: [...digests, 'content-length'],
          headers: ['Content-Length', String(bytes)],
        };
      }
      case 'drop-md5':
        played(action.kind);
        return { ...plain, without: digests };
      default:
        break;
    }
  }
  return plain;
}

/** Returns a stream that reads all its input and passes on only the first bytes. */
function truncating(bytes: number): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      const passed = chunk.subarray(0, left);
      left -= passed.byteLength;
      done(null, passed);
    },
  });
}

/** Injects a fault into the service's response. Returns true if the response must not be forwarded. */
async function playAfter(way: Way, action: ProxyFault, reply: IncomingMessage): Promise<boolean> {
  switch (action.kind) {
    case 'lost':
      await drained(reply);
      way.played('lost');
      way.request.socket.resetAndDestroy();
      return true;
    case 'delay':
      if (!action.isApplied) return false;
      way.played('delay');
      await sleep(action.ms, undefined, { signal: way.signal });
      return false;
    case 'answer':
      await drained(reply);
      standIn(way, action);
      return true;
    case 'hang':
      await drained(reply);
      await hang(way, action.whiteSpaceEachMs);
      return true;
    default:
      return false;
  }
}

async function sendBack(way: Way, actions: readonly ProxyFault[], reply: IncomingMessage): Promise<void> {
  const { request, response, played } = way;
  const status = reply.statusCode ?? 502;
  const hasBody = request.method !== 'HEAD' && status !== 204 && status !== 304;
  let headers = headersWithout(reply.rawHeaders, ['connection', 'keep-alive', 'transfer-encoding']);
  if (actions.some(({ kind }) => kind === 'weak-etags') && reply.headers.etag?.startsWith('"') === true) {
    played('weak-etags');
    headers = headers.map((text, index) =>
      index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'etag' ? `W/${text}` : text,
    );
  }
  const blank = actions.find((action) => action.kind === 'etag-header');
  if (blank !== undefined && reply.headers.etag !== undefined) {
    played('etag-header');
    headers = [...headersWithout(headers, ['etag']), ...(blank.value === null ? [] : ['ETag', blank.value])];
  }
  const cut = actions.find((action) => action.kind === 'cut');
  const isUnmeasured = actions.some(({ kind }) => kind === 'no-length') && reply.headers['content-length'];
  if (hasBody && (isUnmeasured || cut?.isClean === true)) {
    if (isUnmeasured) played('no-length');
    headers = headersWithout(headers, ['content-length']);
  }
  response.writeHead(status, [...headers]);
  if (!hasBody) {
    reply.resume();
    response.end();
    return;
  }
  const damage = actions.find((action) => action.kind === 'damage');
  const source = damage === undefined ? reply : reply.pipe(damaging(damage.atByte, () => played('damage')));
  reply.on('error', () => request.socket.destroy());
  await new Promise<void>((resolve) => {
    response.once('close', resolve);
    pass(way, source, response, limitOf(way, actions, 'answer'), () => {
      if (cut?.isClean === true) response.end();
      else request.socket.resetAndDestroy();
      reply.destroy();
      resolve();
    });
  });
}

interface Limit {
  /** The number of bytes that may still pass. */
  readonly bytes: number;
  readonly kind: 'cut' | 'cut-request' | 'break-each';
  readonly spent: (bytes: number) => void;
}

/** Returns the byte at which a stream is cut, or null if it is not cut. */
function limitOf(
  { request: { socket }, budgets }: Way,
  actions: readonly ProxyFault[],
  direction: 'request' | 'answer',
): Limit | null {
  for (const action of actions) {
    if (action.kind === (direction === 'request' ? 'cut-request' : 'cut'))
      return { bytes: action.bytes, kind: action.kind, spent: () => undefined };
    if (action.kind !== 'break-each') continue;
    const bytes = budgets.get(socket) ?? action.bytes;
    return { bytes, kind: action.kind, spent: (spent) => budgets.set(socket, bytes - spent) };
  }
  return null;
}

/** Pipes with back-pressure up to the limit. Calls `cut` if the limit is reached before the end. */
function pass(
  way: Way,
  from: NodeJS.ReadableStream,
  to: NodeJS.WritableStream,
  limit: Limit | null,
  cut: () => void,
): void {
  if (limit === null) {
    from.pipe(to);
    return;
  }
  let passed = 0;
  let isOver = false;
  from.on('data', (chunk: Buffer) => {
    if (isOver) return;
    const left = limit.bytes - passed;
    passed += Math.min(left, chunk.byteLength);
    limit.spent(passed);
    if (chunk.byteLength <= left) {
      if (!to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
      return;
    }
    isOver = true;
    way.played(limit.kind);
    to.write(chunk.subarray(0, left), cut);
  });
  from.once('end', () => {
    if (!isOver) to.end();
  });
}

function damaging(atByte: number, onDone: () => void): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      const at = atByte - passed;
      passed += chunk.byteLength;
      if (at < 0 || at >= chunk.byteLength) {
        done(null, chunk);
        return;
      }
      const damaged = Buffer.from(chunk);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      onDone();
      done(null, damaged);
    },
  });
}

function standIn({ request, response, played }: Way, action: ProxyFault & { readonly kind: 'answer' }): void {
  played('answer');
  const bytes = Buffer.from(action.body);
  const headers = { ...action.headers, 'content-length': String(bytes.byteLength) };
  response.writeHead(action.status, headers).end(request.method === 'HEAD' ? undefined : bytes);
}

async function hang({ response, played, signal }: Way, whiteSpaceEachMs: number | undefined): Promise<void> {
  played('hang');
  if (whiteSpaceEachMs !== undefined) response.writeHead(200, { 'content-type': 'application/xml' });
  while (!response.destroyed && !signal.aborted) {
    if (whiteSpaceEachMs !== undefined) response.write(' ');
    const waiting = new AbortController();
    const stop = (): void => waiting.abort();
    response.once('close', stop);
    signal.addEventListener('abort', stop, { once: true });
    await sleep(whiteSpaceEachMs ?? 60_000, undefined, { signal: waiting.signal }).catch(() => undefined);
    response.off('close', stop);
    signal.removeEventListener('abort', stop);
  }
}

async function drained(stream: IncomingMessage): Promise<void> {
  if (stream.complete && stream.readableEnded) return;
  await new Promise<void>((resolve) => {
    stream.once('end', resolve);
    stream.once('close', resolve);
    stream.resume();
  });
}

/** Returns raw headers (alternating names and values), leaving out those with these names. */
function headersWithout(raw: readonly string[], names: readonly string[]): readonly string[] {
  return raw.filter((_text, index) => !names.includes((raw[index - (index % 2)] ?? '').toLowerCase()));
}
