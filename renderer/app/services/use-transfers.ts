import { useCallback, useMemo, useState } from 'react';
import { z } from 'zod/mini';
import { parentFolder } from '../../../shared/keys/paths.ts';
import { openConnectionDialog } from '../../features/connections/index.ts';
import { pickLocal, pickManyLocal } from '../../features/files/index.ts';
import { useJobsWatch, type JobServices } from '../../features/transfers/index.ts';
import { openConflicts, type TransferServices } from '../../features/transfers/index.ts';
import { openUpload, type UploadServices } from '../../features/stalled/index.ts';
import { useKeptView } from '../../rpc/use-kept-view.ts';
import { folderPlace, type WindowPlace } from '../places/places.ts';

const dockSchema = z.object({ isOpen: z.boolean(), heightPx: z.number().check(z.gte(120), z.lte(800)) });
const firstDock = { isOpen: false, heightPx: 260 };

export interface Transfers {
  readonly isOpen: boolean;
  readonly heightPx: number;
  /** The job to show. The serial grows with each request, so that the same job can be shown again. */
  readonly shown: { readonly jobId: string | null; readonly serial: number };
  readonly toggle: () => void;
  readonly resize: (heightPx: number) => void;
  readonly jobServices: JobServices;
  readonly uploadServices: UploadServices;
  readonly transferServices: TransferServices;
  /** For dialogs with buttons that open the list. */
  readonly listServices: { readonly showJob: (jobId: string) => void };
}

/** The state of the transfers panel, and the services that jobs and uploads need from the window. Use it once. */
export function useTransfers(onGo: (place: WindowPlace) => void): Transfers {
  const dock = useKeptView('transfers', dockSchema, firstDock);
  const { value, set } = dock;
  const [shown, setShown] = useState<Transfers['shown']>({ jobId: null, serial: 0 });
  const show = useCallback(
    (jobId: string | null) => {
      set({ ...value, isOpen: true });
      setShown((now) => ({ jobId, serial: now.serial + 1 }));
    },
    [value, set],
  );
  /** Selects a started job in the transfers panel if the panel is open. Does not open it: the status bar announces the job. */
  const showBegun = useCallback((jobId: string) => {
    setShown((now) => ({ jobId, serial: now.serial + 1 }));
  }, []);
  useJobsWatch({
    onShow: show,
    isListShown: () => value.isOpen,
    onAsk: openConflicts,
  });

  const services = useMemo(() => {
    const pickFile = (title: string) => pickLocal('file', title);
    const showObject = ({
      connectionId,
      bucket,
      key,
    }: {
      connectionId: string;
      bucket: string;
      key: string;
    }) => onGo(folderPlace(connectionId, bucket, parentFolder(key) ?? ''));
    const jobServices: JobServices = {
      pickFile,
      answerConflicts: (job) => openConflicts(job.id),
      editConnection: (connectionId) => openConnectionDialog({ mode: 'edit', connectionId }),
      openUpload: ({ connectionId, bucket, key, uploadId }) =>
        openUpload({ connectionId, bucket, key, uploadId }),
      showObject,
      showFolder: ({ connectionId, bucket, folder }) => onGo(folderPlace(connectionId, bucket, folder)),
    };
    const uploadServices: UploadServices = {
      pickFile,
      pickFolder: (title) => pickLocal('folder', title),
      showJobs: (jobId) => show(jobId ?? null),
      showObject,
    };
    const transferServices: TransferServices = {
      pick: async (kind, title, multiple) => {
        if (multiple) return await pickManyLocal(kind, title);
        const picked = await pickLocal(kind, title);
        return picked === null ? [] : [picked];
      },
      showJob: showBegun,
    };
    const listServices = { showJob: show };
    return { jobServices, uploadServices, transferServices, listServices };
  }, [onGo, show, showBegun]);

  return useMemo(
    () => ({
      ...value,
      shown,
      toggle: () => set({ ...value, isOpen: !value.isOpen }),
      resize: (heightPx: number) => set({ ...value, heightPx }),
      ...services,
    }),
    [value, set, shown, services],
  );
}
