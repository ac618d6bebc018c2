import type { HostKind } from './provider.ts';
import { readServiceAddress, type ServiceAddress } from './service-address.ts';

/** Why a typed address is not an endpoint. `path`: a known provider's endpoint followed by a bucket. */
export type EndpointProblem =
  'missing' | 'unreadable' | 'scheme' | 'login' | 'query' | 'braces' | 'path' | HostKind;

/** The values that the form suggests in place of an address that is not an endpoint. */
export interface EndpointAdvice {
  /** The endpoint, or null if the address does not show it. */
  readonly endpoint: string | null;
  /** The location to start in, or null if the address does not show a bucket. */
  readonly start: { readonly bucket: string; readonly prefix: string } | null;
}

export type ReadEndpoint =
  | { readonly kind: 'endpoint'; readonly endpoint: string }
  | { readonly kind: 'problem'; readonly problem: EndpointProblem; readonly advice: EndpointAdvice | null };

/** Returns true for this computer, and for names below `localhost`. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/u.test(hostname);
}

/** Adds a missing scheme: HTTP for this computer, HTTPS for all others. */
export function withScheme(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(text)) return text;
  const host = /^(\[[^\]]*\]|[^:/?#]*)/u.exec(text)?.[1]?.toLowerCase() ?? '';
  return `${isLoopbackName(host) ? 'http://' : 'https://'}${text}`;
}

/** Parses a typed endpoint: `storage.example.com/` becomes `https://storage.example.com`. Keeps a path. */
export function readEndpoint(typed: string): ReadEndpoint {
  const text = typed.trim();
  if (text === '') return wrong('missing');
  if (/[{}<>]/u.test(text)) return wrong('braces');
  const whole = withScheme(text);
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/isu.exec(whole) ?? [];
  if (!/^https?$/iu.test(scheme)) return wrong('scheme');
  if (/^[^/?#]*@/u.test(rest)) return wrong('login');
  const address = readServiceAddress(whole);
  if (address === null || !hostPattern.test(address.origin)) return wrong('unreadable');
  if (address.kind !== 'endpoint' && address.kind !== 'unknown')
    return wrong(address.kind, adviceIn(address));
  if (address.kind === 'endpoint' && address.bucket !== null) return wrong('path', adviceIn(address));
  if (/[\s\\]/u.test(rest)) return wrong('unreadable');
  if (/[?#]/u.test(rest)) return wrong('query');
  return { kind: 'endpoint', endpoint: `${address.origin}${address.path.replace(/\/+$/u, '')}` };
}

/** A name, an IPv4 or a bracketed IPv6 address, and a port. */
const hostPattern =
  /^https?:\/\/(?:\[[0-9a-f:.]+\]|[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}_.])?)(?::(?:[0-5]?\d{1,4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5]))?$/u;

function wrong(problem: EndpointProblem, advice: EndpointAdvice | null = null): ReadEndpoint {
  return { kind: 'problem', problem, advice };
}

function adviceIn({ endpoint, bucket, key }: ServiceAddress): EndpointAdvice {
  // For the address of an object, starts in its folder.
  const prefix = key.slice(0, key.lastIndexOf('/') + 1);
  return { endpoint, start: bucket === null ? null : { bucket, prefix } };
}
