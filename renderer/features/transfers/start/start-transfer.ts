import type { TFunction } from 'i18next';
import { create } from 'zustand';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import type { FileEntry } from '../../../../shared/models/files.ts';
import type { DownloadItem, UploadOptions } from '../../../../shared/models/transfers.ts';
import { maxDraggedBytes, maxDraggedObjects } from '../../../../shared/models/limits.ts';
import { rpc } from '../../../rpc/client.ts';
import { showNotice } from '../../../ui/notices/notices.tsx';
import { formatBytes } from '../../../ui/words/format.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { pickLocal, pickManyLocal } from '../../files/index.ts';

export interface TransferPlace {
  readonly connectionId: string;
  readonly bucket: string;
  readonly folder: string;
}

/**
 * Asks which files to upload into a folder, and starts the upload. Calls `optionsOf` after files were chosen. Without it, the
 * connection's defaults apply. Shows errors as notices.
 */
export function startUpload(
  place: TransferPlace,
  kind: FileEntry['kind'],
  t: TFunction,
  optionsOf?: () => Promise<UploadOptions>,
): void {
  sayingFailure(async () => {
    const { bucket, folder } = place;
    const name = folder === '' ? bucket : lastSegment(folder);
    const title = t(kind === 'file' ? 'transfers.pickFiles' : 'transfers.pickFolder', { name });
    const picked = await pickManyLocal(kind, title);
    if (picked.length === 0) return;
    const handles = picked.map((entry) => entry.handle);
    await uploadInto(place, handles, await optionsOf?.());
  });
}

/** Uploads files and folders with the connection's default options. */
export function uploadFiles(place: TransferPlace, handles: readonly string[]): void {
  sayingFailure(() => uploadInto(place, handles));
}

/** Starts an upload of files and folders. Without `options`, the connection's default options apply. */
export async function uploadInto(
  { connectionId, bucket, folder }: TransferPlace,
  handles: readonly string[],
  options?: UploadOptions,
): Promise<void> {
  const { jobId } = await rpc.transfers.upload({
    connectionId,
    bucket,
    prefix: folder,
    fileHandles: [...handles],
    options: options ?? (await rpc.transfers.uploadDefaults({ connectionId })),
  });
  showStartedJob(jobId);
}

/** Downloads one object through the browser, into the browser's download folder. */
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

/**
 * Downloads the selection, or the whole folder without a selection. Asks for a location unless the settings name a folder for all
 * downloads.
 */
export function startDownload(place: TransferPlace, items: readonly DownloadItem[], t: TFunction): void {
  sayingFailure(async () => {
    const defaultFolder = await rpc.settings.downloadFolder();
    const target = defaultFolder ?? (await pickLocal('folder', t('transfers.pickTarget')));
    if (target === null) return;
    const itemsOrFolder = items.length === 0 ? [{ kind: 'prefix', prefix: place.folder } as const] : items;
    await download(place, itemsOrFolder, target.handle);
  });
}

/** Downloads into a chosen folder. */
export function downloadInto(
  place: TransferPlace,
  items: readonly DownloadItem[],
  folderHandle: string,
): void {
  sayingFailure(async () => {
    await download(place, items, folderHandle);
  });
}

/**
 * Fetches objects into a folder of the program, from which they can be dragged out. Shows a notice instead if they are too many
 * or too large for the system's drag.
 */
export function fetchForDrag(
  { connectionId, bucket, folder }: TransferPlace,
  objects: readonly { readonly key: string; readonly sizeBytes: number }[],
): void {
  const sizeBytes = objects.reduce((sum, object) => sum + object.sizeBytes, 0);
  if (objects.length > maxDraggedObjects || sizeBytes > maxDraggedBytes) {
    const limits = { count: maxDraggedObjects, size: formatBytes(maxDraggedBytes) };
    showNotice({ tone: 'warning', message: (say) => say('transfers.drag.tooMuch', limits), staysMs: 10_000 });
    return;
  }
  sayingFailure(async () => {
    const keys = objects.map(({ key }) => key);
    const { jobId } = await rpc.transfers.fetchForDrag({ connectionId, bucket, basePrefix: folder, keys });
    showNotice({ message: (say) => say('transfers.drag.begun', { count: keys.length }), staysMs: 10_000 });
    showStartedJob(jobId);
  });
}

async function download(
  { connectionId, bucket, folder }: TransferPlace,
  items: readonly DownloadItem[],
  folderHandle: string,
): Promise<void> {
  const { jobId } = await rpc.transfers.download({
    connectionId,
    bucket,
    basePrefix: folder,
    items: [...items],
    folderHandle,
    options: { onConflict: 'ask' },
  });
  showStartedJob(jobId);
}

interface ShownJob {
  /** Null for the list as a whole. */
  readonly jobId: string | null;
  /** Grows with each request. */
  readonly serial: number;
  /** The serial of the last request that also opens the panel, or 0 before the first. */
  readonly openedBy: number;
}

/** The job that was last selected for the transfers panel. */
export const useShownJob = create<ShownJob>()(() => ({ jobId: null, serial: 0, openedBy: 0 }));

/** Opens the transfers, and selects this job unless it is null. */
export function openTransfers(jobId: string | null = null): void {
  useShownJob.setState(({ serial }) => ({ jobId, serial: serial + 1, openedBy: serial + 1 }));
}

/**
 * Selects a started job in the transfers panel if it is open. Does not open the panel, since the status bar announces the job.
 */
export function showStartedJob(jobId: string): void {
  useShownJob.setState(({ serial }) => ({ jobId, serial: serial + 1 }));
}
