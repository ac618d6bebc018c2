import { isIP } from 'node:net';
import { failure } from '../../../../shared/errors.ts';
import { encodeComponent, encodeKey } from '../model/encode.ts';
import type { Quirks } from '../../../../shared/providers/provider.ts';
import type { ControlTarget } from './s3-operation.ts';

/** The parsed endpoint of a connection. */
export interface Origin {
  readonly protocol: 'http:' | 'https:';
  /** In lower case, without the port. An IPv6 address is in brackets. */
  readonly hostname: string;
  /** The port; '' for the default port of the protocol. */
  readonly port: string;
  /** The encoded path that starts all request paths, without a slash at its end; '' for most services. */
  readonly basePath: string;
}

export interface Target {
  /** Scheme, host and port, for the socket. */
  readonly origin: string;
  /** The Host header, which is signed. */
  readonly host: string;
  /** The encoded path without the query, in the form in which it is signed and sent. */
  readonly path: string;
}

/**
 * Parses an endpoint such as https://s3.example.com:9000 or https://example.com/s3. The URL class is safe here, because an
 * endpoint contains no object key. Throws `AppError('invalid-argument')` with the reason.
 */
export function parseEndpointOrigin(endpoint: string): Origin {
  const wrong = (why: string) =>
    failure('invalid-argument', `The endpoint "${endpoint}" cannot be used: ${why}.`, {
      retry: 'after-fix',
      reason: 'endpoint-invalid',
    });
  if (!URL.canParse(endpoint)) throw wrong('it is not a URL');
  const url = new URL(endpoint);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw wrong('it does not start with http:// or https://');
  if (url.username !== '' || url.password !== '') throw wrong('it holds a user name or a password');
  if (url.search !== '' || url.hash !== '') throw wrong('it has a query');
  const basePath = url.pathname.replace(/\/+$/, '');
  return { protocol: url.protocol, hostname: url.hostname, port: url.port, basePath };
}

/**
 * Returns true if the host is certainly this computer. Names that end with `.localhost` are not, because DNS may resolve them to
 * another one.
 */
export function isThisComputer(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}

/** Returns true for a host on this computer. As in browsers, requests to it use no proxy of the environment or the system. */
export function isLoopback(hostname: string): boolean {
  return isThisComputer(hostname) || hostname.endsWith('.localhost');
}

/** Returns true if requests name the bucket in the host rather than in the path. */
export function usesVirtualHost(
  bucket: string,
  origin: Origin,
  addressing: 'path' | 'virtual-host' | 'auto',
  quirks: Quirks,
): boolean {
  const effectiveAddressing = addressing === 'auto' ? quirks.autoAddressing : addressing;
  return effectiveAddressing === 'virtual-host' && fitsHostName(bucket, origin);
}

/**
 * Returns true if the bucket can be part of the host name. Wildcard certificates cover no names with dots
 * (arrow-rs-object-store#747), and an IP address has no subdomains.
 */
function fitsHostName(bucket: string, origin: Origin): boolean {
  if (origin.hostname.startsWith('[') || isIP(origin.hostname) !== 0) return false;
  return /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(bucket);
}

export interface AddressedPlace {
  readonly bucket?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * Returns the origin, host and path of a request for a bucket and a key. Throws AppError('invalid-argument') for a missing key
 * or an impossible bucket name.
 */
export function targetOf(place: AddressedPlace, origin: Origin, virtualHost: boolean): Target {
  const inHost = virtualHost && place.bucket !== undefined;
  const hostname = inHost ? `${place.bucket}.${origin.hostname}` : origin.hostname;
  const host = origin.port === '' ? hostname : `${hostname}:${origin.port}`;
  return {
    origin: `${origin.protocol}//${host}`,
    host,
    path: pathBelow(origin.basePath, pathOf(place, inHost)),
  };
}

/** Returns the path of a request below the base path. For the root, that is the base path without a slash, as in botocore. */
function pathBelow(basePath: string, path: string): string {
  return path === '/' && basePath !== '' ? basePath : `${basePath}${path}`;
}

/** Returns the target of an S3 Control request; null if the provider has no S3 Control. */
export function controlTargetOf(control: ControlTarget, origin: Origin, quirks: Quirks): Target | null {
  if (quirks.controlHost === null) return null;
  const { accountId, region, path } = control;
  const controlHost = quirks.controlHost({ hostname: origin.hostname, accountId, region });
  const hostname = controlHost ?? origin.hostname;
  const host = origin.port === '' ? hostname : `${hostname}:${origin.port}`;
  return { origin: `${origin.protocol}//${host}`, host, path };
}

function pathOf(place: AddressedPlace, bucketInHost: boolean): string {
  const { bucket, key } = place;
  if (bucket === undefined) return '/';
  if (bucket === '') throw failure('invalid-argument', 'The name of the bucket is missing.');
  if (key === '') throw failure('invalid-argument', 'The key is missing.');
  if (/[/\\]/.test(bucket) || bucket === '.' || bucket === '..')
    throw failure('invalid-argument', `"${bucket}" cannot be the name of a bucket.`, {
      reason: 'bucket-name',
    });
  const rest = key === undefined ? '' : `/${encodeKey(key)}`;
  if (bucketInHost) return rest === '' ? '/' : rest;
  return `/${encodeComponent(bucket)}${rest}`;
}
