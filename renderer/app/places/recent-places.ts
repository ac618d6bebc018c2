import { z } from 'zod/mini';
import { folderPlaceSchema, isSameWindowPlace, type FolderWindowPlace, type WindowPlace } from './places.ts';

/** The folders opened last, the newest first. */
export const recentPlacesSchema = z.array(folderPlaceSchema).check(z.maxLength(100));

const maxRecent = 30;

/** Returns the list with this location first. Lists only folders; a prefix that is being typed counts as its folder. */
export function withRecent(
  recent: readonly FolderWindowPlace[],
  place: WindowPlace,
): readonly FolderWindowPlace[] {
  if (place.kind !== 'folder') return recent;
  const folder: FolderWindowPlace = { ...place, startsWith: '' };
  const [first] = recent;
  if (first !== undefined && isSameWindowPlace(first, folder)) return recent;
  return [folder, ...recent.filter((earlier) => !isSameWindowPlace(earlier, folder))].slice(0, maxRecent);
}
