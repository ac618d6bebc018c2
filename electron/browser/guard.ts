import type { IncomingHttpHeaders } from 'node:http';

export type Verdict = 'ok' | 'wrong-host' | 'wrong-origin';

/**
 * Returns the accepted Host values for a port. `name` is the random host name of this run, if it has one. In a DNS rebinding
 * attack, the attacker's name resolves to 127.0.0.1, but Host contains that name.
 */
export function allowedFor(port: number, name?: string): readonly string[] {
  const names = ['127.0.0.1', 'localhost', ...(name === undefined ? [] : [name])];
  return names.map((host) => `${host}:${String(port)}`);
}

/**
 * Returns true if the request comes from a page of an earlier run on this port. The response only says that the page needs a new
 * address.
 */
export function isOfFormerStart(headers: IncomingHttpHeaders, port: number): boolean {
  const host = headers.host?.toLowerCase() ?? '';
  const isName = /^c[0-9a-f]{20}\.localhost:\d+$/.test(host) && host.endsWith(`:${String(port)}`);
  return isName && headers.origin === `http://${host}`;
}

/**
 * Decides whether a request may be served. Host must be one of Cooper's names (DNS rebinding). An Origin header must match that
 * host; with `originNeeded`, it is required. Cross-site requests are refused, except for a followed link to the page itself,
 * which shows nothing without a code.
 */
export function judge(
  headers: IncomingHttpHeaders,
  allowedHosts: readonly string[],
  options: { readonly originNeeded: boolean; readonly isPage: boolean },
): Verdict {
  const host = headers.host?.toLowerCase();
  if (host === undefined || !allowedHosts.includes(host)) return 'wrong-host';
  const origin = headers.origin;
  if (origin === undefined ? options.originNeeded : origin !== `http://${host}`) return 'wrong-origin';
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return 'ok';
  const followsLink = options.isPage && headers['sec-fetch-mode'] === 'navigate';
  return followsLink && headers['sec-fetch-dest'] === 'document' ? 'ok' : 'wrong-origin';
}
