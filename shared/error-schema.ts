import { z } from 'zod/mini';

/** The kinds of failure. The window's code depends on these kinds, never on a message. */
export const errorCodes = [
  'invalid-argument',
  'cancelled',
  'unsupported',
  'access-denied',
  'auth-expired',
  'clock-skew',
  'not-found',
  'conflict',
  'upload-gone',
  'parts-rejected',
  'network',
  'timeout',
  'rate-limited',
  'server',
  'protocol',
  'storage',
  /** The received bytes differ from the service's description in length or digest. */
  'damaged',
  'disconnected',
  'internal',
] as const;

const s3ErrorSchema = z.object({
  /** The HTTP status of the response. */
  status: z.int(),
  /** The service's error code, such as NoSuchKey. Null if the response had no XML (HEAD). */
  code: z.nullable(z.string()),
  message: z.nullable(z.string()),
  requestId: z.nullable(z.string()),
  /** The correct region of the bucket, if the response names it. */
  region: z.optional(z.string()),
  /** The largest accepted size in bytes, if the response names it. */
  maxSizeBytes: z.optional(z.number()),
});

/** The difference between the data received and the data expected. */
const differenceSchema = z.object({
  /** The value that differs. `md5`: the content's MD5. `etag`: the ETag of a multipart object. `checksum`: x-amz-checksum-*. */
  what: z.enum(['length', 'md5', 'etag', 'checksum']),
  /** A number of bytes, or a digest in the service's notation. */
  expected: z.string(),
  got: z.string(),
});

export const appErrorSchema = z.object({
  code: z.enum(errorCodes),
  /** The message in English, for logs and the expandable details. It never contains a secret. */
  message: z.string(),
  retry: z.enum(['never', 'backoff', 'after-fix']),
  /** With `unknown`, the service may or may not have carried out the request, so the effect must be checked before a repeat. */
  outcome: z.enum(['not-applied', 'unknown']),
  /** An ErrorReason of this version or of an older one, or why a job stopped. */
  reason: z.optional(z.string()),
  s3: z.optional(s3ErrorSchema),
  retryAfterMs: z.optional(z.number()),
  /** The origin (scheme, host and port) that the service redirects to and Cooper does not follow. */
  host: z.optional(z.string()),
  /** Set for `damaged`. */
  difference: z.optional(differenceSchema),
});

export type ErrorCode = (typeof errorCodes)[number];
export type S3Error = Readonly<z.infer<typeof s3ErrorSchema>>;
export type Difference = Readonly<z.infer<typeof differenceSchema>>;
export type AppError = Readonly<z.infer<typeof appErrorSchema>>;
