import { once } from 'node:events';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { WebSocket } from 'ws';
import type { CoreClient } from '../../../shared/contract/index.ts';
import { sessionResponseSchema } from '../../../shared/session-messages.ts';
import { codeOfFragment, rpcPath, sessionPath, socketProtocols } from '../../../shared/session.ts';

export interface OpenCore {
  readonly core: CoreClient;
  close(): void;
}

/** Connects to the core at a printed address as a window does. */
export async function coreOfAddress(address: string): Promise<OpenCore> {
  const { port, hash } = new URL(address);
  // Uses 127.0.0.1, because Node does not resolve names below localhost.
  const host = `127.0.0.1:${port}`;
  const origin = `http://${host}`;
  const response = await fetch(`${origin}${sessionPath}`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ code: codeOfFragment(hash) }),
  });
  const reply = sessionResponseSchema.parse(await response.json());
  if (reply.kind !== 'session') throw new Error(`Cooper returned no session: ${reply.reason}.`);
  const socket = new WebSocket(`ws://${host}${rpcPath}`, socketProtocols(reply.token), {
    headers: { origin },
  });
  await once(socket, 'open');
  return {
    core: createORPCClient(new RPCLink({ websocket: socket as unknown as globalThis.WebSocket })),
    close: () => {
      socket.close();
    },
  };
}
