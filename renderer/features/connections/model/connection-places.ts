import type { ReactNode } from 'react';
import type { Connection } from '../../../../shared/models/connection.ts';
import type { BucketItem, Place } from '../../../../shared/models/objects.ts';
import type { MenuPoint } from '../../../ui/menus.tsx';
import type { OpenPlace } from './connection-dialog-store.ts';

/** The location that the window shows. `bucket` is null on the page of a connection. */
export interface CurrentPlace {
  readonly connectionId: string;
  readonly bucket: string | null;
  /** The folder within the bucket, or '' for its top level. */
  readonly prefix?: string;
  /** True if the window shows the extra row that the application adds below the connection (`SidebarExtra`). */
  readonly isExtra?: boolean;
}

/** A row that the application puts below each open connection. */
export interface SidebarExtra {
  /** Used for type-ahead. */
  readonly label: string;
  readonly render: (connectionId: string) => ReactNode;
  readonly onOpen: (connectionId: string) => void;
}

/** A navigation target: the page of a connection (`bucket` is null), or a folder of a bucket. */
export type Destination = OpenPlace | { readonly connectionId: string; readonly bucket: null };

/** Returns the location at which a connection opens: its configured start, or else its page. */
export function startOf({ id, start }: Pick<Connection, 'id' | 'start'>): Destination {
  return start === null ? { connectionId: id, bucket: null } : { connectionId: id, ...start };
}

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
