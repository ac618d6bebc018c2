import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink as MessagePortLink } from '@orpc/client/message-port';
import { RPCLink as WebSocketLink } from '@orpc/client/websocket';
import { WebSocket, WebSocketServer } from 'ws';
import type { CoreRouter } from '../../../electron/core/handlers/router.ts';
import { serveMessagePort } from '../../../electron/core/rpc/message-port.ts';
import { serveWebSocket } from '../../../electron/core/rpc/websocket.ts';
import type { CoreClient } from '../../../shared/contract/index.ts';

/** A window's connection to the core, over the transport of one of the hosts. */
export interface ContractClient {
  readonly client: CoreClient;
  /** Closes the connection, as a closed window does. */
  disconnect(): Promise<void>;
}

export type Transport = (router: CoreRouter) => Promise<ContractClient>;

const webSocket: Transport = async (router) => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) => {
    serveWebSocket(router, socket);
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  await once(socket, 'open');
  return {
    client: createORPCClient(new WebSocketLink({ websocket: socket as unknown as globalThis.WebSocket })),
    disconnect: async () => {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
      server.close();
    },
  };
};

const messagePort: Transport = (router) => {
  const { port1, port2 } = new MessageChannel();
  serveMessagePort(router, port1);
  port1.start();
  const client: CoreClient = createORPCClient(new MessagePortLink({ port: port2 }));
  port2.start();
  return Promise.resolve({
    client,
    disconnect: async () => {
      const closed = once(port1, 'close');
      port2.close();
      await closed;
    },
  });
};

export const transports: readonly (readonly [name: string, transport: Transport])[] = [
  ['WebSocket', webSocket],
  ['MessagePort', messagePort],
];
