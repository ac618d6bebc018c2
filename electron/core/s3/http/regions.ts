import { failure, type AppError } from '../../../../shared/errors.ts';
import { controlTargetOf, targetOf, usesVirtualHost, type Origin, type Target } from './addressing.ts';
import type { Quirks } from '../../../../shared/providers/provider.ts';
import type { EndpointConfig } from '../model/connection-types.ts';
import type { ServiceMemory } from '../model/service-memory.ts';
import { regionIn, type ErrorResponse } from '../xml/error-response.ts';
import type { S3Operation } from './s3-operation.ts';

/** The region and host of a bucket, as far as they are known. */
export interface BucketPlace {
  readonly region: string;
  readonly origin: Origin;
}

export interface MisdirectedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly error: ErrorResponse | null;
  readonly bucket: string | null;
  readonly used: BucketPlace;
  readonly quirks: Quirks;
}

export type Redirection =
  /** The response does not mean that the region or host is wrong. */
  | { readonly kind: 'none' }
  /** The request must be signed again for this region and host. */
  | { readonly kind: 'follow'; readonly place: BucketPlace }
  /** The redirect leads to another provider or to plain HTTP, so no credentials are sent there. */
  | { readonly kind: 'refuse'; readonly host: string };

const aboutRegion: ReadonlySet<string> = new Set([
  'AuthorizationHeaderMalformed',
  'AuthorizationQueryParametersError',
  'PermanentRedirect',
  'TemporaryRedirect',
  'Redirect',
  'IllegalLocationConstraintException',
  'InvalidRegion',
]);

/** Finds out from a response whether the request must be sent to another region or host (botocore#1512). */
export function redirectionOf(reply: MisdirectedResponse): Redirection {
  const { status, error, used, quirks } = reply;
  const redirect = status === 301 || status === 302 || status === 307 || status === 308;
  const region = regionIn({
    region: reply.headers['x-amz-bucket-region'] ?? error?.region ?? null,
    message: error?.message ?? null,
  });
  const relevant = redirect || aboutRegion.has(error?.code ?? '');
  // A HEAD with the wrong region fails with 400 and no body. A 400 or 403 with an error code has another cause, even if it names
  // the region.
  const silent = status === 400 && error === null && region !== null;
  if (!relevant && !silent) return { kind: 'none' };

  if (region !== null) {
    const place = { region, origin: originFor(region, used.origin, quirks) };
    if (!samePlace(place, used)) return { kind: 'follow', place };
  }
  const location = redirect ? hostOf(reply.headers['location']) : null;
  const advised = location ?? hostOf(error?.endpoint ?? undefined);
  if (advised === null) return { kind: 'none' };
  return followHost(advised, region, reply);
}

function followHost(
  advised: Omit<Origin, 'basePath'>,
  region: string | null,
  reply: MisdirectedResponse,
): Redirection {
  const { used, quirks, bucket } = reply;
  const prefix = `${bucket ?? ''}.`;
  const hostname =
    bucket !== null && advised.hostname.startsWith(prefix) && advised.hostname !== used.origin.hostname
      ? advised.hostname.slice(prefix.length)
      : advised.hostname;
  const protocol = advised.protocol;
  const downgraded = used.origin.protocol === 'https:' && protocol === 'http:';
  const port = advised.port;
  if (downgraded || !belongsTo(hostname, port, used.origin, quirks)) {
    return { kind: 'refuse', host: `${protocol}//${advised.hostname}${port === '' ? '' : `:${port}`}` };
  }
  const origin = { protocol, hostname, port, basePath: used.origin.basePath };
  const inHost = quirks.regionInHost?.exec(hostname)?.[1];
  const place = { region: region ?? inHost ?? used.region, origin };
  return samePlace(place, used) ? { kind: 'none' } : { kind: 'follow', place };
}

/**
 * Returns true if a host belongs to the same provider. For an unknown provider, only the same host does: subdomains may belong to
 * others, for example those of localhost or of a company.
 */
function belongsTo(hostname: string, port: string, origin: Origin, quirks: Quirks): boolean {
  if (port !== origin.port) return false;
  if (quirks.providerHosts?.test(origin.hostname)) return quirks.providerHosts.test(hostname);
  return hostname === origin.hostname;
}

/** Returns the endpoint of the same provider in another region. */
export function originFor(region: string, origin: Origin, quirks: Quirks): Origin {
  const old = quirks.regionInHost?.exec(origin.hostname)?.[1];
  if (old === region || quirks.regionHost === null || !quirks.providerHosts?.test(origin.hostname))
    return origin;
  return { ...origin, hostname: quirks.regionHost(region, origin.hostname) };
}

function samePlace(a: BucketPlace, b: BucketPlace): boolean {
  return (
    a.region === b.region &&
    a.origin.protocol === b.origin.protocol &&
    a.origin.hostname === b.origin.hostname &&
    a.origin.port === b.origin.port
  );
}

/**
 * Returns scheme, host and port of a Location or Endpoint; null if the text is neither. Ignores the path, because it may contain
 * a key.
 */
function hostOf(text: string | undefined): Omit<Origin, 'basePath'> | null {
  const match = /^(?:(https?):\/\/)?([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?(?:[/?#]|$)/.exec(
    text?.trim() ?? '',
  );
  if (!match?.[2] || !match[2].includes('.')) return null;
  const protocol = match[1] === 'http' ? 'http:' : 'https:';
  const defaultPort = protocol === 'http:' ? '80' : '443';
  const port = match[3] === undefined || match[3] === defaultPort ? '' : match[3];
  return { protocol, hostname: match[2].toLowerCase(), port };
}

/** Returns the region for signing requests until that of the bucket is known. */
export function initialRegion(region: string | null, origin: Origin, quirks: Quirks): string {
  return region ?? quirks.regionInHost?.exec(origin.hostname)?.[1] ?? quirks.fallbackRegion;
}

/** The feature name for path-style addressing (the bucket is in the path), which some services refuse. */
const pathStyle = 'path-style addressing';

interface TargetNeeds {
  readonly origin: Origin;
  readonly quirks: Quirks;
  readonly memory: ServiceMemory;
}

/** Finds the host and path of each request. Remembers the region and host of each bucket. */
export class RequestTargets {
  /** The regions and hosts learned from responses. */
  readonly places = new Map<string, BucketPlace>();
  readonly #config: EndpointConfig;
  readonly #needs: TargetNeeds;
  readonly #home: BucketPlace;

  constructor(config: EndpointConfig, needs: TargetNeeds) {
    const { origin, quirks } = needs;
    this.#config = config;
    this.#needs = needs;
    this.#home = { region: initialRegion(config.region, origin, quirks), origin };
  }

  /** Returns the region and host of a bucket, as far as they are known. */
  placeOf(bucket: string | undefined): BucketPlace {
    return this.places.get(bucket ?? '') ?? this.#home;
  }

  /** Returns the target of a key or bucket. Throws `AppError('invalid-argument')` for a missing key or an impossible bucket name. */
  at(origin: Origin, bucket: string | undefined, key: string | undefined): Target {
    return targetOf({ bucket, key }, origin, this.#hasBucketInHost(origin, bucket));
  }

  /** Returns the target of an operation, like `at`. Throws `AppError('unsupported')` if the provider has no S3 Control. */
  of({ control, bucket, key }: S3Operation, origin: Origin): Target {
    if (control === undefined) return this.at(origin, bucket, key);
    const target = controlTargetOf(control, this.#needs.origin, this.#needs.quirks);
    if (target !== null) return target;
    throw failure('unsupported', 'This provider has no S3 Batch Operations.', { reason: 'not-implemented' });
  }

  /**
   * Switches to virtual-host addressing if the service requires it. Returns true if a request sent to `sentHost` now has another
   * host. Another request may have switched since it was sent.
   */
  movedToHost(
    { reason }: AppError,
    sentHost: string,
    { origin, bucket }: { readonly origin: Origin; readonly bucket: string | undefined },
  ): boolean {
    if (reason !== 'virtual-host-wanted') return false;
    if (!this.#hasBucketInHost(origin, bucket)) this.#needs.memory.refuses(pathStyle);
    return bucket !== undefined && this.at(origin, bucket, undefined).host !== sentHost;
  }

  #hasBucketInHost(origin: Origin, bucket: string | undefined): boolean {
    const { addressing } = this.#config;
    const { memory, quirks } = this.#needs;
    const effectiveAddressing =
      addressing === 'auto' && !memory.allows(pathStyle) ? 'virtual-host' : addressing;
    return bucket !== undefined && usesVirtualHost(bucket, origin, effectiveAddressing, quirks);
  }
}
