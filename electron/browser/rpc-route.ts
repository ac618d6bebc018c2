import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { closeCodes, rpcPath, rpcProtocol, tokenOfProtocols } from '../../shared/session.ts';
import { hasTwoHosts } from '../service/half-sent.ts';
import { isOfFormerStart, judge } from './guard.ts';
import type { SessionStore } from './session-store.ts';

const maxMessageBytes = 16 * 1024 * 1024;
const pingEveryMs = 30_000;
const closeTimeoutMs = 1_000;

export interface RpcRoute {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** Creates the route for the window's WebSocket. See shared/session.ts for its authentication. */
export function createRpcRoute(options: {
  readonly allowedHosts: readonly string[];
  readonly sessions: SessionStore;
  readonly serve: (socket: WebSocket) => void;
  readonly port: number;
  /** Returns true if the other end of a connection belongs to this user. */
  readonly isSameUserPeer: (socket: Socket) => boolean;
}): RpcRoute {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(rpcProtocol) ? rpcProtocol : false),
  });

  const accept = (socket: WebSocket, token: string | null): void => {
    // ws closes the socket after an error, and the close event does the rest.
    socket.on('error', () => socket.terminate());
    const verdict = token === null ? 'wrong' : options.sessions.checkToken(token);
    if (verdict === 'good') {
      keepAlive(socket);
      options.serve(socket);
    } else {
      socket.close(verdict === 'wrong' ? closeCodes.needsCode : closeCodes.tooManyTries);
    }
  };

  return {
    upgrade: (request, socket, head) => {
      const path = request.url ?? '';
      const isFormer = isOfFormerStart(request.headers, options.port);
      const verdict = judge(request.headers, options.allowedHosts, { originNeeded: true, isPage: false });
      if (hasTwoHosts(request)) {
        refuse(socket, '400 Bad Request');
        return;
      }
      if (path !== rpcPath || (verdict !== 'ok' && !isFormer) || !options.isSameUserPeer(request.socket)) {
        refuse(socket, path === rpcPath ? '403 Forbidden' : '404 Not Found');
        return;
      }
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
      server.handleUpgrade(request, socket, head, (opened) => {
        if (verdict === 'ok') accept(opened, tokenOfProtocols(offered));
        else turnAway(opened);
      });
    },
    close: () => {
      for (const socket of server.clients) {
        socket.close(closeCodes.goingAway);
        // Terminates the socket after a timeout, because a frozen tab never responds and would delay the program's end by half a
        // minute.
        const timer = setTimeout(() => socket.terminate(), closeTimeoutMs);
        socket.once('close', () => {
          clearTimeout(timer);
        });
      }
      server.close();
    },
  };
}

/** Closes the socket of a page from an earlier start, whose token cannot be valid. */
function turnAway(socket: WebSocket): void {
  socket.on('error', () => socket.terminate());
  socket.close(closeCodes.needsCode);
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Detects dead peers: a computer that slept, or a browser that was killed before it closed its connections. */
function keepAlive(socket: WebSocket): void {
  let isAlive = true;
  const timer = setInterval(() => {
    if (!isAlive) {
      socket.terminate();
      return;
    }
    isAlive = false;
    socket.ping();
  }, pingEveryMs);
  timer.unref();
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('close', () => {
    clearInterval(timer);
  });
}
