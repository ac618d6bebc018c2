import { RPCHandler } from '@orpc/server/message-port';
import type { CoreRouter } from '../handlers/router.ts';

type Port = Parameters<RPCHandler<Record<string, never>>['upgrade']>[0];

const handlers = new WeakMap<CoreRouter, RPCHandler<Record<string, never>>>();

/** Serves the contract on a port of Electron, of a worker thread or of the web; its end aborts the calls that came over it. */
export function serveMessagePort(router: CoreRouter, port: Port): void {
  let handler = handlers.get(router);
  if (handler === undefined) {
    handler = new RPCHandler(router);
    handlers.set(router, handler);
  }
  handler.upgrade(port);
}
