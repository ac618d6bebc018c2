import type { HostKind } from './host-form.ts';
import { readServiceAddress, type ServiceAddress } from './service-address.ts';

/** `path`: a known provider's endpoint with a bucket after it. */
export type EndpointProblem =
  'missing' | 'unreadable' | 'scheme' | 'login' | 'query' | 'braces' | 'path' | HostKind;

/** What to type instead of an address that is no endpoint. */
export interface EndpointAdvice {
  /** null: the address does not show the endpoint. */
  readonly endpoint: string | null;
  /** The place to start in; null: the address does not show a bucket. */
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

/** Reads a typed endpoint: `storage.example.com/` becomes `https://storage.example.com`. A path belongs to it. */
export function readEndpoint(typed: string): ReadEndpoint {
  const text = typed.trim();
  if (text === '') return wrong('missing');
  if (/[{}<>]/u.test(text)) return wrong('braces');
  const whole = withScheme(text);
  if (/[\s\\]/u.test(text) || !URL.canParse(whole)) return wrong('unreadable');
  const url = new URL(whole);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return wrong('scheme');
  if (url.username !== '' || url.password !== '') return wrong('login');
  const address = readServiceAddress(whole);
  if (address !== null && address.kind !== 'endpoint' && address.kind !== 'unknown')
    return wrong(address.kind, adviceIn(address));
  if (address?.kind === 'endpoint' && address.bucket !== null) return wrong('path', adviceIn(address));
  if (url.search !== '' || url.hash !== '') return wrong('query');
  const path = url.pathname.replace(/\/+$/u, '');
  return { kind: 'endpoint', endpoint: `${url.protocol}//${url.host}${path}` };
}

function wrong(problem: EndpointProblem, advice: EndpointAdvice | null = null): ReadEndpoint {
  return { kind: 'problem', problem, advice };
}

function adviceIn({ endpoint, bucket, key }: ServiceAddress): EndpointAdvice {
  // The address of an object leads to its folder.
  const prefix = key.slice(0, key.lastIndexOf('/') + 1);
  return { endpoint, start: bucket === null ? null : { bucket, prefix } };
}
