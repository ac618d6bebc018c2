import { presentBytes } from './pieces.ts';
import type { Item } from './transfer-job.ts';

/**
 * How much of an item that is not settled is stored already: parts at the service, pieces on this disk. It counts as
 * progress whether the item is being worked on or not. Settled items are counted in the job's own sums.
 */
export function begunBytes({ state, upload, pieces }: Item): number {
  switch (state) {
    case 'done':
    case 'skipped':
      return 0;
    case 'todo':
    case 'held':
    case 'failed':
    case 'asking':
      if (pieces !== null) return presentBytes(pieces);
      return upload?.progress.bytesDone ?? 0;
    default:
      return state satisfies never;
  }
}
