import type { Fix } from './explain-test.ts';
import { dialogStore } from '../../../ui/dialog/define-dialog.tsx';
import type { AwsProfile, Connection, StartPlace } from '../../../../shared/models/connection.ts';

/** A bucket of a connection and the prefix to start at. */
export interface OpenPlace extends StartPlace {
  readonly connectionId: string;
}

export type DialogRequest =
  | {
      readonly mode: 'create';
      readonly profile?: AwsProfile;
      readonly provider?: string;
      readonly onSaved?: (connection: Connection) => void;
    }
  | {
      readonly mode: 'edit';
      readonly connectionId: string;
      /** A remedy that the test offered. The form opens with it applied. */
      readonly fix?: Fix;
      readonly onSaved?: (connection: Connection) => void;
    }
  | { readonly mode: 'import' }
  /** Commands for other programs that use the sample service. */
  | { readonly mode: 'programs' }
  | { readonly mode: 'test'; readonly connectionId: string }
  | { readonly mode: 'remove'; readonly connectionId: string }
  | {
      readonly mode: 'choose';
      readonly bucket: string;
      /** The ids of connections that list the bucket. */
      readonly having: readonly string[];
      readonly onChosen: (connectionId: string) => void;
    }
  | {
      readonly mode: 'open-by-name';
      readonly connectionId: string;
      readonly onOpen: (place: OpenPlace) => void;
    };

export const connectionDialogs = dialogStore<DialogRequest>();

/** Opens a dialog about connections, which `ConnectionDialogs` renders. */
export const openConnectionDialog = connectionDialogs.open;
export const closeConnectionDialog = connectionDialogs.close;

/**
 * Closes the confirmation to remove this connection, if it is still open. Another dialog may have been opened between the event
 * of the removal and its response.
 */
export function closeRemovalOf(connectionId: string): void {
  const request = connectionDialogs.current();
  if (request?.mode === 'remove' && request.connectionId === connectionId) connectionDialogs.close();
}
