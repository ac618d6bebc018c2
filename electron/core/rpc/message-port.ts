import { RPCHandler } from '@orpc/server/message-port';
import type { CoreRouter } from '../handlers/router.ts';

type Port = Parameters<RPCHandler<Record<string, never>>['upgrade']>[0];

const handlers = new WeakMap<CoreRouter, RPCHandler<Record<string, never>>>();

/** Serves the contract on a port of Electron, a worker thread or the web. Closing the port aborts its calls. */
export function serveMessagePort(router: CoreRouter, port: Port): void {
  let handler = handlers.get(router);
  if (handler === undefined) {
    handler = new RPCHandler(router);
    handlers.set(router, handler);
  }
  handler.upgrade(port);
}
