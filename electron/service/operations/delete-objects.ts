import { requireBucket, xmlAnswer, type Answer, type RequestContext } from '../context.ts';
import { serviceError } from '../errors.ts';
import { childText, document, element, parseXml } from '../xml.ts';

const largestBatch = 1000;

/** Each key has its own result; a key that was not there counts as deleted. */
export async function deleteObjects(context: RequestContext): Promise<Answer> {
  const bucket = requireBucket(context);
  const root = parseXml(await context.body.text());
  if (root?.name !== 'Delete') throw serviceError('MalformedXML');
  const objects = root.children.filter((node) => node.name === 'Object');
  if (objects.length === 0 || objects.length > largestBatch) throw serviceError('MalformedXML');
  const keys = objects.map((node) => {
    const key = childText(node, 'Key');
    if (key === null || key === '') throw serviceError('MalformedXML');
    return { key, version: childText(node, 'VersionId') };
  });
  const isQuiet = childText(root, 'Quiet')?.trim() === 'true';
  let results = '';
  for (const { key, version } of keys) {
    if (version !== null && version !== '' && version !== 'null') {
      const code =
        element('Code', 'NoSuchVersion') + element('Message', 'The specified version does not exist.');
      results += `<Error>${element('Key', key)}${element('VersionId', version)}${code}</Error>`;
      continue;
    }
    context.state.store.deleteObject(bucket.id, key);
    if (!isQuiet) results += `<Deleted>${element('Key', key)}</Deleted>`;
  }
  return xmlAnswer(document('DeleteResult', results));
}
