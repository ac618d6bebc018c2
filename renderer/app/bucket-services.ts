import { openBucketDialog } from '../features/buckets/index.ts';
import type { BucketServices } from '../features/connections/index.ts';
import type { Commands } from './commands.ts';
import { folderPlace, type WindowPlace } from './places.ts';

/** What the menus of connections and buckets do to buckets. */
export const bucketServices: BucketServices = {
  create: (connectionId, onOpen) =>
    openBucketDialog({
      kind: 'create',
      connectionId,
      onCreated: ({ bucket }) => onOpen({ connectionId, bucket, prefix: '' }),
    }),
  settings: (place) => openBucketDialog({ kind: 'settings', place }),
  remove: (place) => openBucketDialog({ kind: 'remove', place }),
};

/** What the shortcuts and the palette do to buckets, from where the window is. */
export function bucketCommands(
  place: WindowPlace,
  go: (place: WindowPlace) => void,
): Pick<Commands, 'newBucket' | 'bucketSettings' | 'deleteBucket'> {
  const connectionId = place.kind === 'start' ? null : place.connectionId;
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
