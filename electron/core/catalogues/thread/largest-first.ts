/** A heap from which the entry with the largest value is taken first. */
export class LargestFirst<T extends { readonly value: number }> {
  readonly #entries: T[] = [];

  add(entry: T): void {
    const entries = this.#entries;
    entries.push(entry);
    for (let at = entries.length - 1; at > 0;) {
      const up = (at - 1) >> 1;
      if (!this.#swapIfLarger(at, up)) return;
      at = up;
    }
  }

  take(): T | null {
    const entries = this.#entries;
    const [first] = entries;
    const last = entries.pop();
    if (first === undefined || last === undefined) return null;
    if (entries.length === 0) return first;
    entries[0] = last;
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const child = this.#valueAt(left + 1) > this.#valueAt(left) ? left + 1 : left;
      if (child >= entries.length || !this.#swapIfLarger(child, at)) return first;
      at = child;
    }
  }

  #valueAt(at: number): number {
    return this.#entries[at]?.value ?? Number.NEGATIVE_INFINITY;
  }

  #swapIfLarger(at: number, up: number): boolean {
    const [entry, other] = [this.#entries[at], this.#entries[up]];
    if (entry === undefined || other === undefined || entry.value <= other.value) return false;
    this.#entries[at] = other;
    this.#entries[up] = entry;
    return true;
  }
}
