import { listPartsIfPossible } from './listed-parts.ts';
import { compare } from './parts/judge.ts';
import type { PartRecord } from './parts/part-store.ts';
import type { UploadEvent } from './upload-transition.ts';
import type { UploadWork } from './upload-work.ts';

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
