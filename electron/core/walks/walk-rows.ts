import { AppFailure, failure } from '../../../shared/errors.ts';
import { nextChange } from '../flow/deferred-work.ts';
import type { ListedObject } from '../s3/model/listing-types.ts';
import type { Walk } from './walk.ts';
import type { WalkProgress, WalkResults } from './walk-source.ts';

const pageSize = 1000;

/**
 * Yields the rows of a walk in the order found, until all keys are listed. Throws the error of the walk, the signal's reason, or
 * `cancelled` if the walk was stopped.
 */
export async function* foundPages(
  walk: Walk,
  signal: AbortSignal,
  onProgress: ((progress: WalkProgress) => void) | undefined,
): AsyncGenerator<readonly ListedObject[], void, void> {
  let afterId = 0;
  for (;;) {
    const isOver = walk.state !== 'running';
    const changed = isOver ? null : nextChange(walk, signal);
    const { rows, lastId } = walk.table.isOpen
      ? await walk.table.ask('found', { afterId, limit: pageSize })
      : { rows: [], lastId: afterId };
    signal.throwIfAborted();
    const { keys, sizeBytes, requests, foreign, error } = walk.status();
    onProgress?.({ keys, sizeBytes, requests, foreign });
    afterId = lastId;
    if (rows.length > 0) yield rows;
    else if (error !== null) throw new AppFailure(error);
    else if (walk.state === 'stopped') throw failure('cancelled', 'The listing was stopped before its end.');
    else if (isOver) return;
    else await changed;
  }
}

/** Returns the results of a walk, to be read in key order. */
export function rowsInOrder(walk: Walk): WalkResults {
  const { connectionId, bucket, prefix } = walk.input;
  return {
    connectionId,
    bucket,
    prefix,
    get total() {
      return walk.status().matches;
    },
    get sizeBytes() {
      return walk.status().matchedBytes;
    },
    get isComplete() {
      return walk.state === 'done';
    },
    pages: async function* (options) {
      const limit = options.pageSize ?? pageSize;
      let key = options.after ?? null;
      await walk.written();
      for (;;) {
        options.signal.throwIfAborted();
        const rows = walk.table.isOpen ? await walk.table.ask('after', { key, limit }) : [];
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows;
        key = last.key;
      }
    },
    range: async (offset, limit) => {
      await walk.written();
      const sort = { by: 'key', descending: false } as const;
      return walk.table.isOpen ? (await walk.table.ask('read', { offset, limit, sort })).rows : [];
    },
  };
}
