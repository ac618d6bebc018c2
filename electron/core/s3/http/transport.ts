import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { SystemProxy } from '../../ports.ts';
import type { OpenBody } from './request-body.ts';
import { ResponseBody } from './response-body.ts';
import { createDispatchers } from './dispatchers.ts';
import { ordinaryTimeouts, type Timeouts } from './timeouts.ts';
import type { EndpointConfig } from '../model/connection-types.ts';

export interface RawRequest {
  readonly origin: string;
  readonly method: string;
  /** The encoded path and query, which are sent unchanged. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: OpenBody['content'];
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
  /** True to send the request over a new socket, because the old one may have caused a failure. */
  readonly freshSocket: boolean;
}

export interface RawResponse {
  readonly status: number;
  /** The headers with names in lower case; repeated ones are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ResponseBody;
}

export interface Transport {
  send(request: RawRequest): Promise<RawResponse>;
  close(): Promise<void>;
}

/** Joins repeated headers by a comma. undici returns their names in lower case. */
function flatten(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value === 'string') flat[name] = value;
    else if (value !== undefined) flat[name] = value.join(', ');
  }
  return flat;
}

/** Sends a request like undici's `request`, but does not create a stream for each body. */
async function dispatched(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<RawResponse> {
  const answered = Promise.withResolvers<RawResponse>();
  let control: Dispatcher.DispatchController | null = null;
  let body: ResponseBody | null = null;
  const onAbort = (): void => control?.abort(reasonOf(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  const over = (): void => signal.removeEventListener('abort', onAbort);
  dispatcher.dispatch(options, {
    onRequestStart: (controller) => {
      control = controller;
      if (signal.aborted) controller.abort(reasonOf(signal));
    },
    onResponseStart: (controller, status, headers) => {
      if (status < 200) return;
      body = new ResponseBody(controller);
      answered.resolve({ status, headers: flatten(headers), body });
    },
    onResponseData: (_controller, chunk) => body?.push(chunk),
    onResponseEnd: () => {
      over();
      body?.end();
    },
    onResponseError: (_controller, error) => {
      over();
      body?.fail(error);
      answered.reject(error);
    },
  });
  return await answered.promise;
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The request was aborted.');
}

/**
 * Creates the transport to one service. Sends paths unchanged, because no URL class parses them. `system` chooses the proxy if
 * the connection has none; with null, only the environment can define one. Throws `AppError('invalid-argument')` if the
 * configuration cannot be used.
 */
export function createTransport(
  config: EndpointConfig,
  connectMs: number = ordinaryTimeouts.connectMs,
  system: SystemProxy | null = null,
): Transport {
  const dispatchers = createDispatchers(config, connectMs, system);
  return {
    async send(request) {
      const { dispatcher, systemProxy } = await dispatchers.routeTo(request.origin, request.freshSocket);
      try {
        return await dispatched(
          dispatcher,
          {
            origin: request.origin,
            method: request.method,
            path: request.path,
            headers: request.headers,
            // undici accepts any iterable, which its types leave out.
            body: request.body as Readable | Uint8Array | null,
            headersTimeout: request.timeouts.firstByteMs,
            bodyTimeout: request.timeouts.inactivityMs,
            reset: request.freshSocket,
          },
          request.signal,
        );
      } catch (thrown) {
        // The proxy gave no response, so the next attempt uses the next proxy that the system names.
        if (systemProxy !== null && !request.signal.aborted) system?.avoid(systemProxy);
        throw thrown;
      }
    },
    close: async () => await dispatchers.close(),
  };
}
