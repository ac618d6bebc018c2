import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { SystemProxy } from '../../ports.ts';
import { ResponseBody } from './answer-body.ts';
import { createDispatchers } from './dispatchers.ts';
import { ordinaryTimeouts, type Timeouts } from './timeouts.ts';
import type { EndpointConfig } from '../model/connection-types.ts';

export interface RawRequest {
  readonly origin: string;
  readonly method: string;
  /** The encoded path and query, sent unchanged. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | Uint8Array | null;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
  /** Uses a new socket, since the old one may have caused the failure. */
  readonly freshSocket: boolean;
}

export interface RawResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ResponseBody;
}

export interface Transport {
  send(request: RawRequest): Promise<RawResponse>;
  close(): Promise<void>;
}

/** Joins repeated headers. undici returns names in lower case. */
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

/** Like undici's `request`, but without creating a stream for every body. */
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
 * Creates the transport to one service. No URL class parses a path here. `system` chooses the proxy of connections that name
 * none; null: only the environment does. Throws `AppError('invalid-argument')` for an unusable configuration.
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
            body: request.body,
            headersTimeout: request.timeouts.firstByteMs,
            bodyTimeout: request.timeouts.inactivityMs,
            reset: request.freshSocket,
          },
          request.signal,
        );
      } catch (thrown) {
        // Without any response, the next try uses the next proxy that the system names.
        if (systemProxy !== null && !request.signal.aborted) system?.avoid(systemProxy);
        throw thrown;
      }
    },
    close: async () => await dispatchers.close(),
  };
}
