import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppFailure } from '../../../shared/errors.ts';
import { damaged, lengthDiffers } from '../s3/damage.ts';
import { getExactly } from '../s3/conditional.ts';
import type { ObjectHead } from '../s3/types.ts';
import type { Item } from '../transfers/transfer-job.ts';
import { md5InEtag } from '../uploads/etag.ts';
import { logged } from '../uploads/look.ts';
import { sourceRef, targetRef, type CopyContext } from './copy-context.ts';
import type { CopyPart } from './part-plan.ts';

/** Up to here a part is held in memory, so that its MD5 goes before it and the service checks it. */
const bufferedBytes = 32 * 1024 * 1024;

/** One part from one service to another: only so much of it is in memory, however large the object is. */
export async function relayPart(
  context: CopyContext,
  item: Item,
  source: ObjectHead,
  uploadId: string,
  part: CopyPart,
): Promise<string> {
  const buffered = part.sizeBytes <= bufferedBytes ? await fetchPart(context, item, source, part) : null;
  let sourceFailure: AppFailure | null = null;
  let passing: Hash = createHash('md5');
  const body = {
    sizeBytes: part.sizeBytes,
    open: () => {
      if (buffered !== null) return buffered;
      passing = createHash('md5');
      const chunks = rangeOf(context, item, source, part, passing, (failed) => {
        sourceFailure = failed;
      });
      return Readable.from(chunks, { objectMode: false });
    },
  };
  const contentMd5 =
    buffered === null ? {} : { contentMd5: createHash('md5').update(buffered).digest('base64') };
  try {
    const { etag, etagHidesMd5 } = await logged(
      context.log,
      'upload-part',
      () =>
        context.target.uploadPart(
          { ...targetRef(context, item), uploadId, partNumber: part.partNumber, body, ...contentMd5 },
          { signal: context.signal },
        ),
      () => `part ${part.partNumber}`,
    );
    // What the target encrypts with a key has no MD5 to compare; the length was.
    const stored = etagHidesMd5 ? null : md5InEtag(etag);
    if (buffered === null && stored !== null) {
      const expected = passing.digest('hex');
      if (stored !== expected) throw damaged({ what: 'md5', expected, got: stored });
    }
    return etag;
  } catch (thrown) {
    // What broke was the reading, not the sending.
    throw sourceFailure ?? thrown;
  }
}

async function fetchPart(
  context: CopyContext,
  item: Item,
  source: ObjectHead,
  part: CopyPart,
): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(part.sizeBytes);
  if (part.sizeBytes === 0) return bytes;
  let filled = 0;
  for await (const chunk of rangeOf(context, item, source, part, null, () => undefined)) {
    bytes.set(chunk, filled);
    filled += chunk.byteLength;
  }
  return bytes;
}

async function* rangeOf(
  context: CopyContext,
  item: Item,
  source: ObjectHead,
  part: CopyPart,
  md5: Hash | null,
  onFailure: (failed: AppFailure) => void,
): AsyncGenerator<Uint8Array> {
  let passed = 0;
  try {
    const { body } = await getExactly(
      context.client,
      { ...sourceRef(context, item), range: part.range },
      source,
      { signal: context.signal },
    );
    for await (const chunk of body) {
      const bytes: Uint8Array = chunk;
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
