import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openBucketDialog } from '../../features/buckets/index.ts';
import { startUpload } from '../../features/transfers/index.ts';
import { openTrash } from '../../features/versions/index.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { BucketServices } from '../../features/connections/index.ts';
import type { Commands } from '../commands/window-commands.ts';
import type { NavigationAction } from '../places/navigation.ts';
import { connectionOf, folderPlace, type WindowPlace } from '../places/places.ts';
import { BucketMenu, type BucketMenuServices } from './bucket-menu.tsx';

interface BucketServiceNeeds {
  readonly go: (place: WindowPlace) => void;
  readonly dispatch: (action: NavigationAction) => void;
}

/** Returns the actions on buckets for the tree and for a connection's page. The object never changes. */
export function useBucketServices({ go, dispatch }: BucketServiceNeeds): BucketServices {
  const { t } = useTranslation();
  const ofMenu = useStable<BucketMenuServices>({
    go,
    openTab: (next) => dispatch({ kind: 'open-tab', place: next, inBackground: true }),
    upload: (into, kind) => startUpload(into, kind, t),
  });
  const [services] = useState<BucketServices>(() => ({
    create: (connectionId, onOpen) =>
      openBucketDialog({
        kind: 'create',
        connectionId,
        onCreated: ({ bucket }) => onOpen({ connectionId, bucket, prefix: '' }),
      }),
    remove: (place) => openBucketDialog({ kind: 'remove', place }),
    menu: (request) => <BucketMenu {...request} services={ofMenu} />,
  }));
  return services;
}

/** Returns the bucket commands for shortcuts and the palette. They act on the current location. */
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
