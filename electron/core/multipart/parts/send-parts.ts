import { failure, toAppError } from '../../../../shared/errors.ts';
import { backoffMs, retryPolicies } from '../../flow/retry-policies.ts';
import { mayRepeat } from '../../jobs/failure.ts';
import type { JobWaits } from '../../jobs/job-waits.ts';
import type { NewAttempt } from '../../jobs/job.ts';
import type { Clock, Random } from '../../ports.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import type { BandwidthLimiter } from '../../flow/limits.ts';
import { sentBytes } from '../../s3/conditions/put-proved.ts';
import { partDamaged, proofOfWrite } from '../../s3/model/object-proof.ts';
import type { Hasher } from '../../disk/hash-pool.ts';
import { checkUnchanged, plannedSource, sliceBody, type JobFile } from '../../disk/local-file.ts';
import { failedAttempt } from '../../jobs/log-request.ts';
import type { PartRecord } from './part-store.ts';
import { forEachScheduled, type PartScheduler } from '../../flow/part-scheduler.ts';
import type { ChecksumAlgorithm } from '../../disk/checksums.ts';

export interface SendOptions {
  readonly client: S3Client;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly random: Random;
  readonly ref: { readonly bucket: string; readonly key: string; readonly uploadId: string };
  readonly file: JobFile;
  readonly parts: readonly PartRecord[];
  /** The checksum algorithm of the upload, which each part must carry (opendal#4580); null if the upload has none. */
  readonly algorithm: ChecksumAlgorithm | null;
  /**
   * False if the ETags of this upload are known not to be MD5s. If true, an ETag that looks like an MD5 but differs means damage.
   */
  readonly etagsAreMd5: boolean;
  /** The slots for parts in flight, shared by the whole job. `order` is the rank of this file. */
  readonly scheduler: PartScheduler;
  readonly order: number;
  readonly limiters: readonly BandwidthLimiter[];
  /** Backoff shared by the whole job: if the service requests a wait for one part, all parts wait. */
  readonly waits: JobWaits;
  readonly signal: AbortSignal;
  readonly onSent: (part: PartRecord) => void;
  readonly onBytes: (bytesInFlight: number) => void;
  readonly log: (attempt: NewAttempt) => void;
}

/** Sends parts, as many in parallel as the job has slots. The first failure stops all of them; parts already sent stay stored. */
export async function sendParts(options: SendOptions): Promise<void> {
  const inFlight = new Map<number, number>();
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const show = (): void => {
    let bytes = 0;
    for (const count of inFlight.values()) bytes += count;
    options.onBytes(bytes);
  };
  const { scheduler, order } = options;
  await forEachScheduled(options.parts, { scheduler, order, signal: options.signal }, async (part, slot) => {
    const { partNumber } = part;
    try {
      const sent = await sendPart(options, part, slot.buffer(part.sizeBytes), signal, (bytes) => {
        inFlight.set(partNumber, bytes);
        show();
      });
      inFlight.delete(partNumber);
      options.onSent(sent);
      show();
    } catch (thrown) {
      ended.abort(failure('cancelled', 'Another part failed.'));
      throw thrown;
    }
  });
}

async function sendPart(
  options: SendOptions,
  part: PartRecord,
  into: SharedArrayBuffer | null,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<PartRecord> {
  for (let tries = 1; ; tries += 1) {
    try {
      await options.waits.passed(signal);
      return await trySend(options, part, into, signal, onBytes);
    } catch (thrown) {
      onBytes(0);
      const error = toAppError(thrown);
      if (signal.aborted) throw thrown;
      options.log(failedAttempt('upload-part', part.partNumber, error));
      // Sending a part twice does no harm.
      if (tries >= retryPolicies.part.maxTries || !mayRepeat(error, tries - 1)) throw thrown;
      const delayMs = backoffMs(retryPolicies.part, tries, options.random.fraction(), error.retryAfterMs);
      if (error.retryAfterMs === undefined) await options.clock.sleep(delayMs, signal);
      else await options.waits.wait(delayMs, error, signal);
    }
  }
}

/**
 * Hashes the part's range of the file and sends it with its MD5. The service checks the MD5, so the stored bytes are the hashed
 * bytes.
 */
async function trySend(
  options: SendOptions,
  part: PartRecord,
  into: SharedArrayBuffer | null,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<PartRecord> {
  const { file, ref } = options;
  await checkUnchanged(file);
  const source = plannedSource(file);
  const { offset, sizeBytes, partNumber } = part;
  const hash = await options.hasher.hash(
    { ...source, offset, sizeBytes, algorithm: options.algorithm, ...(into === null ? {} : { into }) },
    signal,
  );
  const bytes = into === null ? null : new Uint8Array(into, 0, sizeBytes);
  const body = sliceBody({
    file: source,
    offset,
    sizeBytes,
    bytes,
    limiters: options.limiters,
    signal,
    onBytes,
  });
  const response = await options.client.uploadPart(
    {
      bucket: ref.bucket,
      key: ref.key,
      uploadId: ref.uploadId,
      partNumber,
      body,
      contentMd5: Buffer.from(hash.md5, 'hex').toString('base64'),
      ...(options.algorithm === null ? {} : { checksums: hash.checksums }),
    },
    { signal, maxTries: 1 },
  );
  await checkUnchanged(file);
  const { etag, checksums } = response;
  const etagHidesMd5 = !options.etagsAreMd5 || response.etagHidesMd5 === true;
  const sent = sentBytes(options.client, { body, checksums: hash.checksums }, hash.md5);
  const proof = proofOfWrite(sent, { etag, checksums, etagHidesMd5 });
  if (proof.kind === 'damaged') throw partDamaged(proof.difference);
  const state = proof.kind === 'proved' ? 'sent' : 'accepted';
  return { ...part, state, md5: hash.md5, etag, checksums: { ...checksums, ...hash.checksums } };
}
