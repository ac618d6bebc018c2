import type { Place } from '../../../shared/models/objects.ts';
import type { OpenPlace } from './dialog-store.ts';

/** What this feature's menus do to buckets; the application hands it in. */
export interface BucketServices {
  readonly create: (connectionId: string, onOpen: (place: OpenPlace) => void) => void;
  readonly settings: (place: Place) => void;
  readonly remove: (place: Place) => void;
}
