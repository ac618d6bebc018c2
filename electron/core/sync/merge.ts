import { compareKeys } from '../../../shared/keys/order.ts';

export interface Keyed {
  readonly key: string;
}

export interface Pair<L extends Keyed, R extends Keyed> {
  readonly key: string;
  readonly local: L | null;
  readonly remote: R | null;
}

/** Merges both sides by key. Both must be sorted by key (UTF-8); each key is yielded once. */
export function* mergeByKey<L extends Keyed, R extends Keyed>(
  locals: Iterable<L>,
  remotes: Iterable<R>,
): Generator<Pair<L, R>, void, void> {
  const left = locals[Symbol.iterator]();
  const right = remotes[Symbol.iterator]();
  let local = nextOf(left);
  let remote = nextOf(right);
  while (local !== null || remote !== null) {
    const order = local === null ? 1 : remote === null ? -1 : compareKeys(local.key, remote.key);
    const first = order <= 0 ? local : null;
    const second = order >= 0 ? remote : null;
    yield { key: (first ?? second)?.key ?? '', local: first, remote: second };
    if (first !== null) local = nextOf(left);
    if (second !== null) remote = nextOf(right);
  }
}

function nextOf<T>(iterator: Iterator<T>): T | null {
  const step = iterator.next();
  return step.done === true ? null : step.value;
}
