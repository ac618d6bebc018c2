import { presentBytes } from './piece-bits.ts';
import type { Item } from './transfer-job.ts';

/**
 * How much of an item that is not settled is stored already: parts at the service, pieces on this disk; null: nothing of it
 * has begun. It counts as progress whether the item is being worked on or not. The job's own sums count settled items.
 */
export function begunBytes({ state, upload, pieces, copy }: Item): number | null {
  switch (state) {
    case 'done':
    case 'skipped':
      return null;
    case 'todo':
    case 'held':
    case 'failed':
    case 'asking':
      if (pieces !== null) return presentBytes(pieces);
      return copy?.parts?.bytesDone ?? upload?.progress.bytesDone ?? null;
    default:
      return state satisfies never;
  }
}
