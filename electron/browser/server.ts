import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { bytesPath, sessionPath } from '../../shared/session.ts';
import { textHeaders } from '../host/csp.ts';
import { endHalfSent, halfSentLimits, hasTwoHosts } from '../service/half-sent.ts';
import { detailOf, errnoOf, exitUsage, StartProblem } from '../host/problem.ts';
import { text } from '../host/text.ts';
import type { WindowFiles } from '../host/window-files.ts';
import { allowedFor, judge } from './guard.ts';
import { isSameUserPeer } from './peer.ts';
import type { RpcRoute } from './rpc-route.ts';
import type { SessionStore } from './session-store.ts';

/** An import would also load Node's fetch and WebSocket (syncExports), which takes 12 MiB in each thread. */
const { createServer } = process.getBuiltinModule('node:http');

/** The functions of the core that serve requests. */
export interface Served {
  /** Serves the contract on a socket with a valid token. */
  readonly serveRpc: (socket: WebSocket) => void;
  /** Responds to `/bytes/<ticket>`. */
  readonly serveBytes: (ticket: string, request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

export interface BrowserServerOptions {
  /** The port; 0 chooses a free one. */
  readonly port: number;
  /** Returns the files of the window. Called at the first request for one. */
  readonly files: () => WindowFiles;
  readonly sessions: SessionStore;
  /** Resolves once the core has loaded. Requests for the core wait; the page itself is served before. */
  readonly served: Promise<Served>;
  /** The host name of this start, accepted in addition to 127.0.0.1; absent if it has none. */
  readonly name?: string;
  /** Returns true if the other end of a connection belongs to this user. If absent, the operating system is asked. */
  readonly isSameUserPeer?: (socket: Socket) => boolean;
  /** The time limit in ms for a request to arrive; 30 s if absent. */
  readonly halfSentMs?: number;
  /** Reports an unexpected error of a request. */
  readonly onError: (thrown: unknown) => void;
}

export interface BrowserServer {
  readonly port: number;
  close(): Promise<void>;
}

const loopback = '127.0.0.1';
const loopbackV6 = '::1';
const maxPortTries = 20;

/**
 * Starts the HTTP server for browsers on this computer. It serves the window's files, sessions, the contract and the bytes of
 * objects.
 */
export async function startBrowserServer(options: BrowserServerOptions): Promise<BrowserServer> {
  const limits = halfSentLimits(options.halfSentMs);
  const { servers, port } = await listenOnBoth(() => createServer(limits), options.port);
  const allowedHosts = allowedFor(port, options.name);
  const isAllowedPeer = options.isSameUserPeer ?? isSameUserPeer;
  const rpc = options.served.then(async ({ serveRpc }): Promise<RpcRoute> => {
    const { createRpcRoute } = await import('./rpc-route.ts');
    return createRpcRoute({
      allowedHosts,
      port,
      sessions: options.sessions,
      serve: serveRpc,
      isSameUserPeer: isAllowedPeer,
    });
  });
  // Prevents an unhandled rejection. The code that loads the core handles the failure.
  rpc.catch(() => undefined);

  for (const server of servers) {
    server.on('request', (request, response) => {
      endHalfSent(request, options.halfSentMs);
      answer(request, response, allowedHosts, isAllowedPeer, options).catch((thrown: unknown) => {
        // The client closed the connection, so no response can be sent.
        if (request.socket.destroyed) return;
        options.onError(thrown);
        if (response.headersSent) response.destroy();
        else refuse(response, 500, 'Something went wrong; the log in the data folder has the details.');
      });
    });
    server.on('upgrade', (request, socket, head) => {
      // Until the route adds its own listener, this is the only one. An 'error' event without a listener would end the program.
      socket.on('error', () => socket.destroy());
      rpc.then(
        (route) => route.upgrade(request, socket, head),
        () => socket.destroy(),
      );
    });
  }

  return {
    port,
    close: async () => {
      const route = await rpc.catch(() => null);
      route?.close();
      await Promise.all(servers.map(closeServer));
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  server.closeAllConnections();
  await closed;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  allowedHosts: readonly string[],
  isAllowedPeer: (socket: Socket) => boolean,
  options: BrowserServerOptions,
): Promise<void> {
  if (hasTwoHosts(request)) {
    refuse(response, 400, 'A request must name exactly one host.');
    return;
  }
  const pathname = pathOf(request.url ?? '/');
  const isPage = pathname === '/';
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const verdict = judge(request.headers, allowedHosts, { originNeeded: !isRead, isPage });
  if (verdict === 'wrong-host') {
    refuse(response, 421, 'This address does not belong to Cooper.');
    return;
  }
  if (verdict === 'wrong-origin') {
    refuse(response, 403, 'Another site must not send requests to Cooper.');
    return;
  }

  const isShared = pathname !== sessionPath && !pathname.startsWith(bytesPath);
  if (!isShared && !isAllowedPeer(request.socket)) {
    refuse(response, 403, 'Another user of this computer must not send requests to Cooper.');
    return;
  }
  if (pathname === sessionPath) {
    const { serveSession } = await import('./session-route.ts');
    await serveSession(request, response, options.sessions);
  } else if (pathname.startsWith(bytesPath)) {
    const { serveBytes } = await options.served;
    await serveBytes(pathname.slice(bytesPath.length), request, response);
  } else if (isRead) {
    const found = options.files().answer(pathname, [`ws://${request.headers.host ?? ''}`]);
    response.writeHead(found.status, { ...found.headers, 'content-length': Buffer.byteLength(found.body) });
    response.end(request.method === 'HEAD' ? undefined : found.body);
  } else {
    refuse(response, 405, 'This address is read-only.', { allow: 'GET, HEAD' });
  }
}

/** Returns the path as sent, without its query. It is not decoded, because it is only compared with file names. */
function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? '/';
}

function refuse(
  response: ServerResponse,
  status: number,
  sentence: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...textHeaders, ...headers, connection: 'close' });
  response.end(`${sentence}\n`);
}

/**
 * Listens on 127.0.0.1 and ::1 with the same port. Browsers resolve names below localhost to ::1 first. Another program that
 * listens there could serve a page with the same origin and read the code.
 */
async function listenOnBoth(
  make: () => Server,
  requestedPort: number,
): Promise<{ readonly servers: readonly Server[]; readonly port: number }> {
  for (let tries = 1; ; tries += 1) {
    const first = make();
    await listen(first, requestedPort, loopback);
    const { port } = first.address() as AddressInfo;
    const second = make();
    try {
      await listen(second, port, loopbackV6);
      return { servers: [first, second], port };
    } catch (thrown) {
      // Without IPv6, no other program can listen on ::1.
      if (isWithoutV6(thrown)) return { servers: [first], port };
      await closeServer(first);
      if (requestedPort !== 0 || tries >= maxPortTries) throw thrown;
    }
  }
}

function isWithoutV6(thrown: unknown): boolean {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(errnoOf(cause) ?? '');
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host, exclusive: true }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (thrown) {
    throw new StartProblem(portSentence(port, thrown), exitUsage, { cause: thrown });
  }
}

function portSentence(port: number, thrown: unknown): string {
  switch (errnoOf(thrown)) {
    case 'EADDRINUSE':
      return text('portTaken', { port });
    case 'EACCES':
      return text('portDenied', { port });
    default:
      return text('portFailed', { port, detail: detailOf(thrown) });
  }
}
