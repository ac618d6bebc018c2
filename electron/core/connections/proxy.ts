import type { Origin } from '../s3/http/addressing.ts';
import type { SystemProxy } from '../ports.ts';
import { isLoopback } from '../s3/http/addressing.ts';
import { hasProxyVariable, parseProxyUrl } from '../s3/http/dispatchers.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy for requests to this origin; null for a direct connection. Throws `AppError('invalid-argument')` for an
 * unusable proxy address.
 */
export function proxyFor(
  origin: Origin,
  proxyUrl: string | null,
  env: Environment,
): { readonly hostname: string; readonly port: number } | null {
  const address = proxyUrl === 'none' ? null : (proxyUrl ?? fromEnvironment(origin, env));
  if (address === null) return null;
  const url = new URL(parseProxyUrl(address));
  const defaultPort = url.protocol === 'https:' ? 443 : url.protocol.startsWith('socks') ? 1080 : 80;
  return { hostname: url.hostname, port: url.port === '' ? defaultPort : Number(url.port) };
}

/**
 * Returns the connection's proxy, or the system's if neither the connection nor the environment defines one. `none` means a
 * direct connection; null means that the environment decides.
 */
export async function proxyUrlFor(
  { protocol, hostname, port }: Origin,
  proxyUrl: string | null,
  env: Environment,
  system: SystemProxy | undefined,
): Promise<string | null> {
  if (proxyUrl !== null || system === undefined || hasProxyVariable(env) || isLoopback(hostname))
    return proxyUrl;
  return (await system.routeTo(`${protocol}//${hostname}${port === '' ? '' : `:${port}`}`)) ?? 'none';
}

/** Returns the environment's proxy by the rules of undici's EnvHttpProxyAgent. */
function fromEnvironment(origin: Origin, env: Environment): string | null {
  if (isLoopback(origin.hostname)) return null;
  const http = env['http_proxy'] ?? env['HTTP_PROXY'];
  const proxy = origin.protocol === 'https:' ? (env['https_proxy'] ?? env['HTTPS_PROXY'] ?? http) : http;
  if (proxy === undefined || proxy === '') return null;
  return isExempt(origin, env['no_proxy'] ?? env['NO_PROXY'] ?? '') ? null : proxy;
}

function isExempt(origin: Origin, list: string): boolean {
  const port = origin.port === '' ? (origin.protocol === 'https:' ? '443' : '80') : origin.port;
  return list.split(/[,\s]/).some((entry) => {
    if (entry === '*') return true;
    const match = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry.toLowerCase());
    if (match?.[1] === undefined || (match[2] !== undefined && match[2] !== port)) return false;
    return origin.hostname === match[1] || origin.hostname.endsWith(`.${match[1]}`);
  });
}
