import { emptyAnswer, requireBucket, xmlAnswer, type Answer, type RequestContext } from '../context.ts';
import { serviceError } from '../service-errors.ts';
import { childText, document, element, onlyChild, parseXml, type XmlNode } from '../xml.ts';

// https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketTagging.html
const mostTags = 50;
const longestKey = 128;
const longestValue = 256;

/** The tags of a bucket: they do nothing but be there, so that keeping them is all that there is to do. */
export function getBucketTagging(context: RequestContext): Answer {
  const bucket = requireBucket(context);
  const tags = context.state.store.bucketTags(bucket.id);
  if (tags === null) throw serviceError('NoSuchTagSet');
  const set = tags
    .map(([key, value]) => `<Tag>${element('Key', key)}${element('Value', value)}</Tag>`)
    .join('');
  return xmlAnswer(document('Tagging', `<TagSet>${set}</TagSet>`));
}

export async function putBucketTagging(context: RequestContext): Promise<Answer> {
  const bucket = requireBucket(context);
  const root = parseXml(await context.body.text());
  if (root?.name !== 'Tagging') throw serviceError('MalformedXML');
  const set = onlyChild(root, 'TagSet');
  if (set === null) throw serviceError('MalformedXML');
  const tags = set.children.map((tag) => readTag(tag));
  const keys = new Set(tags.map(([key]) => key));
  if (keys.size < tags.length || tags.length > mostTags) throw serviceError('InvalidTag');
  context.state.store.setBucketTags(bucket.id, tags);
  return emptyAnswer(204);
}

export function deleteBucketTagging(context: RequestContext): Answer {
  const bucket = requireBucket(context);
  context.state.store.setBucketTags(bucket.id, null);
  return emptyAnswer(204);
}

function readTag(tag: XmlNode): readonly [key: string, value: string] {
  const key = childText(tag, 'Key');
  const value = childText(tag, 'Value');
  if (tag.name !== 'Tag' || key === null || value === null) throw serviceError('MalformedXML');
  if (key === '' || key.length > longestKey || value.length > longestValue) throw serviceError('InvalidTag');
  return [key, value];
}
