import type { Readable } from 'node:stream';
import { Agent, buildConnector, EnvHttpProxyAgent, Pool, ProxyAgent, type Dispatcher } from 'undici';
import { failure } from '../../../../shared/errors.ts';
import { isThisComputer, parseEndpointOrigin } from './addressing.ts';
import { ResponseBody } from './answer-body.ts';
import { tolerateContinue } from './interim-replies.ts';
import { lookUpHost } from './lookup.ts';
import { ordinaryTimeouts, type Timeouts } from './timeouts.ts';
import { secureContextFor } from './tls.ts';
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

/** More than any pace allows (RequestPace), so that requests queue at the service and not here. */
const maxSocketsPerHost = 128;

type DispatcherSettings = Agent.Options;

function settingsFor(config: EndpointConfig, connectMs: number): DispatcherSettings {
  const tls = parseEndpointOrigin(config.endpoint).protocol === 'https:';
  const secureContext = tls ? secureContextFor(config.caPem) : undefined;
  return {
    factory: tolerantPool,
    connections: maxSocketsPerHost,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: 10_000,
    headersTimeout: ordinaryTimeouts.firstByteMs,
    bodyTimeout: ordinaryTimeouts.inactivityMs,
    connect: {
      timeout: connectMs,
      lookup: lookUpHost,
      ...(secureContext ? { secureContext } : {}),
    },
  };
}

/** Creates a pool whose sockets tolerate an unsolicited `100 Continue`, both direct ones and proxy tunnels. */
function tolerantPool(origin: string | URL, options: Agent.Options): Dispatcher {
  const connect =
    typeof options.connect === 'function'
      ? options.connect
      : buildConnector({ allowH2: false, ...options.connect });
  return new Pool(origin, {
    ...options,
    connect: (target, callback) => {
      connect(target, (...result) => {
        const [failed, socket] = result;
        if (failed === null) callback(null, tolerateContinue(socket));
        else callback(failed, null);
      });
    },
  });
}

/** Returns true for loopback hosts, which never use a proxy of the environment, as in browsers. */
export function isLoopback(hostname: string): boolean {
  return isThisComputer(hostname) || hostname.endsWith('.localhost');
}

/**
 * Returns the proxy's address with its scheme: `proxy:3128` means http. Throws AppError('invalid-argument') if it cannot be used.
 */
export function parseProxyUrl(proxyUrl: string): string {
  const withScheme = /^[a-z0-9+.-]+:\/\//i.test(proxyUrl) ? proxyUrl : `http://${proxyUrl}`;
  if (!URL.canParse(withScheme) || !/^(?:https?|socks5?):$/.test(new URL(withScheme).protocol)) {
    throw failure(
      'invalid-argument',
      'The address of the proxy cannot be used; http://host:port is wanted.',
      {
        retry: 'after-fix',
        reason: 'proxy-invalid',
      },
    );
  }
  return withScheme;
}

function makeDispatcher(config: EndpointConfig, connectMs: number, fresh: boolean): Dispatcher {
  const settings = { ...settingsFor(config, connectMs), ...(fresh ? { pipelining: 0 } : {}) };
  if (config.proxyUrl === 'none') return new Agent(settings);
  if (config.proxyUrl !== null) {
    return new ProxyAgent({
      ...settings,
      ...tunnelTls(config, connectMs),
      uri: parseProxyUrl(config.proxyUrl),
    });
  }
  const proxied = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].some(
    (name) => process.env[name],
  );
  if (!proxied || isLoopback(parseEndpointOrigin(config.endpoint).hostname)) return new Agent(settings);
  return new EnvHttpProxyAgent({ ...settings, ...tunnelTls(config, connectMs) });
}

function tunnelTls(config: EndpointConfig, connectMs: number) {
  const options = { secureContext: secureContextFor(config.caPem), timeout: connectMs };
  return { requestTls: options, proxyTls: options };
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
 * Creates the sockets to one service: undici's keep-alive pools, one per host. No URL class parses a path here. Fresh sockets
 * come from a second set of pools, which close them after one request.
 */
export function createTransport(
  config: EndpointConfig,
  connectMs: number = ordinaryTimeouts.connectMs,
): Transport {
  const kept = makeDispatcher(config, connectMs, false);
  let single: Dispatcher | null = null;
  return {
    async send(request) {
      const dispatcher = request.freshSocket ? (single ??= makeDispatcher(config, connectMs, true)) : kept;
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
    },
    async close() {
      await Promise.all([kept.destroy(), single?.destroy()]);
    },
  };
}
