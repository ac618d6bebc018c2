import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppFailure } from '../../../../shared/errors.ts';
import { damageFailure, lengthDiffers } from '../../s3/model/damage.ts';
import type { CopyItem } from '../../transfers/items/transfer-job.ts';
import { md5InEtag } from '../../s3/model/multipart-etag.ts';
import { logged } from '../../jobs/log-request.ts';
import { targetRef, type CopyContext } from './copy-context.ts';
import type { CopyPart } from './part-plan.ts';
import type { SourceReader } from './source-reader.ts';

/** Up to here a part is held in memory, so that its MD5 goes before it and the service checks it. */
export const heldPartBytes = 32 * 1024 * 1024;

export interface RelayedPart {
  readonly etag: string;
  /** Of the bytes that came from the source. */
  readonly md5: string;
}

/**
 * One part from one service to another: only so much of it is in memory, however large the object is. `onBytes` is given a
 * part that is held in memory as a whole, while it is sent.
 */
export async function relayPart(
  context: CopyContext,
  item: CopyItem,
  reader: SourceReader,
  uploadId: string,
  part: CopyPart,
  onBytes: (bytes: Uint8Array) => Promise<void> = () => Promise.resolve(),
): Promise<RelayedPart> {
  const buffered = part.sizeBytes <= heldPartBytes ? await fetchPart(context, reader, part) : null;
  let sourceFailure: AppFailure | null = null;
  let passing: Hash = createHash('md5');
  const body = {
    sizeBytes: part.sizeBytes,
    open: () => {
      if (buffered !== null) return buffered;
      passing = createHash('md5');
      const chunks = rangeOf(context, reader, part, passing, (failed) => {
        sourceFailure = failed;
      });
      return Readable.from(chunks, { objectMode: false });
    },
  };
  const bufferedMd5 = buffered === null ? null : createHash('md5').update(buffered).digest();
  const contentMd5 = bufferedMd5 === null ? {} : { contentMd5: bufferedMd5.toString('base64') };
  try {
    const sent = logged(
      context.log,
      'upload-part',
      () =>
        context.target.uploadPart(
          { ...targetRef(context, item), uploadId, partNumber: part.partNumber, body, ...contentMd5 },
          { signal: context.signal },
        ),
      () => `part ${part.partNumber}`,
    );
    // Nothing of this part is under way any more when it fails.
    const [hashed] = await Promise.allSettled([buffered === null ? undefined : onBytes(buffered), sent]);
    const { etag, etagHidesMd5 } = await sent;
    if (hashed.status === 'rejected') throw hashed.reason;
    // An object that the target encrypts with a key has no MD5 to compare; its length was compared.
    const stored = etagHidesMd5 ? null : md5InEtag(etag);
    const md5 = bufferedMd5?.toString('hex') ?? passing.digest('hex');
    if (buffered === null && stored !== null && stored !== md5)
      throw damageFailure({ what: 'md5', expected: md5, got: stored });
    return { etag, md5 };
  } catch (thrown) {
    // Reading failed, not sending.
    throw sourceFailure ?? thrown;
  }
}

/** The MD5 of a part of the source as it is read now, in hex. Nothing is sent, and nothing is kept. */
export async function md5OfSourcePart(
  context: CopyContext,
  reader: SourceReader,
  part: CopyPart,
): Promise<string> {
  const md5 = createHash('md5');
  if (part.sizeBytes === 0) return md5.digest('hex');
  const chunks = rangeOf(context, reader, part, md5, () => undefined);
  while ((await chunks.next()).done !== true);
  return md5.digest('hex');
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
  md5: Hash | null,
  onFailure: (failed: AppFailure) => void,
): AsyncGenerator<Uint8Array> {
  let passed = 0;
  try {
    for await (const bytes of reader.read(part.range)) {
      passed += bytes.byteLength;
      if (passed > part.sizeBytes) break;
      await context.limiter.take(bytes.byteLength, context.signal);
      md5?.update(bytes);
      yield bytes;
    }
    if (passed !== part.sizeBytes) throw lengthDiffers(part.sizeBytes, passed);
  } catch (thrown) {
    if (thrown instanceof AppFailure) onFailure(thrown);
    throw thrown;
  }
}
