import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConnectionName, useConnections } from '../../features/connections/index.ts';
import { rpc } from '../../rpc/client.ts';
import { folderPlace, type FolderWindowPlace, type WindowPlace } from '../places/places.ts';
import { listAllBuckets } from '../services/connection-of-bucket.ts';

interface OtherOwnersProps {
  readonly place: FolderWindowPlace;
  readonly onGo: (place: WindowPlace) => void;
}

/** Shows buttons for a bucket that this connection cannot find. Each opens it in another connection that lists the bucket. */
export function OtherOwners({ place, onGo }: OtherOwnersProps) {
  const { t } = useTranslation();
  const nameOf = useConnectionName();
  const connections = useConnections().data ?? [];
  const lists = useQuery({
    queryKey: ['buckets.owners', place.bucket],
    staleTime: 0,
    gcTime: 0,
    queryFn: () => listAllBuckets(rpc),
  }).data;
  const owners = connections.filter(
    ({ id }) =>
      id !== place.connectionId &&
      lists?.some((list) => list.connectionId === id && list.buckets?.includes(place.bucket) === true),
  );
  return owners.map((connection) => (
    <Button
      key={connection.id}
      onClick={() =>
        onGo({ ...folderPlace(connection.id, place.bucket, place.folder), startsWith: place.startsWith })
      }
    >
      {t('common.shell.openIn', { name: nameOf(connection) })}
    </Button>
  ));
}
