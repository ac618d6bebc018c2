import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebSocket } from 'ws';
import { bytesPath, sessionPath } from '../../shared/session.ts';
import { commonHeaders } from '../host/csp.ts';
import { detailOf, errnoOf, exitUsage, StartProblem } from '../host/problem.ts';
import { text } from '../host/text.ts';
import type { WindowFiles } from '../host/window-files.ts';
import { allowedFor, judge, type Allowed } from './guard.ts';
import { createRpcRoute } from './rpc-route.ts';
import { serveSession } from './session-route.ts';
import type { SessionStore } from './session-store.ts';

export interface BrowserServerOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly files: WindowFiles;
  readonly sessions: SessionStore;
  readonly nowMs: () => number;
  /** Serves the contract on a socket whose token was good. */
  readonly serveRpc: (socket: WebSocket) => void;
  /** Answers `/bytes/<ticket>`. */
  readonly serveBytes: (ticket: string, request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Something unforeseen while a request was served. */
  readonly onError: (thrown: unknown) => void;
}

export interface BrowserServer {
  readonly port: number;
  close(): Promise<void>;
}

const loopback = '127.0.0.1';

/** Serves the window, its session, the contract and bytes to browsers of this computer. */
export async function startBrowserServer(options: BrowserServerOptions): Promise<BrowserServer> {
  const server = createServer({ requestTimeout: 0 });
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  const allowed = allowedFor(port);
  const rpc = createRpcRoute({
    allowed,
    sessions: options.sessions,
    nowMs: options.nowMs,
    serve: options.serveRpc,
  });

  server.on('request', (request, response) => {
    answer(request, response, allowed, options).catch((thrown: unknown) => {
      options.onError(thrown);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'Something went wrong; the log in the data folder has more.');
    });
  });
  server.on('upgrade', (request, socket, head) => {
    rpc.upgrade(request, socket, head);
  });

  return {
    port,
    close: async () => {
      rpc.close();
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: Allowed,
  options: BrowserServerOptions,
): Promise<void> {
  const pathname = pathOf(request.url ?? '/');
  const isPage = pathname === '/';
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const verdict = judge(request.headers, allowed, { originNeeded: !reads, isPage });
  if (verdict === 'wrong-host') {
    refuse(response, 421, 'This address does not belong to Cooper.');
    return;
  }
  if (verdict === 'wrong-origin') {
    refuse(response, 403, 'Another site may not ask Cooper.');
    return;
  }

  if (pathname === sessionPath) {
    await serveSession(request, response, options.sessions, options.nowMs());
  } else if (pathname.startsWith(bytesPath)) {
    await options.serveBytes(pathname.slice(bytesPath.length), request, response);
  } else if (reads) {
    const found = options.files.answer(pathname, [`ws://${request.headers.host ?? ''}`]);
    response.writeHead(found.status, { ...found.headers, 'content-length': Buffer.byteLength(found.body) });
    response.end(request.method === 'HEAD' ? undefined : found.body);
  } else {
    refuse(response, 405, 'This address can only be read.', { allow: 'GET, HEAD' });
  }
}

/** The path as it was sent, without its query: names of files are only ever compared, so nothing is decoded. */
function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? '/';
}

function refuse(
  response: ServerResponse,
  status: number,
  sentence: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...commonHeaders,
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(`${sentence}\n`);
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: loopback, exclusive: true }, () => {
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
