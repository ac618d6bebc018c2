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
import { checkUnchanged, fileChanged, plannedSource, type JobFile } from '../../disk/local-file.ts';
import { sliceBody } from '../../disk/slice-body.ts';
import { failedAttempt } from '../../jobs/log-request.ts';
import { HashesAhead } from './hashes-ahead.ts';
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
  const { scheduler, order, file, algorithm } = options;
  const source = plannedSource(file);
  const hashes = new HashesAhead({
    parts: options.parts,
    // Only slices that need no other checksum are hashed side by side.
    isAhead: algorithm === null,
    hash: async ({ offset, sizeBytes }) =>
      await options.hasher.hash({ ...source, offset, sizeBytes, algorithm }, signal),
  });
  await forEachScheduled(options.parts, { scheduler, order, signal: options.signal }, async (part) => {
    const { partNumber } = part;
    try {
      const sent = await sendPart(options, part, hashes, signal, (bytes) => {
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
  hashes: HashesAhead<PartRecord>,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<PartRecord> {
  for (let tries = 1; ; tries += 1) {
    try {
      await options.waits.passed(signal);
      return await trySend(options, part, hashes, signal, onBytes);
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
 * Sends the part's range of the file with the MD5 of its bytes, which were hashed before. The service checks the MD5, so the stored
 * bytes are the hashed bytes. A change of the file between the two reads is also noticed by its properties.
 */
async function trySend(
  options: SendOptions,
  part: PartRecord,
  hashes: HashesAhead<PartRecord>,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<PartRecord> {
  const { file, ref } = options;
  const { offset, sizeBytes, partNumber } = part;
  const hash = await hashes.of(part);
  await checkUnchanged(file);
  const body = sliceBody({
    file: plannedSource(file),
    offset,
    sizeBytes,
    bytes: null,
    limiters: options.limiters,
    signal,
    onBytes,
  });
  const response = await options.client.uploadPart(
    {
      ...ref,
      partNumber,
      body,
      contentMd5: Buffer.from(hash.md5, 'hex').toString('base64'),
      ...(options.algorithm === null ? {} : { checksums: hash.checksums }),
    },
    { signal, maxTries: 1 },
  );
  body.free();
  await checkUnchanged(file);
  const { etag, checksums } = response;
  const etagHidesMd5 = !options.etagsAreMd5 || response.etagHidesMd5 === true;
  const sent = sentBytes(options.client, { body, checksums: hash.checksums }, hash.md5);
  const proof = proofOfWrite(sent, { etag, checksums, etagHidesMd5 });
  if (proof.kind === 'damaged') throw partDamaged(proof.difference);
  // The service proved nothing about the stored bytes, so at least the file must still have the hashed ones.
  if (proof.kind !== 'proved' && (await hashes.again(part)).md5 !== hash.md5) throw fileChanged();
  const state = proof.kind === 'proved' ? 'sent' : 'accepted';
  return { ...part, state, md5: hash.md5, etag, checksums: { ...checksums, ...hash.checksums } };
}
