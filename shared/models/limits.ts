// Separate from the models, which load all of zod.

/** Maximum number of objects and folders in one call. */
export const maxSelectedItems = 10_000;

/** Splits a selection into groups of the size that one call accepts. */
export function selectionGroups<T>(items: readonly T[]): readonly (readonly T[])[] {
  const groups: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += maxSelectedItems)
    groups.push(items.slice(from, from + maxSelectedItems));
  return groups;
}

/** Limits of what is fetched to be dragged out at once. The system's drag takes each file by its path. */
export const maxDraggedObjects = 200;
export const maxDraggedBytes = 10 * 1024 ** 3;
