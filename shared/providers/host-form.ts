/** The purpose of a provider's host that is not an S3 endpoint. */
export type HostKind = 'bucket' | 'website' | 'cdn' | 'access-point' | 'console';

type Groups = Readonly<Record<string, string | undefined>>;

/** The form of a host that users paste where an endpoint is expected. */
export interface HostForm {
  readonly kind: HostKind;
  /** Matches the host in lower case, without port. Groups: `bucket`, and `rest` for the host of the S3 API. */
  readonly host: RegExp;
  /** Returns the host of the S3 API, or null if the address does not show it. If absent, the host is the group `rest`. */
  readonly endpointHost?: (groups: Groups) => string | null;
  /** The path of the S3 API on this host. Addresses at or below it are endpoints, not of this form. */
  readonly apiPath?: string;
  /** Matches the path. Groups: `bucket` and `key`. Absent: the path is the key. */
  readonly path?: RegExp;
}

/** A path whose first segment is the bucket. */
export const bucketPath = /^\/(?<bucket>[^/]+)(?:\/(?<key>.*))?$/su;

/** Returns the form of a host with the bucket in front of the endpoint's host. */
export function bucketBefore(endpointHost: string): HostForm {
  return { kind: 'bucket', host: new RegExp(`^(?<bucket>.+)\\.(?<rest>${endpointHost})$`) };
}

/** Returns the form of hosts that only deliver objects, whose address shows neither bucket nor endpoint. */
export function deliveredFrom(host: RegExp, kind: 'cdn' | 'console' = 'cdn'): HostForm {
  return { kind, host, endpointHost: () => null };
}
