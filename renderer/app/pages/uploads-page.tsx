import { openBucketDialog } from '../../features/buckets/index.ts';
import { useConnectionName, useConnections } from '../../features/connections/index.ts';
import { useJobsNow } from '../../features/transfers/index.ts';
import { openPriceDialog } from '../../features/prices/index.ts';
import { LazyStalledView } from '../../features/stalled/index.ts';
import type { WindowPlace } from '../places/places.ts';

interface UploadsPageProps {
  readonly place: Extract<WindowPlace, { kind: 'uploads' }>;
}

/** The stalled uploads of a place; they are listed again when a job has ended. */
export function UploadsPage({ place }: UploadsPageProps) {
  const connection = useConnections().data?.find(({ id }) => id === place.connectionId);
  const nameOf = useConnectionName();
  const { settledSerial } = useJobsNow();
  return (
    <LazyStalledView
      where={place}
      connectionName={connection === undefined ? '' : nameOf(connection)}
      refreshSignal={settledSerial}
      onPrices={() => openPriceDialog({ connectionId: place.connectionId })}
      onLifecycle={(bucket) =>
        openBucketDialog({
          kind: 'settings',
          place: { connectionId: place.connectionId, bucket },
          section: 'lifecycle',
        })
      }
    />
  );
}
