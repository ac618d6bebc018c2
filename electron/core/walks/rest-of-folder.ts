import { failure, toAppError } from '../../../shared/errors.ts';
import type { FolderRest } from '../../../shared/models/objects.ts';
import { everyObject } from '../../../shared/models/walks.ts';
import { smallestLimit } from '../flow/limits.ts';
import { Waiters } from '../flow/deferred-work.ts';
import { afterOfToken, tokenAfter } from '../s3/listing/list-objects.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { PagePool } from './pages/page-pool.ts';
import type { PageSum } from './pages/page-messages.ts';
import { createPageLister } from './pieces/page-lister.ts';
import { walkKeys, type PageSpan, type WalkLister } from './pieces/walker.ts';

export interface FolderRestInput {
  readonly bucket: string;
  readonly prefix: string;
  /** The token of the first page to list. */
  readonly pageToken: string;
}

export interface FolderRestDeps {
  readonly client: S3Client;
  readonly pool: PagePool;
  readonly walkId: string;
}

/** The maximum number of listed pages that the window has not consumed yet. */
const maxWaiting = 64;

type Outcome = 'running' | 'done' | { readonly thrown: unknown };

/** Thrown if a folder cannot be listed in parallel, because its entries are unordered or outside the prefix. */
class OnlyInTurn extends Error {}

/**
 * Lists the pages of a folder after a page token, many in parallel. Each page carries the range of keys it covers; the ranges
 * have no gaps but arrive in any order. Ends with `in-turn` if this folder must be listed page by page; the caller then discards
 * these pages. Throws the listing's error.
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
    pageOptions: { walkId, prefix, query: everyObject, delimiter: '/' },
    onRequest: () => undefined,
  });
  const walking = walkKeys({
    prefix,
    delimiter: '/',
    after,
    lister: withoutFolderRequests(lister),
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
    stopping.abort(failure('cancelled', 'No window reads the rest of this folder any longer.'));
    await walking;
  }
}

/** Returns true for an error after which the folder must be listed page by page. Only that can handle unreadable entries. */
function isOnlyInTurn(thrown: unknown): boolean {
  return thrown instanceof OnlyInTurn || toAppError(thrown).code === 'protocol';
}

/**
 * Converts a listed page into rows for the window. Throws OnlyInTurn if it contains keys outside the prefix, because these rows
 * cannot report them.
 */
function restOf(page: PageSum, { after, upTo }: PageSpan, from: string): FolderRest {
  if (page.foreign.count > 0) throw new OnlyInTurn();
  const rows = page.rows === null ? '' : Buffer.from(page.rows.buffer).toString('base64');
  return {
    kind: 'rows',
    after: after ?? from,
    upTo,
    rows,
    nextPageToken: upTo === null ? null : tokenAfter(upTo),
  };
}

/**
 * Returns the lister without requests for subfolders. Here, subfolders are entries of the listing, so they give no hint where to
 * split it.
 */
function withoutFolderRequests(lister: WalkLister): WalkLister {
  return { ...lister, folders: () => Promise.resolve([]) };
}
