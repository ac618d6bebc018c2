import type { ReactNode } from 'react';
import type { MenuPoint } from '../../ui/point-menu.tsx';

/** The folder that a map shows. */
export interface MapPlace {
  readonly connectionId: string;
  readonly bucket: string;
  /** '' for the top. */
  readonly folder: string;
}

/** A folder or an object of the map, as the list would have it. */
export interface MapItem {
  readonly kind: 'folder' | 'object';
  readonly key: string;
  readonly sizeBytes: number;
  /** ISO 8601; null: not reported. */
  readonly modified: string | null;
  readonly storageClass: string | null;
}

export interface MapMenuWish {
  readonly at: MenuPoint | null;
  readonly items: readonly MapItem[];
  readonly onClose: () => void;
  readonly onOpen: (item: MapItem, inNewTab: boolean) => void;
}

/** The window's actions for the map. */
export interface MapServices {
  readonly openFolder: (folder: string, inNewTab: boolean) => void;
  /** Shows what is in an object. */
  readonly openObject: (key: string) => void;
  readonly renderMenu: (wish: MapMenuWish) => ReactNode;
}

/** The handlers of the window's commands for the map. */
export interface MapHandle {
  readonly focus: () => void;
  readonly reload: () => void;
  readonly selected: () => readonly MapItem[];
}
