import type { TFunction } from 'i18next';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import type { FileEntry } from '../../../../shared/models/files.ts';
import type { DownloadItem, UploadOptions } from '../../../../shared/models/transfers.ts';
import { rpc } from '../../../rpc/client.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';

/** Functions of other features, passed in by the application. */
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
  sayingFailure(async () => {
    const { bucket, folder } = place;
    const name = folder === '' ? bucket : lastSegment(folder);
    const title = t(kind === 'file' ? 'transfers.pickFiles' : 'transfers.pickFolder', { name });
    const picked = await services.pick(kind, title, true);
    if (picked.length === 0) return;
    const handles = picked.map((entry) => entry.handle);
    await upload(place, handles, await optionsOf(), services);
  });
}

/** Uploads files and folders that were chosen already, as the connection's uploads usually are. */
export function uploadFiles(
  place: TransferPlace,
  handles: readonly string[],
  services: Pick<TransferServices, 'showJob'>,
): void {
  sayingFailure(async () => {
    await upload(place, handles, await usualOptions(place.connectionId), services);
  });
}

async function upload(
  { connectionId, bucket, folder }: TransferPlace,
  handles: readonly string[],
  options: UploadOptions,
  { showJob }: Pick<TransferServices, 'showJob'>,
): Promise<void> {
  const fileHandles = [...handles];
  const { jobId } = await rpc.transfers.upload({
    connectionId,
    bucket,
    prefix: folder,
    fileHandles,
    options,
  });
  showJob(jobId);
}

/** How uploads of this connection are stored where nothing else is said. */
export async function usualOptions(connectionId: string): Promise<UploadOptions> {
  return await rpc.transfers.uploadDefaults({ connectionId });
}

/** The browser fetches one object as a file, and puts it where its own downloads go. */
export function downloadInBrowser(place: TransferPlace, key: string): void {
  sayingFailure(async () => {
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
  sayingFailure(async () => {
    const usual = await rpc.settings.downloadFolder();
    const [target] =
      usual === null ? await services.pick('folder', t('transfers.pickTarget'), false) : [usual];
    if (target === undefined) return;
    const wanted = items.length === 0 ? [{ kind: 'prefix', prefix: place.folder } as const] : items;
    await download(place, wanted, target.handle, services);
  });
}

/** Downloads into a folder that was chosen already. */
export function downloadInto(
  place: TransferPlace,
  items: readonly DownloadItem[],
  folderHandle: string,
  services: Pick<TransferServices, 'showJob'>,
): void {
  sayingFailure(async () => {
    await download(place, items, folderHandle, services);
  });
}

async function download(
  { connectionId, bucket, folder }: TransferPlace,
  items: readonly DownloadItem[],
  folderHandle: string,
  { showJob }: Pick<TransferServices, 'showJob'>,
): Promise<void> {
  const { jobId } = await rpc.transfers.download({
    connectionId,
    bucket,
    basePrefix: folder,
    items: [...items],
    folderHandle,
    options: { onConflict: 'ask' },
  });
  showJob(jobId);
}
