import { randomUUID } from 'node:crypto';
import { emptyAnswer, requireBucket, xmlAnswer, type Answer, type RequestContext } from '../context.ts';
import { serviceError } from '../service-errors.ts';
import { printLifecycle, readLifecycle, refuseContradiction } from '../lifecycle/lifecycle-rules.ts';
import { document, parseXml } from '../xml.ts';

/**
 * Throws `NoSuchLifecycleConfiguration` if the bucket has none.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLifecycleConfiguration.html
 */
export function getLifecycle(context: RequestContext): Answer {
  const stored = context.state.store.lifecycle(requireBucket(context).id);
  if (stored === null) throw serviceError('NoSuchLifecycleConfiguration');
  return xmlAnswer(stored);
}

/**
 * Throws MalformedXML, S3's errors for invalid or contradictory rules, and NoSuchBucket.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html
 */
export async function putLifecycle(context: RequestContext): Promise<Answer> {
  const root = parseXml(await context.body.text());
  for (const rule of readLifecycle(root)) refuseContradiction(rule);
  const kept = document('LifecycleConfiguration', printLifecycle(root, randomUUID));
  context.state.store.setLifecycle(requireBucket(context).id, kept);
  return emptyAnswer(200);
}

/** Throws NoSuchBucket. https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketLifecycle.html */
export function deleteLifecycle(context: RequestContext): Answer {
  context.state.store.setLifecycle(requireBucket(context).id, null);
  return emptyAnswer(204);
}
