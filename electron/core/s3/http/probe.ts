import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { AppFailure } from '../../../../shared/errors.ts';
import { networkFailure } from '../model/s3-errors.ts';
import { lookUpHost } from './dispatchers.ts';
import { secureContextFor } from './tls.ts';
import { ordinaryTimeouts } from './timeouts.ts';

/** The options for the steps of “Test connection” below HTTP. Each step rejects with an AppFailure. */
export interface ProbeOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface Peer {
  /** A host name or an IP address. An IPv6 address may be in brackets. */
  readonly hostname: string;
  readonly port: number;
}

export interface TlsFacts {
  readonly protocol: string | null;
  readonly subject: string | null;
  readonly issuer: string | null;
  /** The end of the certificate's validity, ISO 8601. */
  readonly validUntil: string | null;
}

/** Returns the IP addresses of a host name, in the order of the system. */
export async function resolveName(hostname: string, options: ProbeOptions = {}): Promise<readonly string[]> {
  const bare = withoutBrackets(hostname);
  if (isIP(bare) !== 0) return [bare];
  const { promise, give } = limited<readonly string[]>(options, () => undefined);
  lookUpHost(bare, { all: true }, (error, found) => {
    if (error) give.reject(error);
    else give.resolve(typeof found === 'string' ? [found] : found.map(({ address }) => address));
  });
  return await promise;
}

/** Opens a TCP connection, closes it, and returns the address that it reached. */
export async function openPort(
  peer: Peer,
  options: ProbeOptions = {},
): Promise<{ readonly address: string }> {
  return await withSocket(
    () => connectTcp({ host: withoutBrackets(peer.hostname), port: peer.port, lookup: lookUpHost }),
    'connect',
    options,
    (socket) => ({ address: socket.remoteAddress ?? '' }),
  );
}

/**
 * Performs a TLS handshake that trusts the same certificates as requests. Throws `AppError('invalid-argument')` if `caPem`
 * contains no readable certificate.
 */
export async function shakeHands(
  peer: Peer,
  caPem: string | null,
  options: ProbeOptions = {},
): Promise<TlsFacts> {
  const secureContext = secureContextFor(caPem);
  const host = withoutBrackets(peer.hostname);
  return await withSocket(
    () =>
      connectTls({
        host,
        port: peer.port,
        lookup: lookUpHost,
        secureContext,
        ...(isIP(host) === 0 ? { servername: host } : {}),
      }),
    'secureConnect',
    options,
    factsOf,
  );
}

function factsOf(socket: TLSSocket): TlsFacts {
  const certificate = socket.getPeerCertificate();
  const until = Date.parse(certificate.valid_to);
  return {
    protocol: socket.getProtocol(),
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    validUntil: Number.isNaN(until) ? null : new Date(until).toISOString(),
  };
}

function nameOf(name: { readonly CN?: string | string[]; readonly O?: string | string[] }): string | null {
  const found = name.CN ?? name.O;
  return (Array.isArray(found) ? found[0] : found) ?? null;
}

async function withSocket<S extends Socket, T>(
  open: () => S,
  ready: 'connect' | 'secureConnect',
  options: ProbeOptions,
  read: (socket: S) => T,
): Promise<T> {
  let socket: S | null = null;
  const { promise, give } = limited<T>(options, () => socket?.destroy());
  try {
    socket = open();
    const opened = socket;
    opened.once('error', (error) => give.reject(error));
    opened.once('close', () => give.reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    opened.once(ready, () => give.resolve(read(opened)));
  } catch (error) {
    give.reject(error);
  }
  return await promise;
}

/** Returns a promise that rejects with an AppFailure on a timeout or when the signal aborts. */
function limited<T>(options: ProbeOptions, release: () => void) {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => {
    give.reject(Object.assign(new Error('timed out'), { code: 'UND_ERR_CONNECT_TIMEOUT' }));
  }, options.timeoutMs ?? ordinaryTimeouts.connectMs);
  const abort = (): void => give.reject(new Error('aborted'));
  const end = (): void => {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
    release();
  };
  const give = {
    resolve(value: T): void {
      resolve(value);
      end();
    },
    reject(thrown: unknown): void {
      reject(classified(thrown, options.signal?.aborted ?? false));
      end();
    },
  };
  if (options.signal?.aborted) abort();
  else options.signal?.addEventListener('abort', abort, { once: true });
  return { promise, give };
}

function classified(thrown: unknown, aborted: boolean): AppFailure {
  return networkFailure({ thrown, effect: 'read', mayHaveArrived: false, aborted });
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
