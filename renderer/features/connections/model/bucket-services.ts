import type { Place } from '../../../../shared/models/objects.ts';
import type { OpenPlace } from './connection-dialog-store.ts';

/** The actions of menus on buckets, passed in by the application. */
export interface BucketServices {
  readonly create: (connectionId: string, onOpen: (place: OpenPlace) => void) => void;
  /** Opens the price list that Cooper counts with. */
  readonly prices: (connectionId: string) => void;
  readonly settings: (place: Place) => void;
  readonly remove: (place: Place) => void;
}
