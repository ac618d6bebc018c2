import {
  requireBucket,
  xmlResponse,
  type OperationResponse,
  type RequestContext,
  secondsOf,
} from '../context.ts';
import { serviceError } from '../service-errors.ts';
import type { ObjectRow } from '../store/model.ts';
import { isVersionId } from '../store/version-rows.ts';
import { childText, document, element, parseRoot, requireChildren, type XmlNode } from '../xml.ts';
import { honoursConditions, matchesStrongly, ifMatchHolds } from './attribute-operations.ts';

/** The conditions for deleting an object. Null means no condition. */
interface DeleteCondition {
  readonly etag: string | null;
  /** In seconds since 1970. */
  readonly modified: number | null;
  readonly size: number | null;
}

const headerOf: Readonly<Record<keyof DeleteCondition, string>> = {
  etag: 'if-match',
  modified: 'x-amz-if-match-last-modified-time',
  size: 'x-amz-if-match-size',
};

/** Parses the conditions of a deletion; null if the request has none. Throws `InvalidArgument` for an invalid time or size. */
function readDeleteCondition(textOf: (name: keyof DeleteCondition) => string | null): DeleteCondition | null {
  const [etag, modified, size] = [textOf('etag'), textOf('modified'), textOf('size')];
  if (etag === null && modified === null && size === null) return null;
  const seconds = secondsOf(modified ?? undefined);
  if (modified !== null && seconds === null) throw unreadable(headerOf.modified, modified);
  if (size !== null && !/^[0-9]{1,15}$/.test(size)) throw unreadable(headerOf.size, size);
  return { etag, modified: seconds, size: size === null ? null : Number(size) };
}

function holds(
  { etag, modified, size }: DeleteCondition,
  existing: ObjectRow,
  etagHolds: (condition: string, etag: string) => boolean,
): boolean {
  return (
    (etag === null || etagHolds(etag, existing.etag)) &&
    (modified === null || modified === Math.floor(existing.modifiedMs / 1000)) &&
    (size === null || size === existing.sizeBytes)
  );
}

/**
 * Returns a function that checks an object against the request's conditions and throws PreconditionFailed. A missing object
 * passes.
 */
export function deleteConditions(context: RequestContext): (existing: ObjectRow | null) => void {
  const condition = readDeleteCondition((name) => context.headers.get(headerOf[name]) ?? null);
  if (condition === null || !honoursConditions(context)) return () => undefined;
  const etagHolds = (etagCondition: string, etag: string): boolean =>
    ifMatchHolds(context, etagCondition, etag);
  return (existing) => {
    if (existing !== null && !holds(condition, existing, etagHolds)) {
      throw serviceError('PreconditionFailed', { elements: { Condition: 'If-Match' } });
    }
  };
}

function unreadable(name: string, value: string): Error {
  return serviceError('InvalidArgument', { elements: { ArgumentName: name, ArgumentValue: value } });
}

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
export async function deleteObjects(context: RequestContext): Promise<OperationResponse> {
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
  return xmlResponse(document('DeleteResult', results));
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
