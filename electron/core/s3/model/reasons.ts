import type { NetworkReason } from './network-errors.ts';

export type S3Reason =
  | NetworkReason
  // access-denied
  | 'denied'
  | 'key-unknown'
  | 'secret-wrong'
  | 'token-invalid'
  | 'account-problem'
  | 'anonymous-refused'
  // auth-expired, clock-skew
  | 'token-expired'
  | 'clock-skew'
  // not-found, upload-gone
  | 'no-such-bucket'
  | 'no-such-key'
  | 'no-such-upload'
  // conflict
  | 'bucket-exists'
  | 'bucket-not-empty'
  | 'precondition-failed'
  | 'busy'
  | 'object-archived'
  | 'restore-in-progress'
  // parts-rejected
  | 'invalid-part'
  | 'invalid-part-order'
  | 'part-too-small'
  | 'checksum-missing'
  // invalid-argument, unsupported
  | 'region-mismatch'
  | 'bucket-name'
  | 'key-too-long'
  | 'invalid-range'
  | 'too-large'
  | 'storage-class'
  | 'not-archived'
  | 'malformed-xml'
  | 'not-unicode'
  | 'header-invalid'
  | 'not-xml'
  | 'refused'
  | 'not-implemented'
  // rate-limited, server
  | 'slow-down'
  | 'unavailable'
  | 'gateway-timeout'
  | 'internal-error'
  | 'quota-exceeded'
  | 'content-damaged'
  // protocol
  | 'unexpected-answer'
  | 'html'
  | 'cut-short'
  | 'too-big'
  | 'xml-forbidden'
  | 'bad-encoding'
  | 'listing-stuck'
  | 'unreadable-entry'
  | 'redirect-refused'
  | 'range-ignored'
  // encryption
  | 'customer-key-needed'
  | 'encryption-ignored'
  // the client's own settings and files
  | 'endpoint-invalid'
  | 'proxy-invalid'
  | 'ca-unreadable'
  | 'body-changed'
  | 'body-unreadable';

/** Whether the request could have changed something, and so whether a lost answer leaves a doubt. */
export type Effect = 'read' | 'write';

/** What a request named: a 404 about an upload id means that the upload is gone, whatever its code (Ceph: NoSuchKey). */
export type Subject = 'service' | 'bucket' | 'object' | 'upload';
