import type { Addressing } from '../models/connection.ts';

/** A provider's facts for the form. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  /** The origin, with {region} and {account} to be filled in; '' where the user has to type it. */
  readonly endpointTemplate: string;
  /** The origin in a region, where the domain depends on it too. Absent: the template holds for all. */
  readonly endpointOf?: (region: string) => string;
  /** Suggestions; the field stays free. */
  readonly regions: readonly string[];
  readonly defaultRegion: string | null;
  readonly needsRegion: boolean;
  readonly needsAccount: boolean;
  readonly addressing: Addressing;
}

/** The ways in which a provider deviates from the specification. */
export interface Quirks {
  /** The meaning of 'auto' addressing. */
  readonly autoAddressing: 'path' | 'virtual-host';
  /** Signed for when the connection names no region and the host does not tell. */
  readonly fallbackRegion: string;
  /** Hosts that belong to the provider: a redirect may lead there, and nowhere else. Null: the endpoint's very host. */
  readonly ownHosts: RegExp | null;
  /** Finds the region inside a host name; its first group is the region. */
  readonly regionInHost: RegExp | null;
  /** The host for another region, of the same form as `hostname`; null where all regions share one host. */
  readonly regionHost: ((region: string, hostname: string) => string) | null;
  /** 2, unless the service is known to have only ListObjects V1. */
  readonly listVersion: 1 | 2;
  /** Storage classes worth offering. */
  readonly storageClasses: readonly string[];
  /** ListMultipartUploads shows every upload. False for MinIO, which lists only for an exact key (minio#11686). */
  readonly listsAllUploads: boolean;
  /** All parts but the last must have one size (opendal#2904). */
  readonly equalPartSizes: boolean;
  /** A Complete may name fewer parts than are stored. Ceph answers InvalidPart (seen in 16.2.15). */
  readonly completesSubset: boolean;
  /** The service supports DeleteObjects. */
  readonly multiDelete: boolean;
  /** CreateBucket names the region even when the caller does not: a regional endpoint insists (AWS). */
  readonly namesRegionOnCreate: boolean;
  /** Headers that go along, unsigned, when an object is read. */
  readonly objectReadHeaders: Readonly<Record<string, string>>;
  /**
   * The host of S3 Control for an account, which makes jobs over many objects (S3 Batch Operations); where the function gives
   * null, the endpoint itself is asked. Null: the provider has no such jobs.
   */
  readonly controlHost: ((at: ControlPlace) => string | null) | null;
}

/** An account and a region, and the host of the connection's endpoint. */
export interface ControlPlace {
  readonly hostname: string;
  readonly accountId: string;
  readonly region: string;
}

/** All that is known of a provider: one file each in this folder. */
export interface Provider<Id extends string = string> {
  readonly preset: Preset & { readonly id: Id };
  readonly quirks: Quirks;
  /** Its first group is a bucket in front of the provider's host, which a form refuses in an endpoint; null: none is known. */
  readonly bucketInHost: RegExp | null;
}

/** The specification's behaviour, and most services'. */
export const ordinary: Quirks = {
  autoAddressing: 'path',
  fallbackRegion: 'us-east-1',
  ownHosts: null,
  regionInHost: null,
  regionHost: null,
  listVersion: 2,
  storageClasses: [],
  listsAllUploads: true,
  equalPartSizes: false,
  completesSubset: true,
  multiDelete: true,
  namesRegionOnCreate: false,
  objectReadHeaders: {},
  controlHost: null,
};
