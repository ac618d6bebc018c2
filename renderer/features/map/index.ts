export { MapView } from './lazy-map.tsx';
export type { MapHandle, MapItem, MapServices } from './map-services.ts';
