import { toAppError, type ErrorCode } from '../../../shared/errors.ts';
import { logged } from '../jobs/log-request.ts';
import { listAllParts, type ListedUpload } from './list-uploads.ts';
import { fingerprintOf } from './parts/part-list.ts';
import type { PartRecord } from './parts/part-store.ts';
import type { UploadWork } from './upload-work.ts';
import type { Observation } from './outcome/verify-outcome.ts';
import { compare } from './parts/judge.ts';
import type { UploadEvent } from './upload-transition.ts';

/** Errors of ListParts that say nothing about the upload itself, such as missing permission or an unreadable response. */
const unlistedCodes: ReadonlySet<ErrorCode> = new Set([
  'access-denied',
  'unsupported',
  'protocol',
  'invalid-argument',
  'server',
]);

export async function listParts({ client, job, context }: UploadWork): Promise<ListedUpload> {
  return await logged(
    context.log,
    'list-parts',
    () => listAllParts(client, job, context.signal),
    (listed) => `${listed.parts.length} parts`,
  );
}

/** Lists the parts; null if the service does not list them. A job that sent the parts itself can continue without the list. */
export async function listPartsIfPossible(work: UploadWork): Promise<ListedUpload | null> {
  return await unlessUnlisted(() => listParts(work));
}

export async function unlessUnlisted<T>(list: () => Promise<T>): Promise<T | null> {
  try {
    return await list();
  } catch (thrown) {
    if (unlistedCodes.has(toAppError(thrown).code)) return null;
    throw thrown;
  }
}

/** Returns the parts that this job verified or sent. They replace the service's list if the service does not list parts. */
export function listedByRecords(records: readonly PartRecord[]): ListedUpload {
  const parts = records.flatMap(({ partNumber, sizeBytes, etag, checksums }) =>
    etag === null ? [] : [{ partNumber, sizeBytes, etag, checksums, lastModified: null }],
  );
  return { parts, storageClass: null, initiator: null, checksumAlgorithm: null, checksumType: null };
}

export async function lookForUpload(
  work: UploadWork,
): Promise<Exclude<Observation['upload'], { kind: 'not-asked' }>> {
  try {
    const listed = await listParts(work);
    return { kind: 'there', fingerprint: fingerprintOf(listed.parts) };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'upload-gone') return { kind: 'gone' };
    if (error.code === 'cancelled' || error.code === 'auth-expired') throw thrown;
    return { kind: 'unclear', error };
  }
}

/**
 * Returns true if the service lists parts of the upload. Some services return an empty list for any upload id, so an empty list
 * proves nothing.
 */
export async function hasListedParts(work: UploadWork): Promise<boolean> {
  const upload = await lookForUpload(work);
  return upload.kind === 'there' && upload.fingerprint !== fingerprintOf([]);
}

/**
 * Compares the parts with the content that was sent, after the service said that the whole differs. Marks each part that its ETag
 * or checksum does not prove, so that it is sent again. Without a list, these are the parts whose upload was not proved.
 */
export async function doubtParts(work: UploadWork): Promise<UploadEvent> {
  const { job, deps, parts } = work;
  const records = job.kind === 'resume' ? parts.all(job.id) : [];
  const listed = records.length === 0 ? null : await listPartsIfPossible(work);
  const byNumber = new Map(listed?.parts.map((part) => [part.partNumber, part]));
  const judge = { etagsAreNotMd5: job.etagsAreNotMd5, minPartBytes: deps.minPartBytes };
  const isProved = (record: PartRecord): boolean => {
    if (record.state === 'accepted') return false;
    if (listed === null) return true;
    const part = byNumber.get(record.partNumber);
    if (part?.sizeBytes !== record.sizeBytes || record.md5 === null) return false;
    return compare(part, { md5: record.md5, checksums: record.checksums }, judge) !== 'differs';
  };
  const { proved = [], doubted = [] } = Object.groupBy(records, (record) =>
    isProved(record) ? 'proved' : 'doubted',
  );
  deps.store.transaction(() => {
    for (const record of doubted) parts.put(job.id, { ...record, state: 'todo', etag: null });
  });
  return {
    kind: 'parts-doubted',
    partsToSend: doubted.length,
    partsDone: proved.length,
    bytesDone: proved.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}
