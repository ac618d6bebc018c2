import { randomUUID } from 'node:crypto';
import {
  emptyResponse,
  requireBucket,
  xmlResponse,
  type OperationResponse,
  type RequestContext,
} from '../context.ts';
import { serviceError } from '../service-errors.ts';
import { childText, document, element, parseRoot, requireChildren, parseXml } from '../xml.ts';
import { isoTime } from './attribute-operations.ts';
import { printLifecycle, readLifecycle, refuseContradiction } from '../lifecycle/lifecycle-rules.ts';

export const owner = '<Owner><ID>cooper</ID><DisplayName>cooper</DisplayName></Owner>';

/** Throws `AccessDenied` if that quirk is set. https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html */
export function listBuckets(context: RequestContext): OperationResponse {
  const { store, quirks } = context.state;
  if (quirks.listBuckets === 'denied') throw serviceError('AccessDenied');
  const buckets = store.buckets
    .all()
    .map(
      (bucket) =>
        `<Bucket>${element('Name', bucket.name)}${element('CreationDate', isoTime(bucket.createdMs))}</Bucket>`,
    );
  return xmlResponse(document('ListAllMyBucketsResult', `${owner}<Buckets>${buckets.join('')}</Buckets>`));
}

/**
 * Throws `InvalidBucketName`, `IllegalLocationConstraintException` for another region, or `BucketAlreadyOwnedByYou`.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html
 */
export async function createBucket(context: RequestContext): Promise<OperationResponse> {
  const body = await context.body.text();
  if (!isBucketName(context.bucket)) throw serviceError('InvalidBucketName');
  if (body.trim() !== '') {
    const root = parseRoot(body, 'CreateBucketConfiguration');
    requireChildren(root, ['LocationConstraint']);
    const requestedRegion = childText(root, 'LocationConstraint');
    if (requestedRegion !== null && requestedRegion !== '' && requestedRegion !== context.state.region) {
      throw serviceError('IllegalLocationConstraintException');
    }
  }
  const created = context.state.store.buckets.create(context.bucket, context.state.nowMs());
  if (created === null) throw serviceError('BucketAlreadyOwnedByYou');
  return emptyResponse(200, { location: `/${context.bucket}` });
}

/**
 * Throws `BucketNotEmpty` while objects, versions or uploads remain.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucket.html
 */
export function deleteBucket(context: RequestContext): OperationResponse {
  const bucket = requireBucket(context);
  if (!context.state.store.deleteBucket(bucket.id)) throw serviceError('BucketNotEmpty');
  return emptyResponse(204);
}

/** Throws NoSuchBucket. https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html */
export function headBucket(context: RequestContext): OperationResponse {
  requireBucket(context);
  return emptyResponse(200);
}

/** Throws NoSuchBucket. https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLocation.html */
export function getBucketLocation(context: RequestContext): OperationResponse {
  requireBucket(context);
  // S3 leaves the element empty for us-east-1.
  const region = context.state.region === 'us-east-1' ? '' : context.state.region;
  return xmlResponse(document('LocationConstraint', region));
}

/**
 * Returns true for 3 to 63 characters from a-z, 0-9, dot and hyphen. Labels must start and end with a letter or digit, and the
 * name must not look like an IP address.
 */
export function isBucketName(name: string): boolean {
  return (
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) &&
    !/\.\.|\.-|-\./.test(name) &&
    !/^\d+\.\d+\.\d+\.\d+$/.test(name)
  );
}

/**
 * Throws `NoSuchLifecycleConfiguration` if the bucket has none.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLifecycleConfiguration.html
 */
export function getLifecycle(context: RequestContext): OperationResponse {
  const stored = context.state.store.buckets.lifecycle(requireBucket(context).id);
  if (stored === null) throw serviceError('NoSuchLifecycleConfiguration');
  return xmlResponse(stored);
}

/**
 * Throws MalformedXML, S3's errors for invalid or contradictory rules, and NoSuchBucket.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html
 */
export async function putLifecycle(context: RequestContext): Promise<OperationResponse> {
  const root = parseXml(await context.body.text());
  for (const rule of readLifecycle(root)) refuseContradiction(rule);
  const storedDocument = document('LifecycleConfiguration', printLifecycle(root, randomUUID));
  context.state.store.buckets.setLifecycle(requireBucket(context).id, storedDocument);
  return emptyResponse(200);
}

/** Throws NoSuchBucket. https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketLifecycle.html */
export function deleteLifecycle(context: RequestContext): OperationResponse {
  context.state.store.buckets.setLifecycle(requireBucket(context).id, null);
  return emptyResponse(204);
}
