import type { TFunction } from 'i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { FileEntry } from '../../../shared/models/files.ts';
import type { DownloadItem, UploadOptions } from '../../../shared/models/transfers.ts';
import { rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';

/** What this feature needs of others; the application hands it in. */
export interface TransferServices {
  readonly pick: (kind: FileEntry['kind'], title: string, multiple: boolean) => Promise<readonly FileEntry[]>;
  readonly showJob: (jobId: string) => void;
}

export interface TransferPlace {
  readonly connectionId: string;
  readonly bucket: string;
  readonly folder: string;
}

/** Asks what to upload into a folder, and begins. `optionsOf`: asked for once files were chosen; the connection's usual ones otherwise. What fails is said. */
export function startUpload(
  place: TransferPlace,
  kind: FileEntry['kind'],
  services: TransferServices,
  t: TFunction,
  optionsOf: () => Promise<UploadOptions> = async () => await usualOptions(place.connectionId),
): void {
  sayingFailure(t, async () => {
    const { connectionId, bucket, folder } = place;
    const name = folder === '' ? bucket : lastSegment(folder);
    const title = t(kind === 'file' ? 'transfers.pickFiles' : 'transfers.pickFolder', { name });
    const picked = await services.pick(kind, title, true);
    if (picked.length === 0) return;
    const fileHandles = picked.map((entry) => entry.handle);
    const { jobId } = await rpc.transfers.upload({
      connectionId,
      bucket,
      prefix: folder,
      fileHandles,
      options: await optionsOf(),
    });
    services.showJob(jobId);
  });
}

/** How uploads of this connection are stored where nothing else is said. */
export async function usualOptions(connectionId: string): Promise<UploadOptions> {
  return await rpc.transfers.uploadDefaults({ connectionId });
}

/** The browser fetches one object as a file, and puts it where its own downloads go. */
export function downloadInBrowser(place: TransferPlace, key: string, t: TFunction): void {
  sayingFailure(t, async () => {
    const { connectionId, bucket } = place;
    const { path } = await rpc.objects.file({ connectionId, bucket, key });
    const link = document.createElement('a');
    link.href = path;
    link.download = lastSegment(key);
    link.click();
  });
}

/** Asks where to, unless a folder was chosen for all in the settings, and fetches: the selection, or all of the folder where nothing is selected. */
export function startDownload(
  place: TransferPlace,
  items: readonly DownloadItem[],
  services: TransferServices,
  t: TFunction,
): void {
  sayingFailure(t, async () => {
    const usual = await rpc.settings.downloadFolder();
    const [target] =
      usual === null ? await services.pick('folder', t('transfers.pickTarget'), false) : [usual];
    if (target === undefined) return;
    const { connectionId, bucket, folder } = place;
    const { jobId } = await rpc.transfers.download({
      connectionId,
      bucket,
      basePrefix: folder,
      items: items.length === 0 ? [{ kind: 'prefix', prefix: folder }] : [...items],
      folderHandle: target.handle,
      options: { onConflict: 'ask' },
    });
    services.showJob(jobId);
  });
}
