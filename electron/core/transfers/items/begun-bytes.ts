import { assertNever } from '../../../../shared/assert-never.ts';
import { presentBytes } from './piece-bits.ts';
import type { Item } from './transfer-item.ts';

/**
 * Returns how many bytes of an unsettled item are already stored, as parts on the service or pieces on disk; null if it has not
 * started. They count as progress while the item waits. Settled items are counted in the job itself.
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
