import type { IncomingMessage } from 'node:http';
import { percentDecode, queryDecode } from './encoding.ts';
import { serviceError, type ErrorName } from './service-errors.ts';

export const operations = [
  'ListBuckets',
  'CreateBucket',
  'DeleteBucket',
  'HeadBucket',
  'GetBucketLocation',
  'GetBucketTagging',
  'PutBucketTagging',
  'DeleteBucketTagging',
  'GetBucketVersioning',
  'PutBucketVersioning',
  'GetBucketLifecycleConfiguration',
  'PutBucketLifecycleConfiguration',
  'DeleteBucketLifecycle',
  'ListObjectVersions',
  'ListObjects',
  'ListObjectsV2',
  'GetObject',
  'HeadObject',
  'GetObjectAttributes',
  'GetObjectTagging',
  'PutObjectTagging',
  'DeleteObjectTagging',
  'PutObject',
  'CopyObject',
  'DeleteObject',
  'DeleteObjects',
  'CreateMultipartUpload',
  'UploadPart',
  'UploadPartCopy',
  'ListParts',
  'ListMultipartUploads',
  'CompleteMultipartUpload',
  'AbortMultipartUpload',
] as const;

export type Operation = (typeof operations)[number];

/**
 * The target of a request, parsed from the raw request line. The URL class is not used, because it would normalize object keys.
 */
export interface Target {
  readonly rawPath: string;
  /** Names and values in the order of the request, which the signature needs. */
  readonly pairs: readonly (readonly [string, string])[];
  readonly query: ReadonlyMap<string, string>;
  readonly bucket: string;
  readonly key: string;
  readonly isPathStyle: boolean;
}

type Methods = Readonly<Record<string, Operation>>;

const bucketSubresources: ReadonlyMap<string, Methods> = new Map([
  ['tagging', { GET: 'GetBucketTagging', PUT: 'PutBucketTagging', DELETE: 'DeleteBucketTagging' }],
  ['versioning', { GET: 'GetBucketVersioning', PUT: 'PutBucketVersioning' }],
  ['versions', { GET: 'ListObjectVersions' }],
  [
    'lifecycle',
    {
      GET: 'GetBucketLifecycleConfiguration',
      PUT: 'PutBucketLifecycleConfiguration',
      DELETE: 'DeleteBucketLifecycle',
    },
  ],
]);

const objectSubresources: ReadonlyMap<string, Methods> = new Map([
  ['attributes', { GET: 'GetObjectAttributes' }],
  ['tagging', { GET: 'GetObjectTagging', PUT: 'PutObjectTagging', DELETE: 'DeleteObjectTagging' }],
]);

/** The query parameters of S3 features that this service does not have. */
const absentSubresources = new Set(
  (
    'accelerate acl analytics attributes cors encryption intelligent-tiering inventory legal-hold lifecycle logging ' +
    'metrics notification object-lock ownershipControls policy policyStatus publicAccessBlock replication ' +
    'requestPayment restore retention select session tagging torrent versioning versions website'
  ).split(' '),
);

const virtualHostSuffixes = ['.s3.localhost', '.localhost'];

/**
 * Returns bucket and key of a request. Throws `InvalidURI` if its path cannot be decoded or is outside the base path of the
 * service.
 */
export function parseTarget(request: IncomingMessage, basePath = ''): Target {
  let raw = request.url ?? '/';
  // Removes scheme and host from a target in absolute form, which clients send to proxies (RFC 9112, 3.2.2).
  if (!raw.startsWith('/')) raw = raw.replace(/^[a-z]+:\/\/[^/?]*/i, '') || '/';
  const queryStart = raw.indexOf('?');
  const rawPath = queryStart < 0 ? raw : raw.slice(0, queryStart);
  const pairs = queryStart < 0 ? [] : parseQuery(raw.slice(queryStart + 1));
  const hostBucket = bucketOfHost(request.headers.host ?? '');
  if (rawPath !== basePath && !rawPath.startsWith(`${basePath}/`)) throw serviceError('InvalidURI');
  const path = rawPath.slice(basePath.length) || '/';
  const slash = hostBucket === null ? path.indexOf('/', 1) : 0;
  const rawBucket = slash < 0 ? path.slice(1) : path.slice(1, slash);
  const bucket = hostBucket ?? percentDecode(rawBucket);
  const key = slash < 0 ? '' : percentDecode(path.slice(slash + 1));
  if (bucket === null || key === null) throw serviceError('InvalidURI');
  return { rawPath, pairs, query: new Map(pairs), bucket, key, isPathStyle: hostBucket === null };
}

function bucketOfHost(host: string): string | null {
  const name = host.replace(/:[0-9]+$/, '').toLowerCase();
  if (name === 's3.localhost') return null;
  const suffix = virtualHostSuffixes.find((candidate) => name.endsWith(candidate));
  return suffix === undefined ? null : name.slice(0, -suffix.length);
}

function parseQuery(raw: string): [string, string][] {
  const stated = raw.split('&').filter((pair) => pair !== '');
  const pairs = decodePairs(stated, 'InvalidURI');
  const seen = new Set<string>();
  const repeated = pairs.find(([name]) => seen.size === seen.add(name).size);
  if (repeated === undefined) return pairs;
  throw serviceError('InvalidArgument', {
    message: `The query parameter ${repeated[0]} is given twice.`,
    elements: { ArgumentName: repeated[0], ArgumentValue: repeated[1] },
  });
}

/** Decodes pairs like `name=value`, as queries contain them. Throws an error with this code for an invalid one. */
export function decodePairs(pairs: readonly string[], error: ErrorName): [name: string, value: string][] {
  return pairs.map((pair) => {
    const equals = pair.indexOf('=');
    const name = queryDecode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : queryDecode(pair.slice(equals + 1));
    if (name === null || value === null) throw serviceError(error);
    return [name, value];
  });
}

/** Returns the operation of a request. Throws NotImplemented or MethodNotAllowed if there is none. */
export function operationOf(method: string, target: Target, headers: ReadonlyMap<string, string>): Operation {
  const known = target.key === '' ? bucketSubresources : objectSubresources;
  for (const name of target.bucket === '' ? [] : target.query.keys()) {
    const methods = known.get(name);
    if (methods !== undefined) return methods[method] ?? refuse();
  }
  const absent = [...target.query.keys()].find((name) => absentSubresources.has(name));
  if (absent !== undefined) {
    throw serviceError('NotImplemented', { message: `This service does not have "${absent}".` });
  }
  if (target.bucket === '') return method === 'GET' ? 'ListBuckets' : refuse();
  const has = (name: string): boolean => target.query.has(name);
  return target.key === ''
    ? bucketOperation(method, target, has)
    : objectOperation(method, has, headers.has('x-amz-copy-source'));
}

function bucketOperation(method: string, target: Target, has: (name: string) => boolean): Operation {
  switch (method) {
    case 'GET':
      if (has('location')) return 'GetBucketLocation';
      if (has('uploads')) return 'ListMultipartUploads';
      return target.query.get('list-type') === '2' ? 'ListObjectsV2' : 'ListObjects';
    case 'HEAD':
      return 'HeadBucket';
    case 'PUT':
      return 'CreateBucket';
    case 'DELETE':
      return 'DeleteBucket';
    case 'POST':
      return has('delete') ? 'DeleteObjects' : refuse();
    default:
      return refuse();
  }
}

function objectOperation(method: string, has: (name: string) => boolean, isCopy: boolean): Operation {
  switch (method) {
    case 'GET':
      return has('uploadId') ? 'ListParts' : 'GetObject';
    case 'HEAD':
      return 'HeadObject';
    case 'PUT':
      if (has('uploadId') || has('partNumber')) return isCopy ? 'UploadPartCopy' : 'UploadPart';
      return isCopy ? 'CopyObject' : 'PutObject';
    case 'POST':
      if (has('uploads')) return 'CreateMultipartUpload';
      return has('uploadId') ? 'CompleteMultipartUpload' : refuse();
    case 'DELETE':
      return has('uploadId') ? 'AbortMultipartUpload' : 'DeleteObject';
    default:
      return refuse();
  }
}

function refuse(): never {
  throw serviceError('MethodNotAllowed');
}
