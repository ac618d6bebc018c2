import type { Addressing } from '../models/connection.ts';
import type { HostForm } from './host-form.ts';

/** A provider's facts for the form. */
export interface Preset {
  readonly id: string;
  readonly name: string;
  /** The origin with the placeholders {region} and {account}; '' if the user has to type it. */
  readonly endpointTemplate: string;
  /** Returns the origin in a region, if the domain depends on the region. Absent: the template applies to all regions. */
  readonly endpointOf?: (region: string) => string;
  /** Suggestions; the user may type another region. */
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
  /** The signing region if neither the connection nor the host names one. */
  readonly fallbackRegion: string;
  /** Hosts of the provider, to which alone a redirect may lead. null: only the endpoint's own host. */
  readonly ownHosts: RegExp | null;
  /** Matches a host name; the first group is the region. */
  readonly regionInHost: RegExp | null;
  /** Returns the host of another region in the same form as `hostname`; null if all regions share one host. */
  readonly regionHost: ((region: string, hostname: string) => string) | null;
  /** 2, unless the service is known to have only ListObjects V1. */
  readonly listVersion: 1 | 2;
  /** Storage classes to suggest. */
  readonly storageClasses: readonly string[];
  /** ListMultipartUploads shows every upload. False for MinIO, which lists only for an exact key (minio#11686). */
  readonly listsAllUploads: boolean;
  /** All parts except the last have to be of equal size (opendal#2904). */
  readonly equalPartSizes: boolean;
  /** A Complete may name fewer parts than are stored. Ceph answers InvalidPart (seen in 16.2.15). */
  readonly completesSubset: boolean;
  /** The service supports DeleteObjects. */
  readonly multiDelete: boolean;
  /**
   * The checksum that the provider documents to compare in PutObject and UploadPart, and over a whole object in parts. null: a
   * service may refuse checksums, so none is sent before it has named one.
   */
  readonly checksum: 'crc64nvme' | null;
  /** CreateBucket always names the region, because regional endpoints of AWS require it. */
  readonly namesRegionOnCreate: boolean;
  /** The service decompresses objects with a Content-Encoding on the way, unless a request accepts the encoding. */
  readonly decompresses: boolean;
  /**
   * Returns the host of S3 Control for an account (S3 Batch Operations), or null if the endpoint itself serves it. null: the
   * provider has no such jobs.
   */
  readonly controlHost: ((at: ControlPlace) => string | null) | null;
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
  /** Hosts that are no endpoints, such as one with a bucket in front. The first that matches counts. */
  readonly hostForms: readonly HostForm[];
}

/** The behaviour of the specification and of most services. */
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
  checksum: null,
  namesRegionOnCreate: false,
  decompresses: false,
  controlHost: null,
};
