import { useInsertionEffect } from 'react';

/** A folder in a bucket on which rows can be dropped. */
export interface DropPlace {
  readonly connectionId: string;
  readonly bucket: string;
  /** '' or ending in `/`. */
  readonly folder: string;
}

/** A folder on this computer on which rows can be dropped. */
export interface LocalDropPlace {
  readonly handle: string;
  readonly name: string;
}

export type DropSpot =
  | { readonly kind: 'bucket'; readonly place: DropPlace }
  | { readonly kind: 'local'; readonly folder: LocalDropPlace };

const attribute = 'data-drop-place';
type Mark = { readonly [attribute]: string };

/** Returns attributes that mark an element as a drop target for a folder in a bucket. */
export function dropPlace({ connectionId, bucket, folder }: DropPlace): Mark {
  return { [attribute]: JSON.stringify([connectionId, bucket, folder]) };
}

/** Returns attributes that mark an element as a drop target for a folder on this computer. */
export function localDropPlace({ handle, name }: LocalDropPlace): Mark {
  return { [attribute]: JSON.stringify([handle, name]) };
}

export interface DropTarget {
  readonly element: HTMLElement;
  readonly spot: DropSpot;
}

type FindRow = (target: EventTarget | null) => DropTarget | null;

const lists = new Set<FindRow>();

/** Registers a list's function that finds the folder of a row, so that rows need no attributes. */
export function useDropRows(find: FindRow): void {
  useInsertionEffect(() => {
    lists.add(find);
    return () => {
      lists.delete(find);
    };
  });
}

function rowUnder(target: EventTarget | null): DropTarget | null {
  for (const find of lists) {
    const row = find(target);
    if (row !== null) return row;
  }
  return null;
}

/** Returns the folder of the nearest drop target around an element, or null. */
export function dropUnder(target: EventTarget | null): DropTarget | null {
  const row = rowUnder(target);
  if (row !== null) return row;
  const element = target instanceof Element ? target.closest<HTMLElement>(`[${attribute}]`) : null;
  const text = element?.getAttribute(attribute) ?? null;
  if (element === null || text === null) return null;
  const [first = '', second = '', folder] = JSON.parse(text) as string[];
  return folder === undefined
    ? { element, spot: { kind: 'local', folder: { handle: first, name: second } } }
    : { element, spot: { kind: 'bucket', place: { connectionId: first, bucket: second, folder } } };
}

/** Returns the nearest drop target around an element if it is a folder in a bucket, otherwise null. */
export function dropPlaceUnder(
  target: EventTarget | null,
): { readonly element: HTMLElement; readonly place: DropPlace } | null {
  const found = dropUnder(target);
  return found?.spot.kind === 'bucket' ? { element: found.element, place: found.spot.place } : null;
}
