import type { Ref } from 'react';
import { openConnectionDialog } from '../../features/connections/index.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { listAllBuckets, ownerOf } from '../services/connection-of-bucket.ts';
import { findPlace } from '../path/open-address.ts';
import { PathBar, type PathHandle } from '../path/path-bar.tsx';
import { connectionOf, type WindowPlace } from '../places/places.ts';

export interface PanePathProps {
  readonly ref?: Ref<PathHandle>;
  readonly place: WindowPlace;
  /** Returns the place of the pane once pending navigation has rendered. */
  readonly placeAhead: () => WindowPlace;
  readonly connectionName: (connectionId: string) => string;
  readonly isEditing: boolean;
  readonly onEdit: (editing: boolean) => void;
  readonly onGo: (place: WindowPlace) => void;
  /** Opens a place; runs `leave` when it renders. */
  readonly onArrive: (place: WindowPlace, leave: () => void) => void;
}

/** The path bar of a pane. A typed address without a connection opens in the connection that has the bucket. */
export function PanePath(props: PanePathProps) {
  const { ref, place, placeAhead, connectionName, isEditing, onEdit, onGo, onArrive } = props;
  const shownId = connectionOf(place);
  return (
    <PathBar
      {...(ref === undefined ? {} : { ref })}
      place={place}
      connectionName={shownId === null ? null : connectionName(shownId)}
      isEditing={isEditing}
      onEdit={onEdit}
      onGo={onGo}
      onAddress={async (address, leave, signal) => {
        const arrive = async (at: string): Promise<void> => {
          const found = await findPlace(rpc, at, address);
          if (!signal.aborted) onArrive(found, leave);
        };
        const connectionId = connectionOf(placeAhead());
        if (connectionId !== null) {
          await arrive(connectionId);
          return;
        }
        const owner = ownerOf(address.bucket, await listAllBuckets(rpc));
        if (signal.aborted) return;
        if (owner.kind === 'one') await arrive(owner.connectionId);
        else {
          leave();
          openConnectionDialog({
            mode: 'choose',
            bucket: address.bucket,
            having: owner.having,
            onChosen: (chosen) => {
              sayingFailure(async () => onGo(await findPlace(rpc, chosen, address)));
            },
          });
        }
      }}
    />
  );
}
