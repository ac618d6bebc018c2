export { desktopBridgeName, portMessage, type DesktopBridge } from './desktop-bridge.ts';

/**
 * The protocol by which a tab of the browser host gets its token. The desktop's window does not use it.
 *
 * 1. The program prints `http://RANDOM.localhost:PORT/#code=CODE`, and the same with 127.0.0.1. Browsers never send a fragment to
 *    a server, so it cannot reach a log.
 * 2. The window takes CODE from the fragment, wipes the fragment from the address (`history.replaceState`), and sends
 *    `POST /session` with `Content-Type: application/json` and a `SessionRequest` (shared/session-messages.ts). The browser adds
 *    Origin.
 *    - 200 and `{kind: 'session', token}`: the code is used up. The window keeps the token in sessionStorage under
 *      `sessionStorageKey`, so that a reload of this tab needs no new code.
 *    - 403 and `{kind: 'needs-code', reason}`: the code was already used, has expired, or was never issued.
 *    - 429 and `{kind: 'needs-code', reason: 'too-many-tries'}`, with Retry-After in seconds.
 *    A window with neither code nor token enters the state `needs-code` without a request.
 * 3. The window opens `new WebSocket('ws://' + location.host + rpcPath, socketProtocols(token))`. The token travels as a
 *    subprotocol, never in an address. The server selects `rpcProtocol`, and closes the socket with
 *    - `closeCodes.needsCode`: the token is not valid, for example because the program was restarted. The window forgets
 *      the token and enters the state `needs-code`.
 *    - `closeCodes.tooManyTries`: as above, after many wrong tokens.
 *    - 1001: the program is ending. After any other code, or without a response, the window retries with the same token.
 * 4. Each message on the socket is one oRPC message, nothing else.
 *
 * Bytes (previews, downloads) are read from `bytesPath + ticket`, and a dropped file is sent there with PUT. These requests need
 * no token, because a ticket is issued by a call on the socket.
 */
export const sessionPath = '/session';
export const rpcPath = '/rpc';
export const bytesPath = '/bytes/';
/** The response header with the error code if the object of a ticket could not be read. */
export const bytesErrorHeader = 'x-cooper-error';

/** The parameter's name in the fragment: `#code=…`. */
export const codeParameter = 'code';
export const sessionStorageKey = 'cooper.session';

export const rpcProtocol = 'cooper.rpc.1';
const tokenProtocolPrefix = 'cooper.token.';

export const closeCodes = { needsCode: 4401, tooManyTries: 4429, goingAway: 1001 } as const;

/** A code or a token: base64url of random bytes. */
export const secretText = /^[A-Za-z0-9_-]{16,128}$/;

/** Returns the subprotocols that the window offers when it opens the socket. */
export function socketProtocols(token: string): string[] {
  return [rpcProtocol, tokenProtocolPrefix + token];
}

/** Returns the token among the offered subprotocols, or null if it is missing or malformed. */
export function tokenOfProtocols(protocols: Iterable<string>): string | null {
  for (const protocol of protocols) {
    if (!protocol.startsWith(tokenProtocolPrefix)) continue;
    const token = protocol.slice(tokenProtocolPrefix.length);
    return secretText.test(token) ? token : null;
  }
  return null;
}

/** Returns the code in a fragment such as `#code=abc`, or null if it is missing or malformed. */
export function codeOfFragment(fragment: string): string | null {
  const match = /^#code=([A-Za-z0-9_-]{16,128})$/.exec(fragment);
  return match?.[1] ?? null;
}
