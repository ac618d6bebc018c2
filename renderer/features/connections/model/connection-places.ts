import type { ReactNode } from 'react';
import type { Connection } from '../../../../shared/models/connection.ts';
import type { OpenPlace } from './connection-dialog-store.ts';

/** The place that the window shows; `bucket` is null on a connection's own page. */
export interface CurrentPlace {
  readonly connectionId: string;
  readonly bucket: string | null;
  /** The folder within the bucket; '' is its top. */
  readonly prefix?: string;
  /** The application's own row below the connection. */
  readonly isExtra?: boolean;
}

/** A row that the application puts below each open connection. */
export interface SidebarExtra {
  /** Used for type-ahead. */
  readonly label: string;
  readonly render: (connectionId: string) => ReactNode;
  readonly onOpen: (connectionId: string) => void;
}

/** A navigation target: a connection's own page, or a folder of a bucket. */
export type Destination = OpenPlace | { readonly connectionId: string; readonly bucket: null };

/** Returns where a connection opens: at its start, else on its own page. */
export function startOf({ id, start }: Pick<Connection, 'id' | 'start'>): Destination {
  return start === null ? { connectionId: id, bucket: null } : { connectionId: id, ...start };
}
