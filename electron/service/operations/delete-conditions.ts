import type { RequestContext } from '../context.ts';
import { serviceError } from '../service-errors.ts';
import type { ObjectRow } from '../store/model.ts';
import { honoursConditions, ifMatchHolds } from './attribute-operations.ts';
import { secondsOf } from './http-date.ts';

/** The conditions for deleting an object. Null means no condition. */
export interface DeleteCondition {
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
export function readDeleteCondition(
  textOf: (name: keyof DeleteCondition) => string | null,
): DeleteCondition | null {
  const [etag, modified, size] = [textOf('etag'), textOf('modified'), textOf('size')];
  if (etag === null && modified === null && size === null) return null;
  const seconds = secondsOf(modified ?? undefined);
  if (modified !== null && seconds === null) throw unreadable(headerOf.modified, modified);
  if (size !== null && !/^[0-9]{1,15}$/.test(size)) throw unreadable(headerOf.size, size);
  return { etag, modified: seconds, size: size === null ? null : Number(size) };
}

export function holds(
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
  const etagHolds = (wanted: string, etag: string): boolean => ifMatchHolds(context, wanted, etag);
  return (existing) => {
    if (existing !== null && !holds(condition, existing, etagHolds)) {
      throw serviceError('PreconditionFailed', { elements: { Condition: 'If-Match' } });
    }
  };
}

function unreadable(name: string, value: string): Error {
  return serviceError('InvalidArgument', { elements: { ArgumentName: name, ArgumentValue: value } });
}
