import type { SpaceEncoding } from './encoding.ts';

/** How servers differ from the specification; the default is what the specification and AWS say. */
export interface Quirks {
  /** Before V2 came: `list-type=2` is not understood and answered as V1, or refused. */
  listV2: 'supported' | 'treated-as-v1' | 'not-implemented';
  /** AWS itself sends NextMarker with a delimiter only. */
  nextMarker: 'always' | 'with-delimiter' | 'never';
  nextContinuationToken: 'always' | 'never';
  encodingType: 'honoured' | 'ignored';
  spaceEncoding: SpaceEncoding;
  listBuckets: 'allowed' | 'denied';
  listing: 'xml' | 'html';
  /** Ceph completes with an empty ETag. */
  completionEtag: 'present' | 'empty';
  /** The answer to a Complete that repeats a successful one. */
  repeatedCompletion: 'no-such-upload' | 'same-result' | 'internal-error';
  /** The answer to a request with an unknown upload id. */
  missingUpload: 'NoSuchUpload' | 'NoSuchKey' | 'InternalError';
  /** MinIO lists uploads for an exact key only; some servers forget them in listings. */
  listUploads: 'all' | 'exact-key' | 'none';
  /** ETags that look like MD5 and are not, as with KMS encryption. */
  etags: 'md5' | 'opaque';
  /** R2: all parts but the last must have the same size. */
  equalPartSizes: boolean;
  /** R2, B2 and Wasabi refuse optional checksum headers. */
  checksumHeaders: 'accepted' | 'refused';
  /** Conditions of a write, its copy source included: many gateways ignore them, some answer 501, some 400 InvalidArgument. */
  conditionalWrites: 'honoured' | 'ignored' | 'refused' | 'refused-400';
  /** If-Match of a GET or HEAD. */
  conditionalReads: 'honoured' | 'ignored' | 'refused-400';
  /**
   * A proxy that compresses weakens the ETags of headers (nginx with gzip does), and no If-Match holds for a weak one
   * (RFC 9110, 13.1.1). ETags in XML stay as they are.
   */
  etagHeaders: 'strong' | 'weak';
  /** Classes that the document does not have: refused, or kept and echoed as other services name theirs. */
  storageClasses: 'documented' | 'any';
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
};
