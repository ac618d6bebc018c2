import type { BigIntStats } from 'node:fs';
import { lutimes } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../../../shared/errors.ts';
import { newerSide } from '../../../../shared/newer-side.ts';
import type { Side } from '../../../../shared/models/transfers.ts';
import { etagHidesMd5, md5InEtag } from '../../s3/model/etag.ts';
import { headSource, secondsIn } from './download-requests.ts';
import { isObeyedInHome } from './obeyed-in-home.ts';
import {
  conflictPolicyOf,
  askUser,
  freeName,
  saveItem,
  settled,
  type ItemContext,
} from '../items/item-context.ts';
import { lstatOrNull } from '../../disk/local-files.ts';
import { mtimeName, secondsOfMtime, isSameMoment } from '../items/mtime.ts';
import type { DownloadItem } from '../items/transfer-item.ts';
import { fitsEtag } from './verify-file.ts';

/**
 * Decides whether the object is downloaded, by the file at the target and the user's policy. Throws `AppError('storage')` if a
 * folder has the file's name.
 */
export async function decideDownloadTarget(
  context: ItemContext,
  item: DownloadItem,
  root: string,
): Promise<DownloadItem> {
  const target = path.join(root, ...item.localName.split('/'));
  if (isLeftOut(item)) return settled(item, { state: 'skipped' });
  const found = await lstatOrNull(target);
  if (found === null) return needsConfirmation(context, item, root) ? askAboutHidden(item, null) : item;
  if (found.isFile() && (await isSame(context, item, target, Number(found.size), found.mtimeNs))) {
    if (item.sync !== null) await agreeOnTime(context, item, target);
    return settled(item, { state: 'done', note: item.note ?? 'same', verified: true });
  }
  if (isFileAsPlanned(item, found)) return { ...item, decision: 'overwrite' };
  if (needsConfirmation(context, item, root)) return askAboutHidden(item, localSide(found));
  const policy = conflictPolicyOf(context, item);
  switch (policy) {
    case 'overwrite':
      if (found.isDirectory())
        throw failure('storage', 'There is a folder where the file should be. Cooper does not replace it.', {
          reason: 'in-the-way',
          retry: 'after-fix',
        });
      return item;
    case 'newer':
      return newerSide(sideOf(item), localSide(found)) === 'source'
        ? await decideDownloadTarget(context, { ...item, decision: 'overwrite' }, root)
        : settled(item, { state: 'skipped' });
    case 'skip':
      return settled(item, { state: 'skipped' });
    case 'rename':
      return await renameToFreeName(context, item, root);
    case 'ask':
      return askUser(item, sideOf(item), localSide(found));
    default:
      return policy satisfies never;
  }
}

/**
 * Returns true if the user must confirm the file, because a shell, ssh or the login would run it. Files that the user chose by
 * key or saw in a plan need no confirmation.
 */
export function needsConfirmation({ deps, job }: ItemContext, item: DownloadItem, root: string): boolean {
  if (item.decision !== null || item.sync !== null || !isObeyedInHome(deps.home, root, item.localName))
    return false;
  return !job.wanted.some((chosen) => chosen.kind === 'key' && chosen.key === item.key);
}

/** Returns true if the user chose not to download this hidden file into the home folder. */
export function isLeftOut({ note, decision }: DownloadItem): boolean {
  return note === 'hidden-in-home' && decision === 'skip';
}

function askAboutHidden(item: DownloadItem, target: Side | null): DownloadItem {
  return askUser({ ...item, note: 'hidden-in-home' }, sideOf(item), target);
}

function localSide(found: BigIntStats): Side {
  const modifiedAt = new Date(Number(found.mtimeMs)).toISOString();
  return { sizeBytes: Number(found.size), modifiedAt, etag: null };
}

/** Returns true if the file is unchanged since the plan in which the user agreed to replace it. */
export function isFileAsPlanned({ sync }: DownloadItem, found: BigIntStats): boolean {
  const planned = sync?.target ?? null;
  if (planned === null || planned.modifiedAt === null || !found.isFile()) return false;
  const isSameTime = isSameMoment(Number(found.mtimeNs) / 1e6, Date.parse(planned.modifiedAt));
  return isSameTime && Number(found.size) === planned.sizeBytes;
}

/** Sets the object's time on a local file with the same content, so that the next synchronization finds them equal. */
async function agreeOnTime(context: ItemContext, item: DownloadItem, target: string): Promise<void> {
  const head = await headSource(context, item);
  const seconds = secondsIn(head);
  if (seconds !== null) await lutimes(target, seconds, seconds);
}

function sideOf(item: DownloadItem): Side {
  return { sizeBytes: item.sizeBytes, modifiedAt: item.modifiedAt, etag: item.etag };
}

async function renameToFreeName(
  context: ItemContext,
  item: DownloadItem,
  root: string,
): Promise<DownloadItem> {
  const isFree = async (name: string) => (await lstatOrNull(path.join(root, ...name.split('/')))) === null;
  const localName = await freeName(item.localName, isFree);
  return saveItem(context, { ...item, localName, note: 'renamed' });
}

/** Returns true if the local file has the object's content: the MD5 in the ETag matches or, if it has none, size and time. */
async function isSame(
  context: ItemContext,
  item: DownloadItem,
  target: string,
  sizeBytes: number,
  mtimeNs: bigint,
): Promise<boolean> {
  if (item.etag === null || item.sizeBytes !== sizeBytes) return false;
  if (md5InEtag(item.etag) !== null) {
    const file = { path: target, ...(context.job.folder === null ? {} : { within: context.job.folder }) };
    const fits = await fitsEtag(context.deps.hasher, file, sizeBytes, item.etag, context.signal);
    if (fits === true) return true;
  }
  // For an encrypted object, the ETag may only look like an MD5. Then the time in the object's metadata decides, if it has one.
  const head = await headSource(context, item);
  if (!etagHidesMd5(head.headers) && md5InEtag(item.etag) !== null) return false;
  const seconds = secondsOfMtime(head.metadata[mtimeName]);
  return head.etag === item.etag && seconds !== null && Math.abs(Number(mtimeNs) / 1e9 - seconds) < 0.001;
}
