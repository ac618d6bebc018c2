import { AppFailure } from '../../../../shared/errors.ts';
import { newerSide } from '../../../../shared/newer-side.ts';
import type { ConflictPolicy, Side } from '../../../../shared/models/transfers.ts';
import { mayRepeat } from '../../jobs/failure.ts';
import { md5InEtag, sameEtag } from '../../s3/model/etag.ts';
import { headTarget } from '../../multipart/outcome/look.ts';
import { logged } from '../../jobs/log-request.ts';
import type { HeadResult } from '../../multipart/outcome/outcome.ts';
import type { PartChecksums } from '../../disk/checksums.ts';
import type { JobFile } from '../../disk/local-file.ts';
import {
  conflictPolicyOf,
  askUser,
  freeName,
  saveItem,
  settled,
  type ItemContext,
} from '../items/item-context.ts';
import type { CompleteConsent } from '../items/run-upload.ts';
import type { TransferJob } from '../items/transfer-job.ts';
import type { UploadItem } from '../items/transfer-item.ts';

/** A file that is sent by a single PUT request. */
export interface SinglePutFile {
  readonly sizeBytes: number;
  readonly md5: Buffer;
  /** Checksums of the whole content; empty if the service checks none. */
  readonly checksums: PartChecksums;
  /** The content; null if it is too large to hold in memory and is read again while it is sent. */
  readonly bytes: Uint8Array | null;
}

export type PresentObject = HeadResult & { readonly kind: 'present' };

/** Up to this size in bytes, sending a file that is then rejected costs less than a HEAD for each key. */
const conditionalBytes = 256 * 1024;
/** The jobs whose last key was taken. Their next key is probably taken too, so it is checked before its file is sent. */
const jobsWithTakenKeys = new WeakSet<TransferJob>();

/** Returns true if the file is so small that a conditional PUT is cheaper than a HEAD before it. */
export function isSmallEnoughForPut({ sizeBytes }: { readonly sizeBytes: number }): boolean {
  return sizeBytes <= conditionalBytes;
}

function canCheckByPut({ client, job }: ItemContext): boolean {
  return client.conditions.of(job.bucket, 'put', 'absent') === 'honoured' && !jobsWithTakenKeys.has(job);
}

export function noteTakenKey(job: TransferJob, isTaken: boolean): void {
  if (isTaken) jobsWithTakenKeys.add(job);
  else jobsWithTakenKeys.delete(job);
}

/**
 * Checks the key before an upload, unless the user allowed overwriting. If the returned item is `todo`, the file may be sent.
 * Throws `AppError('conflict')` if no free name is found, and the service's error if the key cannot be checked.
 */
export async function decideUploadTarget(
  context: ItemContext,
  item: UploadItem,
  file: JobFile,
  small: SinglePutFile | null,
): Promise<UploadItem> {
  const policy = conflictPolicyOf(context, item);
  // An earlier attempt may have succeeded, so the key is checked before a retry.
  if (policy === 'overwrite' && item.tries === 0) return withSize(item, file);
  // The service respects If-None-Match, so a conditional PUT replaces the HEAD.
  if (small !== null && item.tries === 0 && isSmallEnoughForPut(small) && canCheckByPut(context))
    return withSize(item, file);
  const headResult = await headUploadTarget(context, item.key);
  if (headResult.kind !== 'present') return { ...withSize(item, file), damaged: null };
  if (isLeftDamaged(item, headResult)) return withSize(item, file);
  return await decideAgainst(context, withSize(item, file), file, small, headResult);
}

/** Returns true if the object at the key is the damaged one that an earlier attempt of this item left there. */
export function isLeftDamaged(
  { damaged }: UploadItem,
  existingObject: Pick<PresentObject, 'sizeBytes' | 'etag'>,
): boolean {
  if (damaged === null || !sameEtag(damaged.etag, existingObject.etag)) return false;
  return damaged.sizeBytes === null || damaged.sizeBytes === existingObject.sizeBytes;
}

/**
 * Decides about the object at the key by the policy for existing objects. Throws `AppError('conflict')` if no free name is found.
 */
export async function decideAgainst(
  context: ItemContext,
  item: UploadItem,
  file: JobFile,
  small: SinglePutFile | null,
  existingObject: PresentObject,
): Promise<UploadItem> {
  if (await isSame(context, file, small, existingObject))
    return settled(item, { state: 'done', note: 'same', verified: true });
  const policy = conflictPolicyOf(context, item);
  const verdict = verdictOnTarget(policy, file, existingObject);
  switch (verdict) {
    case 'replace':
      return policy === 'overwrite' ? item : { ...item, decision: 'overwrite' };
    case 'skip':
      return settled(item, { state: 'skipped' });
    case 'rename':
      return await renameToFreeKey(context, item);
    case 'ask':
      return askUser(item, sideOfFile(file), sideOfObject(existingObject));
    default:
      return verdict satisfies never;
  }
}

/** The action for an upload whose key has another object. */
export type TargetVerdict = 'replace' | 'skip' | 'rename' | 'ask';

/** Decides what to do with a file whose key has this object, by the policy for existing objects. */
export function verdictOnTarget(
  policy: ConflictPolicy,
  file: JobFile,
  existingObject: PresentObject,
): TargetVerdict {
  switch (policy) {
    case 'overwrite':
      return 'replace';
    case 'newer':
      return newerSide(sideOfFile(file), sideOfObject(existingObject)) === 'source' ? 'replace' : 'skip';
    case 'skip':
    case 'rename':
    case 'ask':
      return policy;
    default:
      return policy satisfies never;
  }
}

/**
 * Stores the item under the first free key with a number and returns it. Throws `AppError('conflict')` if all names up to number
 * 9,999 are taken.
 */
export async function renameToFreeKey(context: ItemContext, item: UploadItem): Promise<UploadItem> {
  // Without permission to list, HEAD is also denied for free names. If-None-Match protects an object that has the name after all.
  const isFree = async (name: string) => (await headUploadTarget(context, name)).kind !== 'present';
  const key = await freeName(item.key, isFree);
  return saveItem(context, { ...item, key, begun: null, note: 'renamed' });
}

/**
 * Checks the key with HEAD. Returns `unreadable` if that is denied; the caller then relies on If-None-Match. Throws any other
 * error of HEAD.
 */
export async function headUploadTarget(context: ItemContext, key: string): Promise<HeadResult> {
  const { client, job, signal, log } = context;
  const headResult = await logged(
    log,
    'head-object',
    () => headTarget(client, { bucket: job.bucket, key }, signal),
    (found) => `${found.kind}: ${key}`,
  );
  if (
    headResult.kind === 'unreadable' &&
    (mayRepeat(headResult.error, 0) || headResult.error.code !== 'access-denied')
  )
    throw new AppFailure(headResult.error);
  noteTakenKey(job, headResult.kind === 'present');
  return headResult;
}

async function isSame(
  context: ItemContext,
  file: JobFile,
  small: SinglePutFile | null,
  existingObject: PresentObject,
): Promise<boolean> {
  if (
    existingObject.sizeBytes !== file.sizeBytes ||
    existingObject.etag === null ||
    existingObject.etagIsNotMd5
  )
    return false;
  const stored = md5InEtag(existingObject.etag);
  if (stored === null) return false;
  if (small !== null) return small.md5.toString('hex') === stored;
  const { path: filePath } = file;
  if (filePath === null) return false;
  const request = { path: filePath, offset: 0, sizeBytes: file.sizeBytes, algorithm: null };
  return (await context.deps.hasher.hash(request, context.signal)).md5 === stored;
}

/** Returns true if this is the object in the plan. Compares ETags, or times if the service reports no ETag. */
export function isObjectAsPlanned(
  planned: Side,
  existingObject: Pick<PresentObject, 'sizeBytes' | 'etag' | 'lastModified'>,
): boolean {
  if (planned.sizeBytes !== existingObject.sizeBytes) return false;
  if (planned.etag !== null && existingObject.etag !== null)
    return sameEtag(planned.etag, existingObject.etag);
  return planned.modifiedAt !== null && planned.modifiedAt === existingObject.lastModified;
}

/** Decides by the object at the key whether the Complete request may be sent now. */
export function consentToComplete(
  context: ItemContext,
  item: UploadItem,
  headResult: HeadResult,
): CompleteConsent {
  const mayReplace = conflictPolicyOf(context, item) === 'overwrite';
  const planned = item.sync?.target ?? null;
  if (mayReplace && planned === null) return 'any';
  if (headResult.kind !== 'present') return 'as-seen';
  // The plan of a synchronization only allows replacing the object that it shows.
  return mayReplace && planned !== null && isObjectAsPlanned(planned, headResult) ? 'as-seen' : 'hold';
}

function withSize(item: UploadItem, file: JobFile): UploadItem {
  return { ...item, sizeBytes: file.sizeBytes };
}

export function sideOfFile(file: JobFile): Side {
  const modifiedAt = new Date(Number(BigInt(file.mtimeNs) / 1_000_000n)).toISOString();
  return { sizeBytes: file.sizeBytes, modifiedAt, etag: null };
}

export function sideOfObject(existingObject: PresentObject): Side {
  return {
    sizeBytes: existingObject.sizeBytes,
    modifiedAt: existingObject.lastModified,
    etag: existingObject.etag,
  };
}
