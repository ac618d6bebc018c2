import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Modifiers } from './selection.ts';
import type { RangeRowsInView } from './use-range-rows.ts';

/**
 * The selected rows in a list that is read by ranges. Each has an id and the required facts. They survive sorting, filtering and
 * the eviction of rows.
 */
export type KeyedRows<T> = ReadonlyMap<string, T>;
export type KeyedRow<T> = readonly [id: string, item: T];
export type ChangeRows<T> = (now: KeyedRows<T>) => KeyedRows<T>;

/** The source of the rows. */
export interface RowSource<T> {
  /** Null for a row that is not loaded. */
  readonly rowAt: (index: number) => KeyedRow<T> | null;
  readonly range: (first: number, last: number, signal: AbortSignal) => Promise<readonly KeyedRow<T>[]>;
  /** Called if a range could not be read, which leaves the selection unchanged. */
  readonly onError: (thrown: unknown) => void;
}

/** Adapts a list read by ranges. `keyed` returns the id of a row and the facts that the selection stores. */
export function keyedSource<R, T>(
  rows: Pick<RangeRowsInView<R>, 'rowAt' | 'range'>,
  keyed: (row: R) => KeyedRow<T>,
  onError: (thrown: unknown) => void,
): RowSource<T> {
  return {
    rowAt: (index) => {
      const row = rows.rowAt(index);
      return row === null ? null : keyed(row);
    },
    range: async (first, last, signal) => (await rows.range(first, last, signal)).map(keyed),
    onError,
  };
}

export interface KeyedState<T> {
  readonly selected: KeyedRows<T>;
  /** The focused row, or -1. */
  readonly active: number;
}

export class KeyedSelection<T> {
  readonly store: StoreApi<KeyedState<T>> = createStore<KeyedState<T>>()(() => ({
    selected: new Map(),
    active: -1,
  }));
  #anchor = 0;
  #turn = new AbortController();

  /** Handles a click on a row, or a move of the focus by keyboard. */
  activate(index: number, how: Modifiers, source: RowSource<T>): void {
    this.point(index);
    if (how.range) {
      const first = Math.min(this.#anchor, index);
      const last = Math.max(this.#anchor, index);
      this.chooseAfter(async (signal) => {
        const rows = await source.range(first, last, signal);
        return how.keep ? added(rows) : () => new Map(rows);
      }, source.onError);
      return;
    }
    this.#anchor = index;
    const chosen = (row: KeyedRow<T>): ChangeRows<T> => (how.keep ? toggled(row) : () => new Map([row]));
    const row = source.rowAt(index);
    if (row !== null) this.choose(chosen(row));
    else
      this.chooseAfter(async (signal) => {
        const [read] = await source.range(index, index, signal);
        return read === undefined ? (now) => now : chosen(read);
      }, source.onError);
  }

  /** Focuses a row without changing the selection. */
  point(index: number): void {
    this.store.setState({ active: index });
  }

  /** Changes the selection as the user chose. Discards pending earlier choices. */
  choose(change: ChangeRows<T>): void {
    this.#nextTurn();
    this.learn(change);
  }

  /** Changes the selection like `choose`, after reading rows. */
  chooseAfter(
    read: (signal: AbortSignal) => Promise<ChangeRows<T>>,
    onError: (thrown: unknown) => void,
  ): void {
    const signal = this.#nextTurn();
    void (async () => {
      try {
        const change = await read(signal);
        if (!signal.aborted) this.learn(change);
      } catch (thrown) {
        if (!signal.aborted) onError(thrown);
      }
    })();
  }

  /** Updates facts about the selected rows. Does not count as a choice of the user. */
  learn(change: ChangeRows<T>): void {
    this.store.setState(({ selected }) => ({ selected: change(selected) }));
  }

  /** Resets focus after a change of order. The rows stay selected. */
  reordered(): void {
    this.#anchor = 0;
    this.point(-1);
  }

  #nextTurn(): AbortSignal {
    this.#turn.abort();
    this.#turn = new AbortController();
    return this.#turn.signal;
  }
}

function toggled<T>(row: KeyedRow<T>): ChangeRows<T> {
  return (now) => {
    const next = new Map(now);
    if (!next.delete(row[0])) next.set(...row);
    return next;
  };
}

function added<T>(rows: readonly KeyedRow<T>[]): ChangeRows<T> {
  return (now) => new Map([...now, ...rows]);
}

/** Returns a change that updates the facts about selected rows and ignores other rows. */
export function refreshed<T>(rows: readonly KeyedRow<T>[]): ChangeRows<T> {
  return (now) => {
    const known = rows.filter(([id]) => now.has(id));
    return known.length === 0 ? now : added(known)(now);
  };
}

/** Returns a change that deselects rows that no longer exist. */
export function removeRows<T>(gone: ReadonlySet<string>): ChangeRows<T> {
  return (now) => {
    const lost = [...gone].filter((id) => now.has(id));
    if (lost.length === 0) return now;
    const next = new Map(now);
    for (const id of lost) next.delete(id);
    return next;
  };
}
