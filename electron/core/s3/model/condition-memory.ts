/** The requests that can carry a condition. Support differs between them (S3 API, conditional requests). */
export type ConditionalOperation =
  | 'get'
  | 'put'
  | 'copy'
  /** The source of CopyObject or UploadPartCopy. */
  | 'copy-source'
  | 'complete'
  | 'delete'
  /** The ETag of each key of DeleteObjects. */
  | 'delete-many';

/** `absent`: If-None-Match: * for a key that must not exist. `etag`: If-Match with an object's ETag. */
export type ConditionForm = 'absent' | 'etag';

/**
 * How a service treats a condition. `refused`: with an error, or with 412 although the condition holds. Such a request is sent
 * without it, after a check of the key.
 */
export type ConditionVerdict = 'honoured' | 'ignored' | 'refused';

/**
 * Remembers how each bucket of one connection handles conditions. Learned from responses, never from the service's name: gateways
 * and versions differ. Kept as long as the client, so that nothing is assumed about another endpoint.
 */
export class ConditionMemory {
  readonly #verdicts = new Map<string, ConditionVerdict>();
  readonly #learning = new Set<string>();
  readonly #withoutDeleteObjects = new Set<string>();

  /** Returns the verdict; null if unknown. */
  of(bucket: string, operation: ConditionalOperation, form: ConditionForm): ConditionVerdict | null {
    return this.#verdicts.get(nameOf(bucket, operation, form)) ?? null;
  }

  learned(
    bucket: string,
    operation: ConditionalOperation,
    form: ConditionForm,
    verdict: ConditionVerdict,
  ): void {
    this.#verdicts.set(nameOf(bucket, operation, form), verdict);
  }

  /** Returns a callback, to one caller at a time, that must be called with the verdict found out; null if not needed. */
  beginLearning(
    bucket: string,
    operation: ConditionalOperation,
    form: ConditionForm,
  ): ((verdict: ConditionVerdict | null) => void) | null {
    const name = nameOf(bucket, operation, form);
    if (this.#verdicts.has(name) || this.#learning.has(name)) return null;
    this.#learning.add(name);
    return (verdict) => {
      this.#learning.delete(name);
      if (verdict !== null) this.learned(bucket, operation, form, verdict);
    };
  }

  /** Returns true unless the bucket is known not to support DeleteObjects. */
  takesDeleteObjects(bucket: string): boolean {
    return !this.#withoutDeleteObjects.has(bucket);
  }

  hasNoDeleteObjects(bucket: string): void {
    this.#withoutDeleteObjects.add(bucket);
  }
}

function nameOf(bucket: string, operation: ConditionalOperation, form: ConditionForm): string {
  return `${operation} ${form} ${bucket}`;
}
