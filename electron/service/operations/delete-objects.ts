import { requireBucket, xmlAnswer, type Answer, type RequestContext } from '../context.ts';
import { serviceError } from '../service-errors.ts';
import type { ObjectRow } from '../store/model.ts';
import { isVersionId } from '../store/version-rows.ts';
import { childText, document, element, parseRoot, requireChildren, type XmlNode } from '../xml.ts';
import { honoursConditions, matchesStrongly } from './attribute-operations.ts';
import { holds, readDeleteCondition, type DeleteCondition } from './delete-conditions.ts';

const largestBatch = 1000;

const elementOf: Readonly<Record<keyof DeleteCondition, string>> = {
  etag: 'ETag',
  modified: 'LastModifiedTime',
  size: 'Size',
};

/**
 * Deletes keys and reports a result for each; a missing key counts as deleted. A key with an ETag, size or time is deleted only
 * if its object matches (API_ObjectIdentifier). Throws `MalformedXML` for no keys or more than 1000.
 */
export async function deleteObjects(context: RequestContext): Promise<Answer> {
  const bucket = requireBucket(context);
  const root = parseRoot(await context.body.text(), 'Delete');
  requireChildren(root, ['Object', 'Quiet']);
  const objects = root.children.filter((node) => node.name === 'Object');
  if (objects.length === 0 || objects.length > largestBatch) throw serviceError('MalformedXML');
  const keys = objects.map((node) => {
    requireChildren(node, ['Key', 'VersionId', ...Object.values(elementOf)]);
    const key = childText(node, 'Key');
    if (key === null || key === '') throw serviceError('MalformedXML');
    const condition = readDeleteCondition((name) => childText(node, elementOf[name]));
    return { key, version: statedVersion(node), condition };
  });
  const isConditional = keys.some(({ condition }) => condition !== null) && honoursConditions(context);
  const isQuiet = childText(root, 'Quiet')?.trim() === 'true';
  let results = '';
  const allow = (object: ObjectToDelete, existing: ObjectRow | null): boolean => {
    const { version, condition } = object;
    const isRefused =
      isConditional &&
      condition !== null &&
      existing !== null &&
      !holds(condition, existing, matchesStrongly);
    const code = isRefused
      ? 'PreconditionFailed'
      : version === null || isVersionId(version)
        ? null
        : 'InvalidArgument';
    if (code === null) return true;
    const message =
      version !== null && !isRefused ? 'Invalid version id specified' : serviceError(code).message;
    results += `<Error>${names(object)}${element('Code', code)}${element('Message', message)}</Error>`;
    return false;
  };
  context.state.store.deleteObjects(bucket.id, keys, context.state.nowMs(), allow, (object, removed) => {
    if (isQuiet) return;
    const marker = removed.isMarker
      ? element('DeleteMarker', 'true') + element('DeleteMarkerVersionId', removed.version)
      : '';
    results += `<Deleted>${names(object)}${marker}</Deleted>`;
  });
  return xmlAnswer(document('DeleteResult', results));
}

interface ObjectToDelete {
  readonly key: string;
  readonly version: string | null;
  readonly condition: DeleteCondition | null;
}

function names({ key, version }: ObjectToDelete): string {
  return element('Key', key) + element('VersionId', version);
}

function statedVersion(node: XmlNode): string | null {
  const version = childText(node, 'VersionId');
  return version === '' ? null : version;
}
