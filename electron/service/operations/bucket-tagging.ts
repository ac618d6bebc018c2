import { emptyAnswer, requireBucket, xmlAnswer, type Answer, type RequestContext } from '../context.ts';
import { serviceError } from '../service-errors.ts';
import { document, element } from '../xml.ts';
import { readTagging } from '../tagging-xml.ts';

// Source of the limits: https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketTagging.html
const maxTags = 50;
const longestKey = 128;
const longestValue = 256;

/** Returns the tags of a bucket, which have no effect in this service. Throws `NoSuchTagSet` if there are none. */
export function getBucketTagging(context: RequestContext): Answer {
  const bucket = requireBucket(context);
  const tags = context.state.store.bucketTags(bucket.id);
  if (tags === null) throw serviceError('NoSuchTagSet');
  const set = tags
    .map(([key, value]) => `<Tag>${element('Key', key)}${element('Value', value)}</Tag>`)
    .join('');
  return xmlAnswer(document('Tagging', `<TagSet>${set}</TagSet>`));
}

/** Replaces the tags of a bucket. Throws `InvalidTag` for more than 50 tags or an invalid one. */
export async function putBucketTagging(context: RequestContext): Promise<Answer> {
  const bucket = requireBucket(context);
  const tags = readTagging(await context.body.text());
  const keys = new Set(tags.map(([key]) => key));
  const isFit = tags.every(
    ([key, value]) => key !== '' && key.length <= longestKey && value.length <= longestValue,
  );
  if (!isFit || keys.size < tags.length || tags.length > maxTags) throw serviceError('InvalidTag');
  context.state.store.setBucketTags(bucket.id, tags);
  return emptyAnswer(204);
}

/** Throws NoSuchBucket. https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketTagging.html */
export function deleteBucketTagging(context: RequestContext): Answer {
  const bucket = requireBucket(context);
  context.state.store.setBucketTags(bucket.id, null);
  return emptyAnswer(204);
}
