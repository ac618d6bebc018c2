import { failure, toAppError } from '../../../shared/errors.ts';
import type { FolderRest } from '../../../shared/models/objects.ts';
import { everyObject } from '../../../shared/models/walks.ts';
import { smallestLimit } from '../flow/slots.ts';
import { Waiters } from '../flow/waiters.ts';
import { afterOfToken, tokenAfter } from '../s3/listing/list-objects.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { PagePool } from './pages/page-pool.ts';
import type { PageSum } from './pages/page-messages.ts';
import { createPageLister } from './pieces/page-lister.ts';
import { walkKeys, type PageSpan, type WalkLister } from './pieces/walker.ts';

export interface FolderRestInput {
  readonly bucket: string;
  readonly prefix: string;
  /** Token of the first page to list. */
  readonly pageToken: string;
}

export interface FolderRestDeps {
  readonly client: S3Client;
  readonly pool: PagePool;
  readonly walkId: string;
}

/** Maximum number of pages listed but not yet consumed by the window. */
const maxWaiting = 64;

type Outcome = 'running' | 'done' | { readonly thrown: unknown };

/** Thrown if parallel listing is not possible (unordered or foreign entries): list sequentially instead. */
class OnlyInTurn extends Error {}

/**
 * Lists all pages of a folder from a page token on, many in parallel. Each page carries the span of keys it covers; the spans
 * join without a gap but arrive in any order. Ends with `in-turn` if the service's responses do not allow this: the caller then
 * discards these pages and lists the folder page by page from the token. Throws the listing's error.
 */
export async function* restOfFolder(
  { client, pool, walkId }: FolderRestDeps,
  { bucket, prefix, pageToken }: FolderRestInput,
  signal: AbortSignal,
): AsyncGenerator<FolderRest, void, void> {
  const after = afterOfToken(pageToken);
  const stopping = new AbortController();
  const both = AbortSignal.any([signal, stopping.signal]);
  const ready: FolderRest[] = [];
  const arrived = new Waiters();
  const consumed = new Waiters();
  const walk: { outcome: Outcome } = { outcome: 'running' };

  const lister = createPageLister({
    client,
    pool,
    bucket,
    wish: { walkId, prefix, query: everyObject, delimiter: '/' },
    onRequest: () => undefined,
  });
  const walking = walkKeys({
    prefix,
    delimiter: '/',
    after,
    lister: withoutLooks(lister),
    readers: smallestLimit(client.pace, pool.room),
    signal: both,
    onPage: (page, span) => {
      ready.push(restOf(page, span, after));
      arrived.wake();
    },
    onRestart: () => {
      throw new OnlyInTurn();
    },
    onPieces: () => undefined,
    room: async () => {
      while (ready.length >= maxWaiting && !both.aborted) await consumed.wait();
    },
  }).then(
    () => {
      walk.outcome = 'done';
      arrived.wake();
      return null;
    },
    (thrown: unknown) => {
      walk.outcome = { thrown };
      arrived.wake();
    },
  );
  const onAbort = (): void => {
    arrived.wake();
    consumed.wake();
  };
  both.addEventListener('abort', onAbort, { once: true });
  try {
    yield { kind: 'begins', after };
    for (;;) {
      signal.throwIfAborted();
      const next = ready.shift();
      const { outcome } = walk;
      if (next !== undefined) {
        consumed.wake();
        yield next;
      } else if (outcome === 'done') return;
      else if (outcome === 'running') await arrived.wait();
      else if (isOnlyInTurn(outcome.thrown)) {
        yield { kind: 'in-turn' };
        return;
      } else throw outcome.thrown;
    }
  } finally {
    stopping.abort(failure('cancelled', 'Nobody reads the rest of this folder any more.'));
    await walking;
  }
}

/** Returns true if the folder must be listed sequentially, where unreadable entries are handled one by one. */
function isOnlyInTurn(thrown: unknown): boolean {
  return thrown instanceof OnlyInTurn || toAppError(thrown).code === 'protocol';
}

/** Converts a page for the window. Throws OnlyInTurn for foreign names, about which these rows cannot inform the user. */
function restOf(page: PageSum, { after, upTo }: PageSpan, from: string): FolderRest {
  if (page.foreign.count > 0) throw new OnlyInTurn();
  const rows = page.rows === null ? '' : new TextDecoder().decode(page.rows);
  return {
    kind: 'rows',
    after: after ?? from,
    upTo,
    rows,
    nextPageToken: upTo === null ? null : tokenAfter(upTo),
  };
}

/** Disables folder look-ups: subfolders are entries of the listing and no hint for splitting. */
function withoutLooks(lister: WalkLister): WalkLister {
  return { ...lister, folders: () => Promise.resolve([]) };
}
