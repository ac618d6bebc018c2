import { queryDecode } from '../encoding.ts';
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

const maxTags = 10;
const longestName = 128;
const longestValue = 256;

/**
 * Throws NoSuchBucket, NoSuchKey or NoSuchVersion. https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html
 */
export function getObjectTagging(context: RequestContext): OperationResponse {
  const bucket = requireBucket(context);
  const object = requireObject(context, bucket, context.key, versionOf(context));
  const tags = Object.entries(object.attributes.tags ?? {})
    .map(([name, value]) => `<Tag>${element('Key', name)}${element('Value', value)}</Tag>`)
    .join('');
  return xmlResponse(document('Tagging', `<TagSet>${tags}</TagSet>`), versionHeader(bucket, object.version));
}

/** Replaces the tags of an object. Throws `InvalidTag`. */
export async function putObjectTagging(context: RequestContext): Promise<OperationResponse> {
  requireBucket(context);
  const tags = checked(readTagging(await context.body.text()));
  return emptyResponse(200, change(context, tags));
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
  return {
    tags: checked(
      header.split('&').map((pair) => {
        const equals = pair.indexOf('=');
        const name = queryDecode(equals < 0 ? pair : pair.slice(0, equals));
        const value = equals < 0 ? '' : queryDecode(pair.slice(equals + 1));
        if (name === null || value === null) throw serviceError('InvalidTag');
        return [name, value];
      }),
    ),
  };
}

function checked(pairs: readonly (readonly [string, string])[]): Tags {
  const isFit = pairs.every(
    ([name, value]) => name !== '' && name.length <= longestName && value.length <= longestValue,
  );
  const isUnique = new Set(pairs.map(([name]) => name)).size === pairs.length;
  if (!isFit || !isUnique || pairs.length > maxTags) throw serviceError('InvalidTag');
  return Object.fromEntries(pairs);
}

// Source of the limits: https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketTagging.html
const maxBucketTags = 50;
const maxBucketTagKey = 128;
const maxBucketTagValue = 256;

/** Returns the tags of a bucket, which have no effect in this service. Throws `NoSuchTagSet` if there are none. */
export function getBucketTagging(context: RequestContext): OperationResponse {
  const bucket = requireBucket(context);
  const tags = context.state.store.buckets.tags(bucket.id);
  if (tags === null) throw serviceError('NoSuchTagSet');
  const set = tags
    .map(([key, value]) => `<Tag>${element('Key', key)}${element('Value', value)}</Tag>`)
    .join('');
  return xmlResponse(document('Tagging', `<TagSet>${set}</TagSet>`));
}

/** Replaces the tags of a bucket. Throws `InvalidTag` for more than 50 tags or an invalid one. */
export async function putBucketTagging(context: RequestContext): Promise<OperationResponse> {
  const bucket = requireBucket(context);
  const tags = readTagging(await context.body.text());
  const keys = new Set(tags.map(([key]) => key));
  const isFit = tags.every(
    ([key, value]) => key !== '' && key.length <= maxBucketTagKey && value.length <= maxBucketTagValue,
  );
  if (!isFit || keys.size < tags.length || tags.length > maxBucketTags) throw serviceError('InvalidTag');
  context.state.store.buckets.setTags(bucket.id, tags);
  return emptyResponse(204);
}

/** Throws NoSuchBucket. https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketTagging.html */
export function deleteBucketTagging(context: RequestContext): OperationResponse {
  const bucket = requireBucket(context);
  context.state.store.buckets.setTags(bucket.id, null);
  return emptyResponse(204);
}
