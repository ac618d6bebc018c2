import type { RequestContext } from '../context.ts';
import { serviceError } from '../service-errors.ts';
import type { ObjectRow } from '../store/model.ts';
import { honoursConditions, ifMatchHolds } from './attribute-operations.ts';
import { secondsOf } from './http-date.ts';

/** The required state of an object to delete; null: any. */
export interface DeleteCondition {
  readonly etag: string | null;
  /** Seconds since 1970. */
  readonly modified: number | null;
  readonly size: number | null;
}

const headerOf: Readonly<Record<keyof DeleteCondition, string>> = {
  etag: 'if-match',
  modified: 'x-amz-if-match-last-modified-time',
  size: 'x-amz-if-match-size',
};

/**
 * Reads the conditions of a deletion from their texts; null: there are none. Throws `InvalidArgument` for a time or size that
 * cannot be read.
 */
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

/** Returns a check of the deletion's headers; a missing object passes. It throws PreconditionFailed. */
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
