import { assertNever } from '../../../../shared/assert-never.ts';
import { presentBytes } from './piece-bits.ts';
import type { Item } from './transfer-item.ts';

/**
 * Returns the bytes of an unsettled item already stored: parts at the service or pieces on disk. Null if none has
 * begun. They count as progress even while the item is idle. The job's own sums count settled items.
 */
export function begunBytes(item: Item): number | null {
  switch (item.state) {
    case 'done':
    case 'skipped':
      return null;
    case 'todo':
    case 'held':
    case 'failed':
    case 'asking':
      return progressOf(item);
    default:
      return item.state satisfies never;
  }
}

function progressOf(item: Item): number | null {
  switch (item.work) {
    case 'upload':
      return item.upload?.progress.bytesDone ?? null;
    case 'download':
      return item.pieces === null ? null : presentBytes(item.pieces);
    case 'copy':
      return item.copy?.parts?.bytesDone ?? item.upload?.progress.bytesDone ?? null;
    case 'stalled':
      return item.upload?.kind === 'resume' ? item.upload.progress.bytesDone : null;
    case 'deletion':
      return null;
    default:
      return assertNever(item);
  }
}
