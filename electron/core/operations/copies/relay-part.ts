import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppFailure, toAppError } from '../../../../shared/errors.ts';
import {
  startChecksum,
  type ChecksumAlgorithm,
  type PartChecksums,
  type RunningChecksum,
} from '../../disk/checksums.ts';
import { retryPolicies } from '../../flow/retry-policies.ts';
import { hasLearned } from '../../s3/conditions/learned.ts';
import { sentBytes } from '../../s3/conditions/put-proved.ts';
import { lengthDiffers, partDamaged, proofOfWrite } from '../../s3/model/object-proof.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { logged } from '../../jobs/log-request.ts';
import { targetRef, type CopyContext } from './copy-context.ts';
import type { CopyPart } from '../../transfers/items/part-size.ts';
import type { SourceReader } from './source-reader.ts';

/**
 * Parts up to this size are held in memory, so that their MD5 and checksum can be sent before them for the service to check.
 * Those of larger parts are computed while they pass, and compared with what the service reports.
 */
export const maxBufferedPartBytes = 32 * 1024 * 1024;

export interface RelayedPart {
  readonly etag: string;
  /** The MD5 of the content that was read from the source. */
  readonly md5: string;
  /** The checksums of that content. */
  readonly checksums: PartChecksums;
  /** True if the target reported a checksum of this content. */
  readonly isProved: boolean;
}

/** A part to copy, with the checksum algorithm of its upload; null if it has none. */
export interface RelayTask extends CopyPart {
  readonly algorithm: ChecksumAlgorithm | null;
}

/**
 * Copies one part through this computer, either held in memory or, if it is large, streamed. `onBytes` gets a held part while it
 * is sent. Throws `AppError('damaged')` if the target stored other content, and the error of either service.
 */
export async function relayPart(
  context: CopyContext,
  item: CopyItem,
  reader: SourceReader,
  uploadId: string,
  part: RelayTask,
  onBytes: (bytes: Uint8Array) => Promise<void> = () => Promise.resolve(),
): Promise<RelayedPart> {
  const buffered = part.sizeBytes <= maxBufferedPartBytes ? await fetchPart(context, reader, part) : null;
  let sourceFailure: AppFailure | null = null;
  const algorithm = part.algorithm ?? context.target.checksums.algorithm;
  let passing = new PassingDigests(algorithm);
  const body = {
    sizeBytes: part.sizeBytes,
    open: () => {
      if (buffered !== null) return buffered;
      passing = new PassingDigests(algorithm);
      const chunks = rangeOf(context, reader, part, passing, (failed) => {
        sourceFailure = failed;
      });
      return Readable.from(chunks, { objectMode: false });
    },
  };
  const bufferedDigests = buffered === null ? null : digestsOf(buffered, algorithm);
  // A streamed part is sent before its digests are known. AWS refuses checksums in an upload that was created without one.
  const sentChecksums = bufferedDigests === null || part.algorithm === null ? {} : bufferedDigests.checksums;
  const contentMd5 =
    bufferedDigests === null
      ? {}
      : { contentMd5: Buffer.from(bufferedDigests.md5, 'hex').toString('base64') };
  let hashing: Promise<void> | null = null;
  const hashOnce = (bytes: Uint8Array): Promise<void> => (hashing ??= onBytes(bytes));
  const send = async (): Promise<RelayedPart> => {
    const sent = logged(
      context.log,
      'upload-part',
      () =>
        context.target.uploadPart(
          {
            ...targetRef(context, item),
            uploadId,
            partNumber: part.partNumber,
            body,
            ...contentMd5,
            checksums: sentChecksums,
          },
          { signal: context.signal },
        ),
      `part ${part.partNumber}`,
    );
    // Waits for both, so that neither continues after an error of the other.
    const [hashed] = await Promise.allSettled([buffered === null ? undefined : hashOnce(buffered), sent]);
    const response = await sent;
    if (hashed.status === 'rejected') throw hashed.reason;
    const { etag } = response;
    const { md5, checksums } = bufferedDigests ?? passing.digests();
    const isHidden =
      response.etagHidesMd5 === true || hasLearned(context.target, context.to.bucket, 'etags-are-no-md5');
    const sentContent = { ...sentBytes(context.target, { body, checksums: sentChecksums }, md5), checksums };
    const proof = proofOfWrite(sentContent, { etag, checksums: response.checksums, etagHidesMd5: isHidden });
    if (proof.kind === 'damaged') throw partDamaged(proof.difference);
    return { etag, md5, checksums, isProved: proof.kind === 'proved' };
  };
  for (let tries = 1; ; tries += 1) {
    sourceFailure = null;
    try {
      return await send();
    } catch (thrown) {
      // The source could not be read, so the error is not about the target.
      if (sourceFailure !== null) throw sourceFailure as AppFailure;
      const isDamage = toAppError(thrown).reason === 'content-damaged';
      if (!isDamage || tries >= retryPolicies.part.maxTries) throw thrown;
    }
  }
}

/**
 * Reads a part of the source again and returns its MD5 in hex. Throws AppError('conflict') if the source changed, and
 * AppError('damaged') if its length differs.
 */
export async function md5OfSourcePart(
  context: CopyContext,
  reader: SourceReader,
  part: CopyPart,
): Promise<string> {
  const digests = new PassingDigests(null);
  if (part.sizeBytes === 0) return digests.digests().md5;
  const chunks = rangeOf(context, reader, part, digests, () => undefined);
  while ((await chunks.next()).done !== true);
  return digests.digests().md5;
}

interface Digests {
  /** In hex. */
  readonly md5: string;
  readonly checksums: PartChecksums;
}

/** The MD5 and, if an algorithm is given, the checksum of content that passes in pieces. */
class PassingDigests {
  readonly #md5 = createHash('md5');
  readonly #algorithm: ChecksumAlgorithm | null;
  readonly #checksum: RunningChecksum | null;

  constructor(algorithm: ChecksumAlgorithm | null) {
    this.#algorithm = algorithm;
    this.#checksum = algorithm === null ? null : startChecksum(algorithm);
  }

  update(bytes: Uint8Array): void {
    this.#md5.update(bytes);
    this.#checksum?.update(bytes);
  }

  digests(): Digests {
    const md5 = this.#md5.digest('hex');
    if (this.#algorithm === null || this.#checksum === null) return { md5, checksums: {} };
    return { md5, checksums: { [this.#algorithm]: this.#checksum.digest() } };
  }
}

function digestsOf(bytes: Uint8Array, algorithm: ChecksumAlgorithm | null): Digests {
  const passing = new PassingDigests(algorithm);
  passing.update(bytes);
  return passing.digests();
}

async function fetchPart(context: CopyContext, reader: SourceReader, part: CopyPart): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(part.sizeBytes);
  if (part.sizeBytes === 0) return bytes;
  let filled = 0;
  for await (const chunk of rangeOf(context, reader, part, null, () => undefined)) {
    bytes.set(chunk, filled);
    filled += chunk.byteLength;
  }
  return bytes;
}

async function* rangeOf(
  context: CopyContext,
  reader: SourceReader,
  part: CopyPart,
  digests: PassingDigests | null,
  onFailure: (failed: AppFailure) => void,
): AsyncGenerator<Uint8Array> {
  let passed = 0;
  try {
    for await (const bytes of reader.read(part.range)) {
      passed += bytes.byteLength;
      if (passed > part.sizeBytes) break;
      await context.limiter.take(bytes.byteLength, context.signal);
      digests?.update(bytes);
      yield bytes;
    }
    if (passed !== part.sizeBytes) throw lengthDiffers(part.sizeBytes, passed);
  } catch (thrown) {
    if (thrown instanceof AppFailure) onFailure(thrown);
    throw thrown;
  }
}
