import type { SpaceEncoding } from './encoding.ts';

/** Deviations of real servers from S3. The defaults follow the specification and AWS. */
export interface Quirks {
  /** Servers without V2 treat `list-type=2` as V1, or refuse it. */
  listV2: 'supported' | 'treated-as-v1' | 'not-implemented';
  /** AWS sends NextMarker only if the request has a delimiter. */
  nextMarker: 'always' | 'with-delimiter' | 'never';
  nextContinuationToken: 'always' | 'never';
  encodingType: 'honoured' | 'ignored';
  spaceEncoding: SpaceEncoding;
  listBuckets: 'allowed' | 'denied';
  listing: 'xml' | 'html';
  /** Ceph responds to CompleteMultipartUpload with an empty ETag. */
  completionEtag: 'present' | 'empty';
  /** The response to a CompleteMultipartUpload that is repeated after a success. */
  repeatedCompletion: 'no-such-upload' | 'same-result' | 'internal-error';
  /** The response to an unknown upload id. */
  missingUpload: 'NoSuchUpload' | 'NoSuchKey' | 'InternalError';
  /** MinIO lists uploads only for an exact key; some servers never list uploads. */
  listUploads: 'all' | 'exact-key' | 'none';
  /** `opaque` ETags look like MD5s but are not, as with KMS encryption. */
  etags: 'md5' | 'opaque';
  /** True if all parts but the last must have the same size, as on R2. */
  equalPartSizes: boolean;
  /** R2, B2 and Wasabi refuse optional checksum headers. */
  checksumHeaders: 'accepted' | 'refused';
  /**
   * Conditions on writes, including those on a copy's source. Many gateways ignore them; some respond with 501 or with 400
   * InvalidArgument.
   */
  conditionalWrites: 'honoured' | 'ignored' | 'refused' | 'refused-400';
  /** How If-Match on a GET or HEAD is handled. */
  conditionalReads: 'honoured' | 'ignored' | 'refused-400';
  /**
   * A compressing proxy (nginx with gzip) makes the ETags in headers weak, and If-Match never matches a weak ETag (RFC 9110,
   * 13.1.1). ETags in XML stay strong.
   */
  etagHeaders: 'strong' | 'weak';
  /** `documented` refuses other storage classes; `any` stores and returns them, as services with custom classes do. */
  storageClasses: 'documented' | 'any';
  /** The path that precedes all request paths, such as Supabase's `/storage/v1/s3`; '' as on AWS. */
  basePath: string;
}

export const noQuirks: Readonly<Quirks> = {
  listV2: 'supported',
  nextMarker: 'always',
  nextContinuationToken: 'always',
  encodingType: 'honoured',
  spaceEncoding: 'plus',
  listBuckets: 'allowed',
  listing: 'xml',
  completionEtag: 'present',
  repeatedCompletion: 'no-such-upload',
  missingUpload: 'NoSuchUpload',
  listUploads: 'all',
  etags: 'md5',
  equalPartSizes: false,
  checksumHeaders: 'accepted',
  storageClasses: 'documented',
  conditionalWrites: 'honoured',
  conditionalReads: 'honoured',
  etagHeaders: 'strong',
  basePath: '',
};
