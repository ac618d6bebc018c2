/**
 * The requests that can carry a condition. A service may support conditions for only some of them (S3 API, conditional requests).
 */
export type ConditionalOperation =
  | 'get'
  | 'put'
  | 'copy'
  /** The source of CopyObject or UploadPartCopy. */
  | 'copy-source'
  | 'complete'
  | 'delete'
  /** A key in DeleteObjects, with an ETag. */
  | 'delete-many';

/**
 * The form of a condition: `absent` is If-None-Match: * for a key without an object; `etag` is If-Match with an object's ETag.
 */
export type ConditionForm = 'absent' | 'etag';

/**
 * How a service treats a condition. `refused`: it responds with an error, or with 412 for a condition that holds. The request is
 * then sent without a condition, after a check of the key.
 */
export type ConditionVerdict = 'honoured' | 'ignored' | 'refused';

/**
 * Remembers how each bucket of a connection treats conditions. Learns this only from responses, because gateways and versions of
 * a service differ. It is not stored, so nothing is assumed about another endpoint.
 */
export class ConditionMemory {
  readonly #verdicts = new Map<string, ConditionVerdict>();
  readonly #learning = new Set<string>();
  readonly #withoutDeleteObjects = new Set<string>();

  /** Returns how the bucket treats this condition; null if that is not known. */
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

  /**
   * Returns a function for reporting how the bucket treats this condition; null if that is known or another caller is finding
   * out.
   */
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

  /** Returns false if the bucket is known not to support DeleteObjects. */
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
