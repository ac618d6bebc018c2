import type { LocalSource } from '../../disk/fence.ts';
import { fetchLarge } from './download-large.ts';
import type { Fetched } from './download-requests.ts';
import { fetchSmall, fetchWhole, smallBytes } from './download-whole.ts';
import type { ItemContext } from '../items/item-context.ts';
import type { DownloadItem } from '../items/transfer-job.ts';

/** Returns true if the object is held in memory until its file is named. */
function isHeld(item: DownloadItem, pieceBytes: number): boolean {
  return (
    item.sizeBytes !== null &&
    item.sizeBytes <= Math.min(smallBytes, pieceBytes) &&
    item.pieces === null &&
    item.unverified === null &&
    // A file that a plan replaces is checked again just before, so it does not wait for others in between.
    (item.sync?.target ?? null) === null
  );
}

/** Downloads the missing bytes of an object: into memory if small, else into the partial file. */
export async function fetchObject(
  context: ItemContext,
  item: DownloadItem,
  part: LocalSource,
): Promise<Fetched> {
  const { deps } = context;
  if (isHeld(item, deps.pieceBytes)) return { item, received: await fetchSmall(context, item) };
  const isWhole = item.sizeBytes !== null && item.sizeBytes <= deps.pieceBytes;
  if (item.pieces === null && (isWhole || item.unverified !== null))
    return { item, received: await fetchWhole(context, item, part) };
  return await fetchLarge(context, item, part);
}
