import { useInsertionEffect } from 'react';

/** A folder that rows can be dropped on. */
export interface DropPlace {
  readonly connectionId: string;
  readonly bucket: string;
  /** '' or ending in `/`. */
  readonly folder: string;
}

const attribute = 'data-drop-place';

/** Makes an element stand for a folder that rows can be dropped on. */
export function dropPlace({ connectionId, bucket, folder }: DropPlace): { readonly [attribute]: string } {
  return { [attribute]: JSON.stringify([connectionId, bucket, folder]) };
}

export interface DropTarget {
  readonly element: HTMLElement;
  readonly place: DropPlace;
}

type FindRow = (target: EventTarget | null) => DropTarget | null;

let findRow: FindRow | null = null;

/** Lets the list on the screen tell which folder one of its rows is: so that no row has to carry its place. */
export function useDropRows(find: FindRow): void {
  useInsertionEffect(() => {
    findRow = find;
    return () => {
      if (findRow === find) findRow = null;
    };
  });
}

/** The folder that the nearest such element stands for; null: there is none. */
export function dropPlaceUnder(target: EventTarget | null): DropTarget | null {
  const row = findRow?.(target) ?? null;
  if (row !== null) return row;
  const element = target instanceof Element ? target.closest<HTMLElement>(`[${attribute}]`) : null;
  const text = element?.getAttribute(attribute) ?? null;
  if (element === null || text === null) return null;
  const [connectionId = '', bucket = '', folder = ''] = JSON.parse(text) as string[];
  return { element, place: { connectionId, bucket, folder } };
}
