import { lazyPart } from '../../ui/lazy-part.tsx';
export type { MapHandle, MapItem, MapServices } from './map-services.ts';

/** The map of a folder. */
export const MapView = lazyPart(async () => (await import('./map-page.tsx')).MapPage);
