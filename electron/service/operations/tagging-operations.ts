import { decodePairs } from '../find-operation.ts';
import { serviceError } from '../service-errors.ts';
import type { Attributes } from '../store/model.ts';
import {
  requireObject,
  versionHeader,
  versionOf,
  emptyResponse,
  requireBucket,
  xmlResponse,
  type OperationResponse,
  type RequestContext,
} from '../context.ts';
import { readTagging, document, element } from '../xml.ts';

type Tags = Readonly<Record<string, string>>;

const maxObjectTags = 10;
// Source of the limits: https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketTagging.html
const maxBucketTags = 50;
const longestName = 128;
const longestValue = 256;

/**
 * Throws NoSuchBucket, NoSuchKey or NoSuchVersion. https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html
 */
export function getObjectTagging(context: RequestContext): OperationResponse {
  const bucket = requireBucket(context);
  const object = requireObject(context, bucket, context.key, versionOf(context));
  const tags = Object.entries(object.attributes.tags ?? {});
  return xmlResponse(taggingDocument(tags), versionHeader(bucket, object.version));
}

function taggingDocument(tags: readonly (readonly [name: string, value: string])[]): string {
  const set = tags.map(([name, value]) => `<Tag>${element('Key', name)}${element('Value', value)}</Tag>`);
  return document('Tagging', `<TagSet>${set.join('')}</TagSet>`);
}

/** Replaces the tags of an object. Throws `InvalidTag`. */
export async function putObjectTagging(context: RequestContext): Promise<OperationResponse> {
  requireBucket(context);
  const tags = readTagging(await context.body.text());
  refuseInvalidTags(tags, maxObjectTags);
  return emptyResponse(200, change(context, Object.fromEntries(tags)));
}

/**
 * Throws NoSuchBucket, NoSuchKey or NoSuchVersion. https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjectTagging.html
 */
export function deleteObjectTagging(context: RequestContext): OperationResponse {
  return emptyResponse(204, change(context, {}));
}

/** Replaces the tags of the request's object. Returns the response headers. */
function change(context: RequestContext, tags: Tags): Record<string, string> {
  const bucket = requireBucket(context);
  const { version } = requireObject(context, bucket, context.key, versionOf(context));
  const replace = (before: Attributes): Attributes => {
    const { tags: _replaced, ...rest } = before;
    return Object.keys(tags).length === 0 ? rest : { ...rest, tags };
  };
  context.state.store.changeAttributes(bucket.id, context.key, replace, version);
  return versionHeader(bucket, version);
}

/** Parses x-amz-tagging, which is encoded like a query: `a=b&c=d`. Throws `InvalidTag` for a duplicate or malformed tag. */
export function tagsOfHeader(context: RequestContext): Pick<Attributes, 'tags'> {
  const header = context.headers.get('x-amz-tagging') ?? '';
  if (header === '') return {};
  const tags = decodePairs(header.split('&'), 'InvalidTag');
  refuseInvalidTags(tags, maxObjectTags);
  return { tags: Object.fromEntries(tags) };
}

function refuseInvalidTags(tags: readonly (readonly [name: string, value: string])[], maxTags: number): void {
  const isFit = tags.every(
    ([name, value]) => name !== '' && name.length <= longestName && value.length <= longestValue,
  );
  const isUnique = new Set(tags.map(([name]) => name)).size === tags.length;
  if (!isFit || !isUnique || tags.length > maxTags) throw serviceError('InvalidTag');
}

/** Returns the tags of a bucket, which have no effect in this service. Throws `NoSuchTagSet` if there are none. */
export function getBucketTagging(context: RequestContext): OperationResponse {
  const bucket = requireBucket(context);
  const tags = context.state.store.buckets.tags(bucket.id);
  if (tags === null) throw serviceError('NoSuchTagSet');
  return xmlResponse(taggingDocument(tags));
}

/** Replaces the tags of a bucket. Throws `InvalidTag` for more than 50 tags or an invalid one. */
export async function putBucketTagging(context: RequestContext): Promise<OperationResponse> {
  const bucket = requireBucket(context);
  const tags = readTagging(await context.body.text());
  refuseInvalidTags(tags, maxBucketTags);
  context.state.store.buckets.setTags(bucket.id, tags);
  return emptyResponse(204);
}

/** Throws NoSuchBucket. https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketTagging.html */
export function deleteBucketTagging(context: RequestContext): OperationResponse {
  const bucket = requireBucket(context);
  context.state.store.buckets.setTags(bucket.id, null);
  return emptyResponse(204);
}
