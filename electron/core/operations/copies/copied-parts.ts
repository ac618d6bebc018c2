import { failure } from '../../../../shared/errors.ts';
import { checksumNames } from '../../disk/stored-checksums.ts';
import { compareEtags, etagIn } from '../../s3/model/etag.ts';
import type { ListedPart } from '../../s3/model/multipart-types.ts';
import type { CopyContext } from './copy-context.ts';
import type { CopyPart } from './part-plan.ts';

/**
 * Compares the parts listed by the service with the parts that were copied. If some differ, deletes their records, so that the
 * next try copies them again, and throws AppError('conflict').
 */
export function requireAsCopied(
  { deps }: CopyContext,
  recordsId: string,
  plan: readonly CopyPart[],
  listed: readonly ListedPart[],
): void {
  const { parts } = deps.uploads;
  const records = new Map(parts.all(recordsId).map((record) => [record.partNumber, record]));
  const byNumber = new Map(listed.map((part) => [part.partNumber, part]));
  const wrong = plan.filter(({ partNumber, sizeBytes }) => {
    const [part, record] = [byNumber.get(partNumber), records.get(partNumber)];
    if (part?.sizeBytes !== sizeBytes || record === undefined) return true;
    // Without an ETag in the part's response or in the list, nothing can be compared.
    if (compareEtags(part.etag, record.etag) === 'different') return true;
    return checksumNames.some((name) => {
      const [shown, copied] = [part.checksums[name], record.checksums[name]];
      return shown !== undefined && copied !== undefined && shown !== copied;
    });
  });
  if (wrong.length === 0 && listed.length === plan.length) return;
  deps.store.transaction(() => {
    for (const { partNumber } of wrong) parts.remove(recordsId, partNumber);
  });
  throw failure('conflict', 'The parts of the copy differ from the source.', {
    reason: 'copy-unverified',
    retry: 'backoff',
  });
}

/** Returns true if the part's response named an ETag and the listed ETag does not contradict it. */
export function isKnownPart(listed: string, known: string | null): boolean {
  return etagIn(known) !== null && compareEtags(listed, known) !== 'different';
}
