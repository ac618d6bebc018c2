import type { IncomingHttpHeaders } from 'node:http';

export interface Allowed {
  /** Values of Host this server goes by: with a name of an attacker that resolves to 127.0.0.1 the Host differs. */
  readonly hosts: readonly string[];
}

export type Verdict = 'ok' | 'wrong-host' | 'wrong-origin';

export function allowedFor(port: number): Allowed {
  return { hosts: [`127.0.0.1:${String(port)}`, `localhost:${String(port)}`] };
}

/**
 * Whether a request may be served at all. Host must be ours (DNS rebinding). Origin, where a browser sent one, must be
 * the page this very Host serves; where `originNeeded`, it must be there. A request that another site caused is
 * refused, except for following a link to the page itself, which shows nothing without a code.
 */
export function judge(
  headers: IncomingHttpHeaders,
  allowed: Allowed,
  options: { readonly originNeeded: boolean; readonly isPage: boolean },
): Verdict {
  const host = headers.host?.toLowerCase();
  if (host === undefined || !allowed.hosts.includes(host)) return 'wrong-host';
  const origin = headers.origin;
  if (origin === undefined ? options.originNeeded : origin !== `http://${host}`) return 'wrong-origin';
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return 'ok';
  const followsLink = options.isPage && headers['sec-fetch-mode'] === 'navigate';
  return followsLink && headers['sec-fetch-dest'] === 'document' ? 'ok' : 'wrong-origin';
}
