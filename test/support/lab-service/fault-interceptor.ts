import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationResponse } from '../../../electron/service/context.ts';
import { knownError, ServiceError, serviceError } from '../../../electron/service/service-errors.ts';
import type { InterceptedExchange, Interceptor } from '../../../electron/service/interceptor.ts';
import { assertNever } from '../../../shared/assert-never.ts';
import type { FaultAction, Faults } from './faults.ts';
import { sendDecompressed, sendSpoiled, type Spoiling } from './spoiled-response.ts';

/** Returns an interceptor that injects the planned faults into a service. */
export function faultInterceptor(faults: Faults): Interceptor {
  return (request, exchange) => {
    const fault = faults.take(request);
    return {
      skewMs: fault?.kind === 'clock-skew' ? fault.ms : 0,
      refusal: refusal(fault),
      before: async () => {
        if (faults.latencyMs > 0) await sleep(faults.latencyMs, undefined, { signal: exchange.signal });
        // The service decompresses the whole object, and ignores ranges.
        if (fault?.kind === 'decompressed' && request.headers instanceof Map) request.headers.delete('range');
        return await faultBefore(exchange, faults, fault);
      },
      send: (made) => (fault === null ? exchange.send(made) : sendByFault(exchange, faults, made, fault)),
    };
  };
}

/** Injects faults that happen before the operation. Returns true if the request must not be processed further. */
async function faultBefore(
  exchange: InterceptedExchange,
  faults: Faults,
  fault: FaultAction | null,
): Promise<boolean> {
  const { request, response, signal } = exchange;
  if (fault === null) return false;
  switch (fault.kind) {
    case 'reset':
      if (fault.apply) return false;
      request.socket.resetAndDestroy();
      return true;
    case 'hang':
      if (fault.apply) return false;
      await hang(response, faults, signal);
      return true;
    case 'cut-request':
      await readBytes(request, fault.bytes);
      request.socket.resetAndDestroy();
      return true;
    case 'delay':
      if (fault.when !== 'after') await sleep(fault.ms, undefined, { signal });
      return false;
    case 'hold':
      await Promise.race([fault.until, untilAborted(signal)]);
      return false;
    case 'ok-with-error':
    case 'ok-empty':
    case 'ok-html':
      if (fault.apply === true) return false;
      await sendByFault(exchange, faults, { status: 200, headers: {}, body: null }, fault);
      return true;
    case 'status':
    case 'decompressed':
    case 'change-answer':
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

/** Returns the error of a fault that refuses the request instead of carrying it out, or null. */
function refusal(fault: FaultAction | null): ServiceError | null {
  if (fault?.kind === 'token-expired') return serviceError('ExpiredToken');
  return fault?.kind === 'status' && fault.apply !== true ? statusError(fault) : null;
}

/** Returns an error with this code. Its status is from the service's catalogue, or 500 for an unknown code. */
function anyError(code: string, message?: string): ServiceError {
  const [status, usual] = knownError(code) ?? [500, code];
  return new ServiceError(code, status, message ?? usual);
}

function statusError(fault: Extract<FaultAction, { kind: 'status' }>): ServiceError {
  const headers =
    fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
  const message = fault.message ?? anyError(fault.code).message;
  return new ServiceError(fault.code, fault.status, message, { headers });
}

async function sendByFault(
  exchange: InterceptedExchange,
  faults: Faults,
  made: OperationResponse,
  fault: FaultAction,
): Promise<void> {
  const isHead = exchange.request.method === 'HEAD';
  const spoiled = (reply: OperationResponse, spoiling: Spoiling): Promise<void> =>
    sendSpoiled(exchange.response, reply, isHead, spoiling, exchange.signal);
  const instead = (other: OperationResponse, spoiling: Spoiling = {}): Promise<void> => {
    if (typeof made.body === 'object') made.body?.release();
    return spoiled(other, spoiling);
  };
  switch (fault.kind) {
    case 'reset':
      if (typeof made.body === 'object') made.body?.release();
      exchange.request.socket.resetAndDestroy();
      return;
    case 'hang':
      if (typeof made.body === 'object') made.body?.release();
      await hang(exchange.response, faults, exchange.signal);
      return;
    case 'status':
      if (fault.apply === true) return instead(exchange.answerTo(statusError(fault)));
      break;
    case 'ok-with-error': {
      const error = anyError(fault.code, fault.message);
      const { whitespaceBytes: bytes = 0, whitespaceMs: ms = 0 } = fault;
      const spoiling = bytes > 0 || ms > 0 ? { whitespace: { bytes: Math.max(bytes, 1), ms } } : {};
      return instead({ ...exchange.answerTo(error), status: 200 }, spoiling);
    }
    case 'ok-empty':
      return instead({ status: 200, headers: {}, body: '' });
    case 'ok-html':
      return instead({
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<html><body>Hello</body></html>',
      });
    case 'decompressed':
      return await sendDecompressed(exchange.response, made, isHead);
    case 'change-answer':
      return await exchange.send(await fault.change(made));
    case 'whitespace':
      // The status was sent with the first space, so even an error is sent with 200.
      return spoiled({ ...made, status: 200 }, { whitespace: fault });
    case 'cut-answer':
      return spoiled(made, { cut: { bytes: fault.bytes, clean: fault.clean ?? false } });
    case 'throttle':
      return spoiled(made, { bytesPerSecond: fault.bytesPerSecond });
    case 'delay':
      if (fault.when === 'after') await sleep(fault.ms, undefined, { signal: exchange.signal });
      break;
    case 'cut-request':
    case 'hold':
    case 'token-expired':
    case 'clock-skew':
      break;
  }
  await exchange.send(made);
}

async function hang(response: ServerResponse, faults: Faults, signal: AbortSignal): Promise<void> {
  faults.hanging += 1;
  try {
    await untilClosed(response, signal);
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
