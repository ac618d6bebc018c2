/** How a service deletes many objects, each only if it is still the one that was seen. */
export type DeleteCondition =
  /** DeleteObjects honours the ETag of each key. */
  | 'of-each-key'
  /** One by one: DeleteObject alone has a condition, or there is no DeleteObjects. */
  | 'one-by-one'
  | 'none';

export type Tried = 'of-each-key' | 'one-by-one';

interface Place {
  readonly connectionId: string;
  readonly bucket: string;
}

/**
 * Which buckets honour conditional deletes (API_DeleteObject, API_ObjectIdentifier). Learned from the service's own
 * answers: of an object that may go, with an ETag that it does not have. Where it goes all the same, nothing is honoured.
 */
export class DeleteConditions {
  readonly #known = new Map<string, DeleteCondition>();
  readonly #refused = new Set<string>();

  /** null: not known yet; `next` says what to try. */
  of(place: Place): DeleteCondition | null {
    return this.#known.get(nameOf(place)) ?? null;
  }

  next(place: Place): Tried {
    return this.#refused.has(nameOf(place)) ? 'one-by-one' : 'of-each-key';
  }

  /** What came of a try; several may be under way at once. */
  learned(place: Place, tried: Tried, isHonoured: boolean): void {
    const name = nameOf(place);
    if (isHonoured) this.#known.set(name, tried);
    else if (tried === 'one-by-one') this.#known.set(name, 'none');
    else this.#refused.add(name);
  }

  /** The service does not take many keys at once. */
  hasNoMany(place: Place): void {
    this.#known.set(nameOf(place), 'one-by-one');
  }
}

function nameOf({ connectionId, bucket }: Place): string {
  return `${connectionId}/${bucket}`;
}
