import { RPCLink } from '@orpc/client/message-port';
import { desktopBridgeName, portMessage, type DesktopBridge } from '../../shared/desktop-bridge.ts';
import type { Channel, CloseReason, Transport } from './core-link.ts';

/** Returns the bridge of the preload script, or null in a browser. */
export function desktopBridge(): DesktopBridge | null {
  const bridge: unknown = Reflect.get(window, desktopBridgeName);
  return typeof bridge === 'object' && bridge !== null && 'connect' in bridge
    ? (bridge as DesktopBridge)
    : null;
}

/** The desktop app's transport: a MessagePort to the core, which the preload script provides. */
export function messagePortTransport(bridge: DesktopBridge): Transport {
  return () =>
    new Promise<Channel>((resolve) => {
      const receive = (event: MessageEvent<unknown>): void => {
        const port = event.ports[0];
        if (event.source !== window || event.data !== portMessage || port === undefined) return;
        window.removeEventListener('message', receive);
        const closed = new Promise<CloseReason>((settle) => {
          port.addEventListener('close', () => settle({ kind: 'lost' }));
        });
        const link = new RPCLink({ port });
        port.start();
        resolve({ link, closed });
      };
      window.addEventListener('message', receive);
      bridge.connect();
    });
}
