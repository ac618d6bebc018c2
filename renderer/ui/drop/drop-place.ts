import { useInsertionEffect } from 'react';

/** A folder of a bucket that rows can be dropped on. */
export interface DropPlace {
  readonly connectionId: string;
  readonly bucket: string;
  /** '' or ending in `/`. */
  readonly folder: string;
}

/** A folder of this computer that rows can be dropped on. */
export interface LocalDropPlace {
  readonly handle: string;
  readonly name: string;
}

export type DropSpot =
  | { readonly kind: 'bucket'; readonly place: DropPlace }
  | { readonly kind: 'local'; readonly folder: LocalDropPlace };

const attribute = 'data-drop-place';
type Mark = { readonly [attribute]: string };

/** Returns attributes that mark an element as a drop target for a folder of a bucket. */
export function dropPlace({ connectionId, bucket, folder }: DropPlace): Mark {
  return { [attribute]: JSON.stringify([connectionId, bucket, folder]) };
}

/** Returns the same for a folder of this computer. */
export function localDropPlace({ handle, name }: LocalDropPlace): Mark {
  return { [attribute]: JSON.stringify([handle, name]) };
}

export interface DropTarget {
  readonly element: HTMLElement;
  readonly spot: DropSpot;
}

type FindRow = (target: EventTarget | null) => DropTarget | null;

const lists = new Set<FindRow>();

/** Registers how a list finds the folder of one of its rows, so that rows need no attributes for it. */
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

/** Returns the folder of the nearest such element; null: none. */
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

/** Returns the same if it is a folder of a bucket. */
export function dropPlaceUnder(
  target: EventTarget | null,
): { readonly element: HTMLElement; readonly place: DropPlace } | null {
  const found = dropUnder(target);
  return found?.spot.kind === 'bucket' ? { element: found.element, place: found.spot.place } : null;
}
