import { RPCLink } from '@orpc/client/message-port';
import { desktopBridgeName, portMessage, type DesktopBridge } from '../../shared/desktop-bridge.ts';
import type { Channel, CloseReason, Transport } from './core-link.ts';

/** The preload's bridge; null in a browser. */
export function desktopBridge(): DesktopBridge | null {
  const bridge: unknown = Reflect.get(window, desktopBridgeName);
  return typeof bridge === 'object' && bridge !== null && 'connect' in bridge
    ? (bridge as DesktopBridge)
    : null;
}

/** The desktop's transport: a MessagePort to the core, handed over by the preload. */
export function messagePortTransport(bridge: DesktopBridge): Transport {
  return () =>
    new Promise<Channel>((resolve) => {
      const receive = (event: MessageEvent<unknown>): void => {
        const port = event.ports[0];
        if (event.source !== window || event.data !== portMessage || port === undefined) return;
        window.removeEventListener('message', receive);
        const closed = new Promise<CloseReason>((settle) => {
          port.addEventListener('close', () => {
            settle({ kind: 'lost' });
          });
        });
        const link = new RPCLink({ port });
        port.start();
        resolve({ link, closed });
      };
      window.addEventListener('message', receive);
      bridge.connect();
    });
}
