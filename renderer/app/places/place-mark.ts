import { dropPlace, localDropPlace } from '../../ui/drop/drop-place.ts';
import type { WindowPlace } from './places.ts';

/** Makes an element stand for a place that rows can be dropped on; nothing where they cannot. */
export function placeMark(place: WindowPlace): object {
  if (place.kind === 'folder') return dropPlace(place);
  const folder = place.kind === 'local' ? place.trail.at(-1) : undefined;
  return folder === undefined ? {} : localDropPlace(folder);
}
