import type { EnglishMessages } from './messages/english.ts';

/** Reasons without a separate text in `errors.json`: the text of the error code is enough. The comments name the codes. */
export const reasonsByCode = [
  // clock-skew, upload-gone, conflict
  'clock-skew',
  'no-such-upload',
  'upload-gone',
  'precondition-failed',
  // parts-rejected
  'invalid-part',
  'invalid-part-order',
  'part-too-small',
  'checksum-missing',
  // invalid-argument, unsupported
  'invalid-range',
  'refused',
  'view-too-large',
  'not-implemented',
  // timeout, server, network
  'first-byte-timeout',
  'inactivity',
  'unavailable',
  'gateway-timeout',
  'internal-error',
  'other',
  // protocol
  'too-big',
  'xml-forbidden',
  'bad-encoding',
  // damaged
  'length-differs',
  'md5-differs',
  'etag-differs',
  'checksum-differs',
] as const;

/**
 * The specific reason for a failure, finer than its error code. Each has a text in `errors.json`, unless the text of its code is
 * enough. Reasons that only occur with items of transfers have theirs in `jobs.json`.
 */
export type ErrorReason =
  | keyof EnglishMessages['errors']['reasons']
  | keyof EnglishMessages['jobs']['failedItems']['why']
  | (typeof reasonsByCode)[number];
