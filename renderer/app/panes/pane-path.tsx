import type { Ref } from 'react';
import { openConnectionDialog } from '../../features/connections/index.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { listAllBuckets, ownerOf } from '../services/connection-of-bucket.ts';
import { findPlace } from '../path/open-address.ts';
import type { LinkedObject } from '../path/open-object.ts';
import type { TypedAddress } from '../path/read-typed.ts';
import { PathBar } from '../path/path-bar.tsx';
import type { PathHandle } from '../path/crumbs.tsx';
import type { SearchActions } from '../pages/use-searches.ts';
import { connectionOf, type WindowPlace } from '../places/places.ts';

export interface PanePathProps {
  readonly ref?: Ref<PathHandle>;
  readonly place: WindowPlace;
  /** Returns the location of the pane after pending navigation has rendered. */
  readonly placeAhead: () => WindowPlace;
  readonly connectionName: (connectionId: string) => string;
  readonly isEditing: boolean;
  readonly onEdit: (editing: boolean) => void;
  readonly onGo: (place: WindowPlace) => void;
  /** Focuses an object in the folder that opens next. */
  readonly onObject: SearchActions['focusObject'];
  /** Opens a location, and runs `leave` when it renders. */
  readonly onArrive: (place: WindowPlace, leave: () => void) => void;
}

/** Shows the path bar of a pane. A typed address without a connection opens in the connection that has the bucket. */
export function PanePath(props: PanePathProps) {
  const { ref, place, placeAhead, connectionName, isEditing, onEdit, onGo, onArrive, onObject } = props;
  const shownId = connectionOf(place);
  return (
    <PathBar
      {...(ref === undefined ? {} : { ref })}
      place={place}
      connectionName={shownId === null ? null : connectionName(shownId)}
      isEditing={isEditing}
      onEdit={onEdit}
      onGo={onGo}
      onAddress={async (typed, completedIn, leave, signal) => {
        const at = await addressedIn(typed);
        if (at === null) return false;
        const find = async (connectionId: string): Promise<WindowPlace> => {
          if (typed.kind === 'place') return await findPlace(rpc, connectionId, typed.address);
          const { findObject } = await import('../path/open-object.ts');
          const found = await findObject(rpc, connectionId, at);
          if (found.key !== null) onObject(found.place, found.key);
          return found.place;
        };
        const arrive = async (connectionId: string): Promise<true> => {
          const found = await find(connectionId);
          if (!signal.aborted) onArrive(found, leave);
          return true;
        };
        const shown = completedIn ?? connectionOf(placeAhead());
        if (shown !== null && at.connectionIds?.includes(shown) !== false) return await arrive(shown);
        const lists = await listAllBuckets(rpc);
        const owner = ownerOf(
          at.bucket,
          lists.filter(({ connectionId }) => at.connectionIds?.includes(connectionId) !== false),
        );
        if (signal.aborted) return true;
        if (owner.kind === 'one') return await arrive(owner.connectionId);
        leave();
        openConnectionDialog({
          mode: 'choose',
          bucket: at.bucket,
          having: owner.having,
          onChosen: (chosen) => sayingFailure(async () => onGo(await find(chosen))),
        });
        return true;
      }}
    />
  );
}

/**
 * Returns the bucket and key in an address, with the connections that may have it (null for any). Returns null if no connection
 * has it.
 */
async function addressedIn(
  typed: TypedAddress,
): Promise<
  (Omit<LinkedObject, 'connectionIds'> & { readonly connectionIds: readonly string[] | null }) | null
> {
  if (typed.kind === 'web') {
    const { knownEndpoints, linkedObject } = await import('../path/open-object.ts');
    return linkedObject(typed.address, await knownEndpoints(rpc));
  }
  const { bucket, prefix } = typed.address;
  return { bucket, key: prefix, connectionIds: null };
}
