import { bucketPath, type HostKind } from './provider.ts';
import { providers } from './providers.ts';

/** An http or https address of a service, a bucket or an object. */
export interface ServiceAddress {
  /** `endpoint`: a host of a known provider's S3 API. `unknown`: the host matches no provider. */
  readonly kind: HostKind | 'endpoint' | 'unknown';
  /** Scheme, host and port, in lower case. */
  readonly origin: string;
  /** The path as written, still encoded. It is '' or starts with a slash. */
  readonly path: string;
  /** The endpoint to use, or null if the address does not show it. */
  readonly endpoint: string | null;
  readonly bucket: string | null;
  /** The decoded key or prefix, or '' for the bucket. */
  readonly key: string;
}

const pattern = /^(https?):\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:@]+)(?::(\d+))?(\/[^?#]*)?(?:[?#].*)?$/isu;

/**
 * Parses an http(s) address. Returns null for any other text. Avoids the URL class, which would normalise keys such as `a/../b`.
 */
export function readServiceAddress(text: string): ServiceAddress | null {
  const [, scheme = '', host = '', port, path = ''] = pattern.exec(text.trim()) ?? [];
  if (host === '' || /[\s\\]/u.test(host)) return null;
  const protocol = scheme.toLowerCase();
  const hostname = host.toLowerCase();
  const end = port === undefined || port === (protocol === 'http' ? '80' : '443') ? '' : `:${port}`;
  const origin = `${protocol}://${hostname}${end}`;
  const all = providers.flatMap(({ hostForms }) => hostForms);
  for (const { kind, host: form, endpointHost, path: pathForm, apiPath = '' } of all) {
    const match = form.exec(hostname);
    if (match === null || (apiPath !== '' && `${path}/`.startsWith(`${apiPath}/`))) continue;
    const { groups } = match;
    const inPath = pathForm?.exec(path)?.groups;
    const apiHost = endpointHost === undefined ? (groups?.['rest'] ?? null) : endpointHost(groups ?? {});
    const key = pathForm === undefined ? path.slice(1) : (inPath?.['key'] ?? '');
    return {
      kind,
      origin,
      path,
      endpoint: apiHost === null ? null : `https://${apiHost}${apiPath}`,
      bucket: groups?.['bucket'] ?? nullable(decoded(inPath?.['bucket'] ?? '')),
      key: decoded(key),
    };
  }
  const isKnown = providers.some(({ quirks }) => quirks.providerHosts?.test(hostname) === true);
  const inPath = isKnown ? bucketPath.exec(path)?.groups : undefined;
  return {
    kind: isKnown ? 'endpoint' : 'unknown',
    origin,
    path,
    endpoint: origin,
    bucket: nullable(decoded(inPath?.['bucket'] ?? '')),
    key: decoded(inPath?.['key'] ?? ''),
  };
}

/** Returns the bucket and key in an address below an endpoint, in path or virtual-host style. Null for any other address. */
export function placeBelow(
  endpoint: string,
  { origin, path }: Pick<ServiceAddress, 'origin' | 'path'>,
): { readonly bucket: string; readonly key: string } | null {
  const base = readServiceAddress(endpoint);
  if (base === null) return null;
  const basePath = base.path.replace(/\/+$/u, '');
  // Ignores the scheme: a copied link may use http although the connection uses https, or the reverse.
  const [host, baseHost] = [origin, base.origin].map((each) => each.replace(/^https?:\/\//u, ''));
  if (host === undefined || baseHost === undefined || !path.startsWith(basePath)) return null;
  const below = path.slice(basePath.length);
  if (below !== '' && !below.startsWith('/')) return null;
  if (host === baseHost) {
    const { bucket = '', key = '' } = bucketPath.exec(below)?.groups ?? {};
    return bucket === '' ? null : { bucket: decoded(bucket), key: decoded(key) };
  }
  if (!host.endsWith(`.${baseHost}`)) return null;
  return { bucket: host.slice(0, -baseHost.length - 1), key: decoded(below.slice(1)) };
}

function nullable(text: string): string | null {
  return text === '' ? null : text;
}

/** Decodes percent escapes. Returns the text unchanged if they are not valid UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
