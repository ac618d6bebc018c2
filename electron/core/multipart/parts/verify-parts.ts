import type { ListedPart } from '../../s3/model/multipart-types.ts';
import { compareEtags, etagIn } from '../../s3/model/etag.ts';
import type { PlannedSource } from '../../disk/planned-file.ts';
import type { Hasher } from '../../disk/hash-pool.ts';
import type { PartRecord } from './part-store.ts';
import { comparableChecksum, compare, isComparable, type JudgeOptions } from './judge.ts';
import type { ChecksumAlgorithm } from '../../disk/checksums.ts';

export interface VerifyOptions {
  readonly hasher: Hasher;
  readonly file: PlannedSource;
  readonly records: readonly PartRecord[];
  readonly listed: readonly ListedPart[];
  readonly judge: JudgeOptions;
  /** True if the user accepts parts that cannot be verified. */
  readonly acceptUnverified: boolean;
  readonly signal: AbortSignal;
  readonly onVerified: (record: PartRecord) => void;
  readonly onBytes: (bytes: number) => void;
}

/**
 * Updates the records of the parts from the service's list. Does not hash parts again that were verified or sent before and did
 * not change.
 */
export async function verifyParts(options: VerifyOptions): Promise<void> {
  const byNumber = new Map(options.listed.map((part) => [part.partNumber, part]));
  const toHash: { record: PartRecord; listed: ListedPart; algorithm: ChecksumAlgorithm | null }[] = [];
  for (const record of options.records) {
    const listed = byNumber.get(record.partNumber);
    if (listed === undefined || listed.sizeBytes !== record.sizeBytes) {
      settle(options, record, { ...record, state: 'todo', etag: null });
    } else if (record.state !== 'todo' && isSamePart(record, listed)) {
      continue;
    } else if (!isComparable(listed, options.judge)) {
      const state = options.acceptUnverified ? 'accepted' : 'todo';
      settle(options, record, { ...record, state, etag: listed.etag });
    } else if (record.md5 !== null && comparableChecksum(listed) === null) {
      decide(options, record, listed, { md5: record.md5, checksums: {} });
    } else toHash.push({ record, listed, algorithm: comparableChecksum(listed) });
  }
  await Promise.all(
    toHash.map(async ({ record, listed, algorithm }) => {
      const { offset, sizeBytes } = record;
      const request = { ...options.file, offset, sizeBytes, algorithm };
      const hash = await options.hasher.hash(request, options.signal, options.onBytes);
      decide(options, { ...record, md5: hash.md5 }, listed, hash);
    }),
  );
}

/** Returns true if the part's upload returned an ETag and the listed ETag does not contradict it. */
function isSamePart({ etag }: PartRecord, listed: ListedPart): boolean {
  return etagIn(etag) !== null && compareEtags(etag, listed.etag) !== 'different';
}

function decide(
  options: VerifyOptions,
  record: PartRecord,
  listed: ListedPart,
  hash: Parameters<typeof compare>[1],
): void {
  const verdict = compare(listed, hash, options.judge);
  if (verdict === 'same')
    settle(options, record, { ...record, state: 'verified', etag: listed.etag, checksums: listed.checksums });
  else if (verdict === 'unknown' && options.acceptUnverified)
    settle(options, record, { ...record, state: 'accepted', etag: listed.etag });
  else settle(options, record, { ...record, state: 'todo', etag: null });
}

function settle(options: VerifyOptions, before: PartRecord, after: PartRecord): void {
  if (
    before.state !== after.state ||
    before.etag !== after.etag ||
    before.md5 !== after.md5 ||
    after.state !== 'todo'
  )
    options.onVerified(after);
}
