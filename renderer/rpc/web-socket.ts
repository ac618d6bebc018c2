import { RPCLink } from '@orpc/client/websocket';
import {
  closeCodes,
  codeOfFragment,
  rpcPath,
  sessionPath,
  sessionStorageKey,
  socketProtocols,
} from '../../shared/session.ts';
import { sessionResponseSchema, type SessionRequest } from '../../shared/session-messages.ts';
import type { Channel, CloseReason, Transport } from './core-link.ts';

/** The browser host's transport, by the handshake in shared/session.ts. */
export function webSocketTransport(): Transport {
  return async () => {
    const code = takeCode();
    if (code !== null) {
      const refused = await exchange(code);
      // A used code together with a stored token means that an old address was reloaded, so the token is tried.
      if (refused !== null && sessionStorage.getItem(sessionStorageKey) === null) return refused;
    }
    const token = sessionStorage.getItem(sessionStorageKey);
    if (token === null) return { kind: 'needs-code', reason: 'none' };
    return openSocket(token);
  };
}

function takeCode(): string | null {
  const code = codeOfFragment(location.hash);
  // Removes the code from the address, but keeps a fragment for a location (renderer/app/places/use-place-address.ts).
  if (location.hash !== '' && !location.hash.startsWith('#/'))
    history.replaceState(null, '', location.pathname + location.search);
  return code;
}

async function exchange(code: string): Promise<CloseReason | null> {
  const body: SessionRequest = { code };
  const response = await fetch(sessionPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const reply = sessionResponseSchema.parse(await response.json());
  if (reply.kind === 'needs-code') return reply;
  sessionStorage.setItem(sessionStorageKey, reply.token);
  return null;
}

function openSocket(token: string): Promise<Channel | CloseReason> {
  const secure = location.protocol === 'https:';
  const address = `${secure ? 'wss' : 'ws'}://${location.host}${rpcPath}`;
  const socket = new WebSocket(address, socketProtocols(token));
  const closed = new Promise<CloseReason>((resolve) => {
    socket.addEventListener('close', (event) => resolve(reasonOf(event.code)));
  });
  const opened = new Promise<Channel>((resolve) => {
    socket.addEventListener('open', () =>
      resolve({ link: new RPCLink({ websocket: quiet(socket) }), closed }),
    );
  });
  return Promise.race([opened, closed]);
}

/**
 * Wraps a socket for oRPC's link, which throws an uncaught error when a call is aborted on a closed socket. Drops messages to a
 * closed socket. This is safe, since its close has ended all calls, and no new call uses it.
 */
function quiet(
  socket: WebSocket,
): Pick<WebSocket, 'addEventListener' | 'removeEventListener' | 'send' | 'readyState'> {
  return {
    addEventListener: socket.addEventListener.bind(socket),
    removeEventListener: socket.removeEventListener.bind(socket),
    send: (data) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(data);
    },
    get readyState() {
      return socket.readyState === WebSocket.CONNECTING ? WebSocket.CONNECTING : WebSocket.OPEN;
    },
  };
}

function reasonOf(code: number): CloseReason {
  if (code === closeCodes.tooManyTries) return { kind: 'needs-code', reason: 'too-many-tries' };
  if (code !== closeCodes.needsCode) return { kind: 'lost' };
  sessionStorage.removeItem(sessionStorageKey);
  return { kind: 'needs-code', reason: 'restarted' };
}
