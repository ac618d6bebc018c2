import type { MapColouring, MapFacts, MapFilter, MapMeasure, MapStatus } from '../../../shared/models/map.ts';
import type { MenuPoint } from '../../ui/point-menu.tsx';
import type { MapItem, MapPlace, MapServices } from './map-services.ts';

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
