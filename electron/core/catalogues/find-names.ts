import type { FoundNames } from '../../../shared/models/map.ts';
import type { Place } from '../../../shared/models/objects.ts';
import type { Clock } from '../ports.ts';
import { isSameOrigin, parseBucketOrigin, type BucketOrigin } from '../s3/model/bucket-origin.ts';
import type { CatalogueThread } from './catalogue-thread.ts';
import { isInSameBucket } from './known-catalogues.ts';
import type { IndexedCatalogue } from './thread/catalogue-index.ts';
import type { NamedCatalogue } from './thread/catalogue-names.ts';

type Account = Omit<BucketOrigin, 'createdAt'>;

export interface FindNamesDeps {
  readonly thread: Pick<CatalogueThread, 'ask'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly newId: () => string;
  /** Returns all catalogues, newest first. */
  readonly catalogues: () => Promise<readonly IndexedCatalogue[]>;
  readonly accountOf: (connectionId: string) => Promise<Account | null>;
}

const maxFound = 60;
/** The maximum duration of one search in milliseconds. */
const maxFindMs = 2000;

/** Finds objects and folders whose names contain the typed words. Yields the best matches so far, each time they improve. */
export async function* findNames(
  { thread, clock, newId, catalogues, accountOf }: FindNamesDeps,
  { text, near }: { readonly text: string; readonly near: Place | null },
  signal: AbortSignal,
): AsyncGenerator<FoundNames, void, void> {
  const endMs = clock.monotonicMs() + maxFindMs;
  const findId = newId();
  const searched = nearFirst(await presentCatalogues(await catalogues(), accountOf), near);
  if (searched.length === 0) {
    yield { found: [], isOver: true };
    return;
  }
  let last = '[]';
  try {
    for (let isOver = false; !isOver && !signal.aborted;) {
      const turn = await thread.ask('find', { findId, text, catalogues: searched, limit: maxFound });
      isOver = turn.isOver || clock.monotonicMs() >= endMs;
      const found = JSON.stringify(turn.found);
      if (found !== last || isOver) yield { found: turn.found, isOver };
      last = found;
    }
  } finally {
    await thread.ask('findOver', { findId });
  }
}

/**
 * Returns the newest catalogue of each place whose connection still has the same endpoint and account. Leaves out places inside
 * another place with a newer catalogue. Does not notice a recreated bucket, because that would take a request.
 */
async function presentCatalogues(
  all: readonly IndexedCatalogue[],
  accountOf: FindNamesDeps['accountOf'],
): Promise<readonly NamedCatalogue[]> {
  const accounts = new Map<string, Account | null>();
  const present: NamedCatalogue[] = [];
  for (const { catalogueId, connectionId, bucket, prefix, origin } of all) {
    if (!accounts.has(connectionId)) accounts.set(connectionId, await accountOf(connectionId));
    const account = accounts.get(connectionId) ?? null;
    if (account === null || !isOfAccount(origin, account)) continue;
    const isCovered = present.some(
      (catalogue) =>
        isInSameBucket(catalogue, { connectionId, bucket }) && prefix.startsWith(catalogue.prefix),
    );
    if (!isCovered) present.push({ catalogueId, connectionId, bucket, prefix });
  }
  return present;
}

/** Returns true if a catalogue was read with this account. Catalogues of earlier versions store no account and always count. */
function isOfAccount(origin: string, account: Account): boolean {
  const then = parseBucketOrigin(origin);
  return then === null || isSameOrigin({ ...then, createdAt: null }, { ...account, createdAt: null });
}

function nearFirst(all: readonly NamedCatalogue[], near: Place | null): readonly NamedCatalogue[] {
  const isNear = (catalogue: NamedCatalogue): boolean => near !== null && isInSameBucket(catalogue, near);
  return [...all.filter(isNear), ...all.filter((catalogue) => !isNear(catalogue))];
}
