import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openBucketDialog } from '../../features/buckets/index.ts';
import { startUpload } from '../../features/transfers/index.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { BucketServices } from '../../features/connections/index.ts';
import type { NavigationAction } from '../places/navigation.ts';
import type { WindowPlace } from '../places/places.ts';
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
