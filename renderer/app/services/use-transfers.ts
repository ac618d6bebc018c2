import { useEffect, useEffectEvent, useMemo } from 'react';
import { z } from 'zod/mini';
import { parentFolder } from '../../../shared/keys/paths.ts';
import { openConnectionDialog } from '../../features/connections/index.ts';
import { openUpload } from '../../features/stalled/index.ts';
import {
  openConflicts,
  openTransfers,
  useJobsWatch,
  useShownJob,
  type JobServices,
} from '../../features/transfers/index.ts';
import { useKeptView } from '../../rpc/use-kept-view.ts';
import { folderPlace, type WindowPlace } from '../places/places.ts';

const dockSchema = z.object({ isOpen: z.boolean(), heightPx: z.number().check(z.gte(120), z.lte(800)) });
const firstDock = { isOpen: false, heightPx: 260 };

export interface Transfers {
  readonly isOpen: boolean;
  readonly heightPx: number;
  readonly toggle: () => void;
  readonly resize: (heightPx: number) => void;
  readonly jobServices: JobServices;
}

/** Returns the state of the transfers panel, and the functions of the window that jobs use. Use it once. */
export function useTransfers(onGo: (place: WindowPlace) => void): Transfers {
  const { value, set } = useKeptView('transfers', dockSchema, firstDock);
  const open = useEffectEvent(() => set({ ...value, isOpen: true }));
  useEffect(
    () =>
      useShownJob.subscribe((now, before) => {
        if (now.openedBy !== before.openedBy) open();
      }),
    [],
  );
  useJobsWatch({ onShow: openTransfers, isListShown: () => value.isOpen, onAsk: openConflicts });

  const jobServices = useMemo<JobServices>(
    () => ({
      editConnection: (connectionId) => openConnectionDialog({ mode: 'edit', connectionId }),
      openUpload: ({ connectionId, bucket, key, uploadId }) =>
        openUpload({ connectionId, bucket, key, uploadId }),
      showObject: ({ connectionId, bucket, key }) =>
        onGo(folderPlace(connectionId, bucket, parentFolder(key) ?? '')),
      showFolder: ({ connectionId, bucket, folder }) => onGo(folderPlace(connectionId, bucket, folder)),
    }),
    [onGo],
  );

  return useMemo(
    () => ({
      ...value,
      toggle: () => set({ ...value, isOpen: !value.isOpen }),
      resize: (heightPx: number) => set({ ...value, heightPx }),
      jobServices,
    }),
    [value, set, jobServices],
  );
}
