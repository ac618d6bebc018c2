import type { Quirks } from '../../../electron/service/quirks.ts';
import type { OperationRequest } from '../../../electron/service/interceptor.ts';
import type { FaultRule, Faults } from './faults.ts';

/** The kinds of jobs that each plan is tried with. */
export type KindOfJob = 'upload' | 'download' | 'list' | 'copy' | 'move' | 'delete' | 'change' | 'stalled';

/** A feature that a plan may refuse, and that some cases of the conformance suite need. */
export type PlannedFeature = 'conditions' | 'DeleteObjects' | 'ListMultipartUploads' | 'encoding-type';

/** The ways in which a service differs from the specification. Users of such services reported each of them. */
export interface ServicePlan {
  readonly name: string;
  readonly quirks?: Partial<Quirks>;
  readonly rules: readonly FaultRule[];
  /** The region of the service. If absent, the default of the tests. */
  readonly region?: string;
  /** The cause that "Test connection" shows (renderer/features/connections/model/explain-test.ts), if any. */
  readonly cause?: string;
  /** Jobs that cannot succeed on this service, whatever the program does. */
  readonly lacks?: readonly KindOfJob[];
  /**
   * The status and error code of a request that cannot work without the feature. For `encoding-type`: of a listing with a key
   * that XML cannot contain.
   */
  readonly refused?: Readonly<Partial<Record<PlannedFeature, string>>>;
}

const notInXml = { 'encoding-type': '400 InvalidRequest' } as const;

/** Makes the test service behave according to the plan until its faults are cleared. */
export function followPlan(
  service: { readonly faults: Faults; readonly quirks: Quirks },
  { quirks, rules }: ServicePlan,
): void {
  Object.assign(service.quirks, quirks);
  for (const rule of rules) service.faults.add({ ...rule, times: Infinity });
}

type Refusal = readonly [status: number, code: string, message?: string];

const notImplemented: Refusal = [501, 'NotImplemented'];
const invalidArgument: Refusal = [400, 'InvalidArgument'];

function refuses([status, code, message]: Refusal, rule: Omit<FaultRule, 'action' | 'times'>): FaultRule {
  return { ...rule, action: { kind: 'status', status, code, ...(message === undefined ? {} : { message }) } };
}

const header = (name: string) => (request: OperationRequest) => request.headers.has(name);
const parameter = (name: string) => (request: OperationRequest) => request.query.has(name);

/** Returns true if the request has one of the optional headers or parameters that Cooper sends. */
function isOptional(request: OperationRequest): boolean {
  const headers = ['x-amz-checksum-mode', 'content-md5'];
  const parameters = ['encoding-type', 'max-parts', 'max-uploads', 'max-keys', 'fetch-owner'];
  return (
    headers.some((name) => request.headers.has(name)) || parameters.some((name) => request.query.has(name))
  );
}

export const b2: ServicePlan = {
  name: 'Backblaze B2',
  quirks: { checksumHeaders: 'refused', conditionalWrites: 'refused' },
  refused: { conditions: '501 NotImplemented' },
  rules: [
    refuses([400, 'InvalidArgument', "Unsupported header 'x-amz-checksum-mode'"], {
      when: header('x-amz-checksum-mode'),
    }),
    refuses(notImplemented, { operation: ['GetObjectTagging', 'PutObjectTagging', 'DeleteObjectTagging'] }),
  ],
};

export const r2: ServicePlan = {
  name: 'Cloudflare R2',
  quirks: { checksumHeaders: 'refused', equalPartSizes: true },
  rules: [
    // https://developers.cloudflare.com/r2/api/s3/api/: UploadPart takes no Content-MD5; there are no tags.
    refuses(notImplemented, { operation: 'UploadPart', when: header('content-md5') }),
    refuses(notImplemented, { operation: ['GetObjectTagging', 'PutObjectTagging', 'DeleteObjectTagging'] }),
    refuses(notImplemented, { when: header('x-amz-tagging') }),
  ],
};

export const gcs: ServicePlan = {
  name: 'Google Cloud Storage',
  quirks: { conditionalWrites: 'refused-400' },
  refused: { conditions: '400 InvalidArgument', DeleteObjects: '501 NotImplemented', ...notInXml },
  rules: [
    refuses(notImplemented, { operation: 'DeleteObjects' }),
    refuses(invalidArgument, {
      operation: ['ListMultipartUploads', 'ListObjects'],
      when: parameter('encoding-type'),
    }),
    refuses(notImplemented, { operation: ['GetObjectTagging', 'PutObjectTagging', 'DeleteObjectTagging'] }),
  ],
};

export const oss: ServicePlan = {
  name: 'Alibaba OSS',
  quirks: { conditionalWrites: 'refused' },
  refused: { conditions: '501 NotImplemented' },
  rules: [
    refuses(notImplemented, { when: header('x-amz-checksum-mode') }),
    refuses([400, 'InvalidArgument', 'max-parts is not supported'], {
      operation: 'ListParts',
      when: parameter('max-parts'),
    }),
  ],
};

export const cos: ServicePlan = {
  name: 'Tencent COS',
  quirks: { conditionalWrites: 'ignored', listV2: 'not-implemented' },
  rules: [
    refuses(invalidArgument, { operation: 'ListMultipartUploads', when: parameter('encoding-type') }),
    refuses([400, 'InvalidRequest'], { operation: 'UploadPart', when: header('content-md5') }),
  ],
};

export const garage: ServicePlan = {
  name: 'Garage',
  quirks: { conditionalWrites: 'ignored' },
  rules: [
    refuses(notImplemented, { operation: ['GetObjectTagging', 'PutObjectTagging', 'DeleteObjectTagging'] }),
    refuses(notImplemented, { operation: ['GetBucketVersioning', 'ListObjectVersions', 'GetBucketTagging'] }),
  ],
};

/** Objects with a Content-Encoding, named `.gz` and `.br` here, are decompressed for requests that do not accept it. */
export const decompressing: ServicePlan = {
  name: 'a service that decompresses objects on the way',
  rules: [
    {
      operation: ['GetObject', 'HeadObject'],
      when: ({ key, headers }) =>
        /\.(?:gz|br)$/.test(key) &&
        headers.get('accept-encoding')?.includes(key.endsWith('.gz') ? 'gzip' : 'br') !== true,
      action: { kind: 'decompressed' },
    },
  ],
};

/** Plans that refuse optional headers and parameters, with the errors that different services send. */
export const refusesOptionalParts = [
  [400, 'InvalidArgument'],
  [501, 'NotImplemented'],
  [405, 'MethodNotAllowed'],
  [500, 'InternalError'],
].map(([status, code]): ServicePlan => ({
  name: `a service that answers ${status} to every optional header and parameter`,
  refused: notInXml,
  rules: [refuses([Number(status), String(code)], { when: isOptional })],
}));

export const withoutHead: ServicePlan = {
  name: 'a service that answers 405 to HEAD',
  rules: [refuses([405, 'MethodNotAllowed'], { operation: ['HeadObject', 'HeadBucket'] })],
};

export const withoutV2 = [400, 501, 500].map((status): ServicePlan => ({
  name: `a service that answers ${status} to ListObjectsV2`,
  rules: [
    refuses(
      [status, status === 400 ? 'InvalidArgument' : status === 501 ? 'NotImplemented' : 'InternalError'],
      { operation: 'ListObjectsV2' },
    ),
  ],
}));

const listUploads = 'ListMultipartUploads';

/** Plans without ListMultipartUploads. Uploads and multipart copies need it only to find an upload after a lost response. */
export const withoutUploadLists: readonly ServicePlan[] = [
  ...([500, 501, 503] as const).map((status): ServicePlan => {
    const code = status === 501 ? 'NotImplemented' : 'InternalError';
    return {
      name: `a service that answers ${status} to ListMultipartUploads`,
      rules: [refuses([status, code], { operation: listUploads })],
      lacks: ['stalled'],
      refused: { ListMultipartUploads: `${status} ${code}` },
    };
  }),
  {
    name: 'a service that breaks the connection of ListMultipartUploads',
    rules: [{ operation: listUploads, action: { kind: 'reset', apply: false } }],
    lacks: ['stalled'],
    refused: { ListMultipartUploads: 'network/reset' },
  },
];

const wrongRegion = (region: string) => (request: OperationRequest) =>
  request.headers.get('authorization')?.includes(`/${region}/s3/`) !== true;

/** Plans with another signing region, which the service reports in an XML element or only in a sentence. */
export const regionPlans: readonly ServicePlan[] = [
  ...['garage', 'my_zone', 'dc1.local'].map((region): ServicePlan => ({
    name: `a service that names its region ${region} in an element`,
    region,
    rules: [],
  })),
  {
    name: 'a service that names its region garage in a sentence alone',
    region: 'garage',
    rules: [
      refuses(
        [
          400,
          'AuthorizationHeaderMalformed',
          'Authorization header malformed, unexpected scope: 20261126/us-east-1/s3/aws4_request, expected: 20261126/garage/s3/aws4_request',
        ],
        { when: wrongRegion('garage') },
      ),
    ],
  },
];

/** Plans that refuse every request, each for a different reason. */
export const accountPlans: readonly ServicePlan[] = [
  ['UserDisable', 403, 'account-problem'],
  ['AccountSuspended', 403, 'account-problem'],
  ['AccountProblem', 403, 'account-problem'],
  ['AllAccessDisabled', 403, 'account-problem'],
  ['NotSignedUp', 403, 'account-problem'],
  ['InvalidAccessKeyId', 403, 'key-unknown'],
  ['SignatureDoesNotMatch', 403, 'secret-wrong'],
  ['InvalidToken', 400, 'token-invalid'],
  ['ExpiredToken', 400, 'token-expired'],
  ['RequestTimeTooSkewed', 403, 'clock-skew'],
  ['KMS.DisabledException', 403, 'service-refused'],
  ['SomethingNew', 403, 'service-refused'],
  ['SomethingNew', 401, 'service-refused'],
  ['SomethingNew', 400, 'service-refused'],
  ['SecondLevelDomainForbidden', 403, 'virtual-host-wanted'],
  ['MethodNotAllowed', 405, 'unsupported'],
  ['NotImplemented', 501, 'unsupported'],
  ['NoSuchBucket', 404, 'unsupported'],
  ['QuotaExceeded', 507, 'service-refused'],
  ['ServiceUnavailable', 503, 'server'],
  ['SlowDown', 503, 'rate-limited'],
  ['TooManyRequests', 429, 'rate-limited'],
  ['InternalError', 500, 'server'],
].map(([code, status, cause]): ServicePlan => ({
  name: `a service that answers ${status} ${code} to everything`,
  cause: String(cause),
  rules: [refuses([Number(status), String(code)], {})],
}));

export const servicePlans: readonly ServicePlan[] = [
  b2,
  r2,
  gcs,
  oss,
  cos,
  garage,
  ...refusesOptionalParts,
  withoutHead,
  ...withoutV2,
  ...withoutUploadLists,
];
