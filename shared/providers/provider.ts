import type { BucketSection } from '../models/bucket-settings.ts';
import type { Addressing } from '../models/connection.ts';

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

/** A provider's defaults in the connection form. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  /** The origin with the placeholders {region} and {account}, or '' if the user has to type it. */
  readonly endpointTemplate: string;
  /** Returns the origin in a region, if the domain depends on the region. Absent: the template applies to all regions. */
  readonly endpointOf?: (region: string) => string;
  /** Suggested regions. The user may type any other region. */
  readonly regions: readonly string[];
  readonly defaultRegion: string | null;
  readonly addressing: Addressing;
}

/** The ways in which a provider deviates from the specification. */
export interface Quirks {
  /** The addressing that a connection with 'auto' uses. */
  readonly autoAddressing: 'path' | 'virtual-host';
  /** The signing region if neither the connection nor the host names one. */
  readonly fallbackRegion: string;
  /** Matches the provider's hosts, the only hosts that a redirect may lead to. Null if only the endpoint's host is allowed. */
  readonly providerHosts: RegExp | null;
  /** Matches a host name. The first group is the region. */
  readonly regionInHost: RegExp | null;
  /** Returns the host for another region in the same form as `hostname`, or null if all regions share one host. */
  readonly regionHost: ((region: string, hostname: string) => string) | null;
  /** Storage classes to suggest. */
  readonly storageClasses: readonly string[];
  /** True if all parts except the last must have the same size (opendal#2904). */
  readonly equalPartSizes: boolean;
  /** True if CompleteMultipartUpload may omit stored parts. Ceph responds InvalidPart (seen in 16.2.15). */
  readonly completesSubset: boolean;
  /**
   * The checksum that the provider, by its documentation, verifies for PutObject, UploadPart and whole multipart objects. With
   * null, the service may refuse checksums, so Cooper sends none until a response has contained one.
   */
  readonly checksum: 'crc64nvme' | null;
  /** True if CreateBucket must always name the region, as regional endpoints of AWS require. */
  readonly namesRegionOnCreate: boolean;
  /** True if the service sends objects with a Content-Encoding decompressed, unless the request accepts the encoding. */
  readonly decompresses: boolean;
  /**
   * Returns the host of S3 Control for an account (S3 Batch Operations), or null if the endpoint itself serves it. The function
   * is null if the provider has no batch jobs.
   */
  readonly controlHost: ((at: ControlPlace) => string | null) | null;
  /** Bucket settings that the provider documents as not supported. Cooper learns about others when the service refuses them. */
  readonly unsupportedSettings: readonly BucketSection[];
}

/** An account and a region, and the host of the connection's endpoint. */
export interface ControlPlace {
  readonly hostname: string;
  readonly accountId: string;
  readonly region: string;
}

/** The facts about a provider. Each provider has a file in this folder. */
export interface Provider<Id extends string = string> {
  readonly preset: Preset & { readonly id: Id };
  readonly quirks: Quirks;
  /** Forms of hosts that are not endpoints, for example with a bucket in front. The first match is used. */
  readonly hostForms: readonly HostForm[];
}

/** The behaviour that the specification describes and most services share. */
export const ordinary: Quirks = {
  autoAddressing: 'path',
  fallbackRegion: 'us-east-1',
  providerHosts: null,
  regionInHost: null,
  regionHost: null,
  storageClasses: [],
  equalPartSizes: false,
  completesSubset: true,
  checksum: null,
  namesRegionOnCreate: false,
  decompresses: false,
  controlHost: null,
  unsupportedSettings: [],
};
