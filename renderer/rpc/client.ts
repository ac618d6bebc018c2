import { createORPCClient } from '@orpc/client';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { useStore } from 'zustand';
import type { CoreClient } from '../../shared/contract/index.ts';
import { CoreLink, type CoreStatus } from './core-link.ts';
import { desktopBridge, messagePortTransport } from './message-port.ts';
import { webSocketTransport } from './web-socket.ts';

const maxStartedIds = 1000;
const startedIds = new Set<string>();

/** Remembers the job ids in a reply of the core. Calls that start jobs get the jobs' ids in the reply. */
function rememberStarted(reply: unknown): void {
  if (typeof reply !== 'object' || reply === null) return;
  if ('jobId' in reply && typeof reply.jobId === 'string') startedIds.add(reply.jobId);
  if ('jobIds' in reply && Array.isArray(reply.jobIds))
    for (const jobId of reply.jobIds) if (typeof jobId === 'string') startedIds.add(jobId);
  for (const oldest of startedIds) {
    if (startedIds.size <= maxStartedIds) break;
    startedIds.delete(oldest);
  }
}

/** Returns true if this window has started the job since it was loaded. */
export function isStartedByWindow(jobId: string): boolean {
  return startedIds.has(jobId);
}

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

/** Closes a walk (the listing of a search) in the core. */
export function closeWalk(walkId: string): void {
  // The call fails if the core has already closed the walk, which needs no handling.
  rpc.walks.close({ walkId }).catch(() => undefined);
}
