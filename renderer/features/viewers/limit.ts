import { assertNever } from '../../../shared/assert-never.ts';
import type { ViewerLimit } from './frame/viewer.ts';

/** Returns the size limit of a viewer in bytes, or null if it opens files of any size. */
export function limitOf(limit: ViewerLimit, settingsBytes: number): number | null {
  switch (limit.kind) {
    case 'none':
    case 'first':
      return null;
    case 'settings':
      return settingsBytes;
    case 'bytes':
      return limit.sizeBytes;
    default:
      return assertNever(limit);
  }
}
