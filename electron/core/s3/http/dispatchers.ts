import { lookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector, EnvHttpProxyAgent, Pool, ProxyAgent, type Dispatcher } from 'undici';
import { failure } from '../../../../shared/errors.ts';
import type { SystemProxy } from '../../ports.ts';
import type { EndpointConfig } from '../model/connection-types.ts';
import { isLoopback, parseEndpointOrigin } from './addressing.ts';
import { ordinaryTimeouts } from './timeouts.ts';
import { secureContextFor } from './tls.ts';

/*
 * undici destroys the socket for a `100 Continue` that it did not request. A client must accept any interim response (RFC 9110,
 * 15.2), and some gateways send one before every reply. undici accepts `103 Early Hints`, so a 100 is passed to its parser as a
 * 103. Remove this once undici skips a 100 itself (client-h1.js, onHeadersComplete).
 */

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const zero = 0x30;
/** The length of `HTTP/1.1 `, after which the status starts. */
const statusAt = 9;

/** Changes each unrequested `100 Continue` that a socket receives into a `103`. Returns the same socket. */
function tolerateContinue<S extends Socket>(socket: S): S {
  const replies = new InterimReplies();
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean;
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (chunk instanceof Uint8Array) replies.received(chunk);
    return chunk;
  };
  socket.write = (...parameters: unknown[]): boolean => {
    const [chunk] = parameters;
    // undici writes the head of a request as text and its body as bytes.
    if (typeof chunk === 'string' && chunk.includes(' HTTP/1.1\r\n')) replies.requested();
    return write(...parameters);
  };
  return socket;
}

/** Finds the status lines of responses in the bytes that a socket receives, in chunks of any size. */
class InterimReplies {
  #expects: 'status' | 'end-of-head' | 'nothing' = 'nothing';
  #at = 0;
  #status = 0;
  #lineLength = 0;

  /** Called when a request has been sent: the next bytes are the head of its response. */
  requested(): void {
    this.#expectStatus();
  }

  /** Changes the status 100 in the chunk into 103. */
  received(chunk: Uint8Array): void {
    for (let index = 0; index < chunk.length && this.#expects !== 'nothing'; index += 1) {
      const byte = chunk[index] ?? 0;
      if (this.#expects === 'end-of-head') this.#inHead(byte);
      else if (this.#inStatus(byte)) chunk[index] = zero + 3;
    }
  }

  #expectStatus(): void {
    this.#expects = 'status';
    this.#at = 0;
    this.#status = 0;
  }

  /** Returns true for the last digit of a status 100. */
  #inStatus(byte: number): boolean {
    // Empty lines before a status line are skipped (RFC 9112, 2.2).
    if (this.#at === 0 && (byte === carriageReturn || byte === lineFeed)) return false;
    this.#at += 1;
    if (this.#at <= statusAt) return false;
    this.#status = this.#status * 10 + (byte - zero);
    if (this.#at < statusAt + 3) return false;
    this.#expects = this.#status >= 100 && this.#status < 200 ? 'end-of-head' : 'nothing';
    this.#lineLength = 1;
    return this.#status === 100;
  }

  #inHead(byte: number): void {
    if (byte === carriageReturn) return;
    if (byte !== lineFeed) this.#lineLength += 1;
    else if (this.#lineLength === 0) this.#expectStatus();
    else this.#lineLength = 0;
  }
}

/**
 * Resolves a host name. Names such as bucket.s3.localhost always mean this computer (RFC 6761, section 6.3), which not every
 * resolver knows.
 */
export const lookUpHost: LookupFunction = (hostname, options, done) => {
  if (!/\.localhost\.?$/i.test(hostname)) {
    lookup(hostname, options, done);
    return;
  }
  if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }]);
  else done(null, '127.0.0.1', 4);
};

/** Exceeds the number of sockets that `RequestPace` ever uses, so that no request waits for one. */
const maxSocketsPerHost = 128;
/** The proxy that requests use. `environment` uses the proxies in HTTP_PROXY and similar variables. */
type Way = { readonly kind: 'direct' | 'environment' } | { readonly kind: 'proxy'; readonly url: string };

export interface Route {
  readonly dispatcher: Dispatcher;
  /** The system's proxy that the request uses; null if there is none or the user chose another. */
  readonly systemProxy: string | null;
}

/** The keep-alive pools of sockets to one service, one for each host and proxy. */
export interface Dispatchers {
  /** Returns the route to an origin. If `fresh` is true, its sockets are closed after one request. */
  routeTo(origin: string, fresh: boolean): Promise<Route>;
  close(): Promise<void>;
}

function settingsFor(config: EndpointConfig, connectMs: number): Agent.Options {
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
    connect: { timeout: connectMs, lookup: lookUpHost, ...(secureContext ? { secureContext } : {}) },
  };
}

/** Creates a pool whose sockets accept an unrequested `100 Continue`, also through a proxy tunnel. */
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

/**
 * Returns the address of a proxy, with `http://` if it has no scheme. Throws `AppError('invalid-argument')` if the address cannot
 * be used.
 */
export function parseProxyUrl(proxyUrl: string): string {
  const withScheme = /^[a-z0-9+.-]+:\/\//i.test(proxyUrl) ? proxyUrl : `http://${proxyUrl}`;
  if (!URL.canParse(withScheme) || !/^(?:https?|socks5?):$/.test(new URL(withScheme).protocol)) {
    throw failure(
      'invalid-argument',
      'The address of the proxy cannot be used; its form is http://host:port.',
      { retry: 'after-fix', reason: 'proxy-invalid' },
    );
  }
  return withScheme;
}

/** Returns true if a variable of the environment names a proxy. It takes precedence over the system's settings. */
export function hasProxyVariable(env: Readonly<Record<string, string | undefined>>): boolean {
  return ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].some((name) => Boolean(env[name]));
}

/** Returns the proxy that all requests of a connection use; null if the system chooses one for each origin. */
function fixedWay(config: EndpointConfig, hasSystem: boolean): Way | null {
  if (config.proxyUrl === 'none') return { kind: 'direct' };
  if (config.proxyUrl !== null) return { kind: 'proxy', url: parseProxyUrl(config.proxyUrl) };
  if (isLoopback(parseEndpointOrigin(config.endpoint).hostname)) return { kind: 'direct' };
  if (hasProxyVariable(process.env)) return { kind: 'environment' };
  return hasSystem ? null : { kind: 'direct' };
}

/** Creates the pools of a connection. Throws AppError('invalid-argument') if the configuration cannot be used. */
export function createDispatchers(
  config: EndpointConfig,
  connectMs: number,
  system: SystemProxy | null,
): Dispatchers {
  const fixed = fixedWay(config, system !== null);
  const made = new Map<string, Dispatcher>();
  const settings = settingsFor(config, connectMs);

  const make = (way: Way, fresh: boolean): Dispatcher => {
    const options = { ...settings, ...(fresh ? { pipelining: 0 } : {}) };
    if (way.kind === 'direct') return new Agent(options);
    const tls = { secureContext: secureContextFor(config.caPem), timeout: connectMs };
    const tunnel = { ...options, requestTls: tls, proxyTls: tls };
    return way.kind === 'proxy' ? new ProxyAgent({ ...tunnel, uri: way.url }) : new EnvHttpProxyAgent(tunnel);
  };
  const dispatcherFor = (way: Way, fresh: boolean): Dispatcher => {
    const key = `${String(fresh)} ${way.kind} ${way.kind === 'proxy' ? way.url : ''}`;
    const known = made.get(key) ?? make(way, fresh);
    made.set(key, known);
    return known;
  };
  // Created at once, so that an unusable configuration throws here.
  if (fixed !== null) dispatcherFor(fixed, false);

  return {
    routeTo: async (origin, fresh) => {
      if (fixed !== null) return { dispatcher: dispatcherFor(fixed, fresh), systemProxy: null };
      const proxy = (await system?.routeTo(origin)) ?? null;
      const way: Way = proxy === null ? { kind: 'direct' } : { kind: 'proxy', url: proxy };
      return { dispatcher: dispatcherFor(way, fresh), systemProxy: proxy };
    },
    close: async () => {
      await Promise.all([...made.values()].map(async (dispatcher) => await dispatcher.destroy()));
    },
  };
}
