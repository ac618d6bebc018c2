import { dropPlace, localDropPlace } from '../../ui/drop/drop-place.ts';
import type { WindowPlace } from './places.ts';

/** Returns attributes that mark an element as a drop target for a location. Empty if rows cannot be dropped there. */
export function placeMark(place: WindowPlace): object {
  if (place.kind === 'folder') return dropPlace(place);
  const folder = place.kind === 'local' ? place.trail.at(-1) : undefined;
  return folder === undefined ? {} : localDropPlace(folder);
}
