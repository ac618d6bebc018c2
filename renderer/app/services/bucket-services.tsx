import { openBucketDialog } from '../../features/buckets/index.ts';
import { openPriceDialog } from '../../features/prices/index.ts';
import { openTrash } from '../../features/versions/index.ts';
import type { BucketServices } from '../../features/connections/index.ts';
import type { Commands } from '../commands/window-commands.ts';
import { connectionOf, folderPlace, type WindowPlace } from '../places/places.ts';
import { BucketMenu, type BucketMenuServices } from './bucket-menu.tsx';

/** Returns the bucket actions of the tree and of a connection's page. */
export const bucketServices = (services: BucketMenuServices): BucketServices => ({
  create: (connectionId, onOpen) =>
    openBucketDialog({
      kind: 'create',
      connectionId,
      onCreated: ({ bucket }) => onOpen({ connectionId, bucket, prefix: '' }),
    }),
  prices: (connectionId) => openPriceDialog({ connectionId }),
  remove: (place) => openBucketDialog({ kind: 'remove', place }),
  menu: (request) => <BucketMenu {...request} services={services} />,
});

/** Returns the bucket actions of shortcuts and palette, for the current place. */
export function bucketCommands(
  place: WindowPlace,
  go: (place: WindowPlace) => void,
): Pick<Commands, 'newBucket' | 'bucketSettings' | 'deleteBucket' | 'openTrash'> {
  const connectionId = connectionOf(place);
  const at =
    place.kind === 'folder' || place.kind === 'uploads'
      ? { connectionId: place.connectionId, bucket: place.bucket }
      : null;
  const inBucket = at === null || at.bucket === null ? null : { ...at, bucket: at.bucket };
  return {
    newBucket: () => {
      openBucketDialog({
        kind: 'create',
        connectionId,
        onCreated: (made) => go(folderPlace(made.connectionId, made.bucket, '')),
      });
    },
    bucketSettings: () => {
      if (inBucket !== null) openBucketDialog({ kind: 'settings', place: inBucket });
    },
    openTrash: () => {
      if (place.kind !== 'folder') return;
      const { connectionId: of, bucket, folder } = place;
      openTrash({ connectionId: of, bucket, prefix: folder });
    },
    deleteBucket: () => {
      if (inBucket === null) return;
      openBucketDialog({
        kind: 'remove',
        place: inBucket,
        onRemoved: () => go({ kind: 'connection', connectionId: inBucket.connectionId }),
      });
    },
  };
}
