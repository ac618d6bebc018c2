import { RPCHandler } from '@orpc/server/ws';
import type { WebSocket } from 'ws';
import type { CoreRouter } from '../handlers/router.ts';

const handlers = new WeakMap<CoreRouter, RPCHandler<Record<string, never>>>();

/** Serves the contract on a socket. Closing the socket aborts its calls. */
export function serveWebSocket(router: CoreRouter, socket: WebSocket): void {
  let handler = handlers.get(router);
  if (handler === undefined) {
    handler = new RPCHandler(router);
    handlers.set(router, handler);
  }
  void handler.upgrade(socket);
}
