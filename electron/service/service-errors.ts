import { escapeXml } from './encoding.ts';

/** The errors of this service by code, each with its HTTP status and message. */
const catalogue = {
  AccessDenied: [403, 'Access Denied'],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed.'],
  AuthorizationQueryParametersError: [400, 'The authorization query parameters are wrong.'],
  BadDigest: [400, 'The digest you specified did not match what was received.'],
  BucketAlreadyOwnedByYou: [409, 'The bucket exists already, and you own it.'],
  BucketNotEmpty: [409, 'The bucket you tried to delete is not empty.'],
  EntityTooLarge: [400, 'The upload is larger than the largest object that is allowed.'],
  EntityTooSmall: [400, 'A part other than the last is smaller than the smallest size allowed.'],
  ExpectationFailed: [417, 'The only expectation that is supported is 100-continue.'],
  ExpiredToken: [400, 'The provided token has expired.'],
  IllegalLocationConstraintException: [400, 'This service does not have the region that was asked for.'],
  IncompleteBody: [400, 'The body ended before the promised number of bytes had come.'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The access key id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidBucketName: [400, 'The specified bucket is not valid.'],
  InvalidDigest: [400, 'The Content-MD5 or checksum you specified is not valid.'],
  InvalidPart: [400, 'One or more of the listed parts could not be found, or its ETag does not match.'],
  InvalidPartNumber: [416, 'The requested partnumber is not satisfiable'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order of part number.'],
  InvalidRange: [416, 'The requested range is not satisfiable.'],
  InvalidRequest: [400, 'Invalid Request'],
  InvalidStorageClass: [400, 'The storage class you specified is not valid.'],
  InvalidTag: [400, 'The tags you specified are not valid.'],
  InvalidToken: [400, 'The provided token is malformed or otherwise invalid.'],
  InvalidURI: [400, 'The request address cannot be decoded.'],
  KeyTooLongError: [400, 'Your key is too long.'],
  MalformedTrailerError: [400, 'The trailers of the body are not those that x-amz-trailer promised.'],
  MalformedXML: [400, 'The XML you provided was not well formed or did not have the expected shape.'],
  MaxMessageLengthExceeded: [400, 'Your request was too big.'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size.'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411, 'You must provide the Content-Length HTTP header.'],
  NoSuchBucket: [404, 'The specified bucket does not exist.'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchUpload: [404, 'The upload does not exist: its id is wrong, or it was completed or deleted.'],
  NoSuchLifecycleConfiguration: [404, 'The lifecycle configuration does not exist.'],
  NoSuchTagSet: [404, 'There is no tag set associated with the bucket.'],
  NoSuchVersion: [404, 'The specified version does not exist.'],
  NotImplemented: [501, 'A header or query you provided implies functionality that is not implemented.'],
  NotModified: [304, 'Not Modified'],
  PreconditionFailed: [412, 'At least one of the preconditions you specified did not hold.'],
  RequestTimeTooSkewed: [403, "The difference between the request time and the service's time is too large."],
  SignatureDoesNotMatch: [
    403,
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  ],
  ServiceUnavailable: [503, 'Please try again.'],
  SlowDown: [503, 'Please reduce your request rate.'],
  XAmzContentSHA256Mismatch: [400, 'The provided x-amz-content-sha256 header does not match the body.'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorName = keyof typeof catalogue;

export interface ErrorDetails {
  readonly message?: string;
  readonly status?: number;
  /** Additional elements of the error document, such as Region. */
  readonly elements?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that the service sends as S3 XML. */
export class ServiceError extends Error {
  readonly code: string;
  readonly status: number;
  readonly elements: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, status: number, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
    this.status = status;
    this.elements = details.elements ?? {};
    this.headers = details.headers ?? {};
  }
}

/** Returns a ServiceError from the catalogue. */
export function serviceError(code: ErrorName, details: ErrorDetails = {}): ServiceError {
  const [status, message] = catalogue[code];
  return new ServiceError(code, details.status ?? status, details.message ?? message, details);
}

/** Returns the status and message of a code; null if it is unknown. */
export function knownError(code: string): readonly [number, string] | null {
  return code in catalogue ? catalogue[code as ErrorName] : null;
}

/** Renders the body of an error response. */
export function renderError(
  error: ServiceError,
  resource: string,
  requestId: string,
  hostId: string,
): string {
  let further = '';
  for (const [name, value] of Object.entries(error.elements))
    further += `<${name}>${escapeXml(value)}</${name}>`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${error.code}</Code>` +
    `<Message>${escapeXml(error.message)}</Message>${further}<Resource>${escapeXml(resource)}</Resource>` +
    `<RequestId>${requestId}</RequestId><HostId>${hostId}</HostId></Error>`
  );
}
