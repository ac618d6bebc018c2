import type { ReactNode } from 'react';
import type { MapColouring, MapFacts, MapFilter, MapMeasure, MapStatus } from '../../../shared/models/map.ts';
import type { Place } from '../../../shared/models/objects.ts';
import type { MenuPoint } from '../../ui/menus.tsx';

/** The folder that a map shows. */
export interface MapPlace extends Place {
  /** '' for the whole bucket. */
  readonly folder: string;
}

/** A folder or object in the map, with the same fields as a row in the list. */
export interface MapItem {
  readonly kind: 'folder' | 'object';
  readonly key: string;
  readonly sizeBytes: number;
  /** ISO 8601, or null if the service reports no time. */
  readonly modified: string | null;
  readonly storageClass: string | null;
}

export interface MapMenuRequest {
  readonly at: MenuPoint | null;
  readonly items: readonly MapItem[];
  readonly onClose: () => void;
  readonly onOpen: (item: MapItem, inNewTab: boolean) => void;
}

/** The window's functions that the map uses. */
export interface MapServices {
  readonly openFolder: (folder: string, inNewTab: boolean) => void;
  /** Opens the preview of an object. */
  readonly openObject: (key: string) => void;
  readonly renderMenu: (request: MapMenuRequest) => ReactNode;
}

/** The functions that the window's commands call on the map. */
export interface MapHandle {
  readonly focus: () => void;
  readonly reload: () => void;
  readonly selected: () => readonly MapItem[];
}

/** The props of the panels next to the picture. */
export interface MapSideProps {
  readonly place: MapPlace;
  readonly mapId: string;
  readonly status: MapStatus | null;
  readonly facts: MapFacts | null;
  readonly filter: MapFilter;
  readonly measure: MapMeasure;
  readonly colouring: MapColouring;
  readonly storageClasses: readonly string[];
  readonly services: MapServices;
  readonly onFilter: (filter: MapFilter) => void;
  readonly onColouring: (colouring: MapColouring) => void;
  readonly onSelect: (item: MapItem | null) => void;
  readonly onOpen: (item: MapItem, inNewTab: boolean) => void;
  readonly onMenu: (item: MapItem, at: MenuPoint) => void;
}
