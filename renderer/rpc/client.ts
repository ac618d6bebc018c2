import { createORPCClient } from '@orpc/client';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { useStore } from 'zustand';
import type { CoreClient } from '../../shared/contract/index.ts';
import { CoreLink, type CoreStatus } from './core-link.ts';
import { rememberStarted } from './started-jobs.ts';
import { desktopBridge, messagePortTransport } from './message-port.ts';
import { webSocketTransport } from './web-socket.ts';

export const coreLink = new CoreLink();

/** The core's client, typed by the contract. */
export const rpc: CoreClient = createORPCClient<CoreClient>({
  call: async (path, input, options) => {
    const reply = await coreLink.call(path, input, options);
    rememberStarted(reply);
    return reply;
  },
});
/** The same client for react-query, used as `orpc.connections.list.queryOptions()`. */
export const orpc = createTanstackQueryUtils(rpc);

/** Connects to the core, by a MessagePort on the desktop and by a WebSocket in a browser. */
export function startCoreLink(): void {
  const bridge = desktopBridge();
  coreLink.start(bridge === null ? webSocketTransport() : messagePortTransport(bridge));
  const tryNow = (): void => {
    if (document.visibilityState === 'visible') coreLink.tryNow();
  };
  document.addEventListener('visibilitychange', tryNow);
  window.addEventListener('online', tryNow);
}

export function useCoreStatus(): CoreStatus {
  return useStore(coreLink.store, ({ status }) => status);
}
