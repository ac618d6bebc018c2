import { requireBucket, xmlAnswer, type Answer, type RequestContext } from '../context.ts';
import { serviceError } from '../errors.ts';
import { childText, document, element, parseXml } from '../xml.ts';
import { honoursConditions, matchesStrongly } from './attributes.ts';
import { holds, readDeleteCondition, type DeleteCondition } from './delete-conditions.ts';

const largestBatch = 1000;

const elementOf: Readonly<Record<keyof DeleteCondition, string>> = {
  etag: 'ETag',
  modified: 'LastModifiedTime',
  size: 'Size',
};

/**
 * Each key has its own result; a key that was not there counts as deleted. One with an ETag, a size or a time goes only
 * if that is what stands there (API_ObjectIdentifier).
 */
export async function deleteObjects(context: RequestContext): Promise<Answer> {
  const bucket = requireBucket(context);
  const root = parseXml(await context.body.text());
  if (root?.name !== 'Delete') throw serviceError('MalformedXML');
  const objects = root.children.filter((node) => node.name === 'Object');
  if (objects.length === 0 || objects.length > largestBatch) throw serviceError('MalformedXML');
  const keys = objects.map((node) => {
    const key = childText(node, 'Key');
    if (key === null || key === '') throw serviceError('MalformedXML');
    const condition = readDeleteCondition((name) => childText(node, elementOf[name]));
    return { key, version: childText(node, 'VersionId'), condition };
  });
  const isConditional = keys.some(({ condition }) => condition !== null) && honoursConditions(context);
  const isQuiet = childText(root, 'Quiet')?.trim() === 'true';
  let results = '';
  context.state.store.deleteObjects(bucket.id, keys, ({ key, version, condition }, existing) => {
    if (version !== null && version !== '' && version !== 'null') {
      const code =
        element('Code', 'NoSuchVersion') + element('Message', 'The specified version does not exist.');
      results += `<Error>${element('Key', key)}${element('VersionId', version)}${code}</Error>`;
      return false;
    }
    if (isConditional && condition !== null && existing !== null && !holds(condition, existing, matchesStrongly)) {
      const { code, message } = serviceError('PreconditionFailed');
      results += `<Error>${element('Key', key)}${element('Code', code)}${element('Message', message)}</Error>`;
      return false;
    }
    if (!isQuiet) results += `<Deleted>${element('Key', key)}</Deleted>`;
    return true;
  });
  return xmlAnswer(document('DeleteResult', results));
}
