import type { ReactNode } from 'react';
import type { BucketItem, Place } from '../../../../shared/models/objects.ts';
import type { MenuPoint } from '../../../ui/menus.tsx';
import type { OpenPlace } from './connection-dialog-store.ts';

/** A bucket whose menu was requested, and where. */
export interface BucketMenuRequest {
  readonly connectionId: string;
  readonly bucket: BucketItem;
  readonly at: MenuPoint;
  readonly onClose: () => void;
}

/** The actions on buckets, passed in by the application. */
export interface BucketServices {
  readonly create: (connectionId: string, onOpen: (place: OpenPlace) => void) => void;
  readonly remove: (place: Place) => void;
  /** Renders the menu of a bucket. */
  readonly menu: (request: BucketMenuRequest) => ReactNode;
}
