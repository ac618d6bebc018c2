import type { SpaceEncoding } from './encoding.ts';

/** Ways in which real servers deviate from S3. The defaults follow the specification and AWS. */
export interface Quirks {
  /** Servers older than V2 serve `list-type=2` as V1, or refuse it. */
  listV2: 'supported' | 'treated-as-v1' | 'not-implemented';
  /** AWS itself sends NextMarker only if the request has a delimiter. */
  nextMarker: 'always' | 'with-delimiter' | 'never';
  nextContinuationToken: 'always' | 'never';
  encodingType: 'honoured' | 'ignored';
  spaceEncoding: SpaceEncoding;
  listBuckets: 'allowed' | 'denied';
  listing: 'xml' | 'html';
  /** Ceph responds to CompleteMultipartUpload with an empty ETag. */
  completionEtag: 'present' | 'empty';
  /** The response to a repeated CompleteMultipartUpload after a success. */
  repeatedCompletion: 'no-such-upload' | 'same-result' | 'internal-error';
  /** The response to an unknown upload id. */
  missingUpload: 'NoSuchUpload' | 'NoSuchKey' | 'InternalError';
  /** MinIO lists uploads only for an exact key; some servers never list them. */
  listUploads: 'all' | 'exact-key' | 'none';
  /** ETags that look like an MD5 but are none, as with KMS encryption. */
  etags: 'md5' | 'opaque';
  /** R2: all parts but the last must have the same size. */
  equalPartSizes: boolean;
  /** R2, B2 and Wasabi refuse optional checksum headers. */
  checksumHeaders: 'accepted' | 'refused';
  /**
   * Conditions on a write, including those on a copy's source. Many gateways ignore them; some respond with 501 or with 400
   * InvalidArgument.
   */
  conditionalWrites: 'honoured' | 'ignored' | 'refused' | 'refused-400';
  /** How If-Match on a GET or HEAD is handled. */
  conditionalReads: 'honoured' | 'ignored' | 'refused-400';
  /**
   * A compressing proxy weakens the ETags of headers (nginx with gzip), and If-Match never matches a weak one (RFC 9110,
   * 13.1.1). ETags in XML stay strong.
   */
  etagHeaders: 'strong' | 'weak';
  /** `documented` refuses other storage classes; `any` stores and returns them, as services with custom classes do. */
  storageClasses: 'documented' | 'any';
  /** The path that all requests start with, such as Supabase's `/storage/v1/s3`; '' as on AWS. */
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
