import type { EnglishMessages } from './messages/english.ts';

/** Reasons without their own text: the text of the error code is enough. */
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
 * The specific reason of a failure, finer than its error code. Each has one meaning and a text in `errors.json`, unless the text
 * of its code is enough. Reasons that only items of transfers have are in `jobs.json`.
 */
export type ErrorReason =
  | keyof EnglishMessages['errors']['reasons']
  | keyof EnglishMessages['jobs']['failedItems']['why']
  | (typeof reasonsByCode)[number];
