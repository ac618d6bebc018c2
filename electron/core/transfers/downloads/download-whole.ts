import type { FileHandle } from 'node:fs/promises';
import { toAppError } from '../../../../shared/errors.ts';
import { lengthDiffers } from '../../s3/model/object-proof.ts';
import { strongEtag } from '../../s3/model/etag.ts';
import type { GetObjectOutput } from '../../s3/model/object-types.ts';
import {
  setFileAttributes,
  getObject,
  requireLength,
  secondsIn,
  verifiedBy,
  type ReceivedObject,
} from './download-requests.ts';
import { throwLocalFileFailure } from '../../disk/disk-failure.ts';
import { saveItem, type ItemContext } from '../items/item-context.ts';
import type { LocalSource } from '../../disk/fence.ts';
import { removeFile } from '../../disk/local-files.ts';
import { planPieces } from './fetch-pieces.ts';
import { receive } from './receive.ts';
import { Blocks } from '../items/blocks.ts';
import { encode } from '../items/piece-bits.ts';
import type { DownloadItem } from '../items/transfer-item.ts';
import { reportedPartSizes } from './reported-part-sizes.ts';
import { checksumOfFile, digestsOf, fitsEtag, judgeFile, judgeMd5 } from './verify-file.ts';

/** The maximum size in bytes of objects that are held in memory until complete and then written at once. */
export const smallBytes = 1024 * 1024;
const emptyMd5 = 'd41d8cd98f00b204e9800998ecf8427e';

async function getWhole(context: ItemContext, item: DownloadItem): Promise<GetObjectOutput> {
  const sizeBytes = item.unverified === null ? item.sizeBytes : null;
  // Without a listed ETag, any version of the object is accepted. One response cannot mix two objects.
  const expectedObject = { etag: item.etag, sizeBytes: null, lastModified: null };
  const reply = await getObject(
    context,
    item,
    { checksums: true, ...(sizeBytes === null ? {} : { sizeBytes }) },
    expectedObject,
  );
  requireLength(reply, item.etag === null ? null : sizeBytes);
  return reply;
}

/** Downloads a small object into memory. Throws `AppError('damaged')` if the body is not as long as the service announced. */
export async function fetchSmall(context: ItemContext, item: DownloadItem): Promise<ReceivedObject> {
  const reply = await getWhole(context, item);
  const chunks: Uint8Array[] = [];
  let receivedBytes = 0;
  await reply.read((chunk) => {
    chunks.push(chunk);
    receivedBytes += chunk.byteLength;
    // Without an ETag, the object may have been replaced by a large one.
    if (receivedBytes > smallBytes) throw lengthDiffers(item.sizeBytes ?? smallBytes, receivedBytes);
    if (context.deps.settings().bandwidthBytesPerSecond === null) return undefined;
    context.onBytes(receivedBytes);
    return context.limiter.take(chunk.byteLength, context.signal);
  });
  const [first = new Uint8Array(), ...others] = chunks;
  const bytes = others.length === 0 ? first : Buffer.concat(chunks, receivedBytes);
  const expected =
    reply.sizeBytes ?? (item.etag === null ? receivedBytes : (item.sizeBytes ?? receivedBytes));
  if (receivedBytes !== expected) throw lengthDiffers(expected, receivedBytes);
  const verified = verifiedBy(item, await judgeFile(reply, digestsOf(bytes)));
  return { sizeBytes: receivedBytes, etag: reply.etag, seconds: secondsIn(reply), verified, bytes };
}

/**
 * Downloads an object with one GET request and hashes it as it arrives. After a failure, the received bytes are kept as an
 * incomplete piece.
 */
export async function fetchWhole(
  context: ItemContext,
  item: DownloadItem,
  part: LocalSource,
): Promise<ReceivedObject> {
  const { deps, fileScheduler, signal } = context;
  const handle = await deps.files.openPart(part);
  let isKept = false;
  let writtenBytes = 0;
  try {
    await handle.truncate(0);
    const { answer, md5, sizeBytes } = await fileScheduler.run(item.seq, signal, () =>
      readWhole(context, item, handle, (bytes) => {
        writtenBytes = bytes;
      }),
    );
    const verdict = await judgeFile(answer, {
      etag: async (etag) =>
        judgeMd5(etag, () => md5) ??
        (await fitsEtag(
          deps.hasher,
          part,
          sizeBytes,
          etag,
          signal,
          reportedPartSizes(context, item, sizeBytes, etag),
        )),
      checksum: async (algorithm) => await checksumOfFile(deps.hasher, part, sizeBytes, algorithm, signal),
    });
    const verified = verifiedBy(item, verdict);
    await setFileAttributes(part.path, handle, answer);
    isKept = true;
    return { sizeBytes, etag: answer.etag, seconds: secondsIn(answer), verified, bytes: null };
  } catch (thrown) {
    isKept = await saveReachedBytes(context, item, handle, writtenBytes, thrown);
    throw thrown;
  } finally {
    await handle.close();
    if (!isKept) await removeFile(part.path);
  }
}

/** Stores the number of bytes on disk. Returns true if the next attempt can resume from there. */
async function saveReachedBytes(
  context: ItemContext,
  item: DownloadItem,
  handle: FileHandle,
  writtenBytes: number,
  thrown: unknown,
): Promise<boolean> {
  const { code, retry } = toAppError(thrown);
  const { etag, sizeBytes } = item;
  if (writtenBytes === 0 || sizeBytes === null || strongEtag(etag) === null || etag === null) return false;
  if (context.signal.aborted || retry !== 'backoff' || code === 'damaged' || code === 'conflict')
    return false;
  if (item.unverified !== null || sizeBytes > context.deps.pieceBytes) return false;
  await handle.datasync().catch(throwLocalFileFailure);
  const pieces = planPieces({ etag, sizeBytes, lastModified: item.modifiedAt }, context.deps.pieceBytes, 0);
  const progress =
    writtenBytes === sizeBytes ? { present: encode(Uint8Array.of(1)) } : { reached: { 0: writtenBytes } };
  saveItem(context, { ...item, tries: 0, pieces: { ...pieces, ...progress } });
  return true;
}

async function readWhole(
  context: ItemContext,
  item: DownloadItem,
  handle: FileHandle,
  onWritten: (bytes: number) => void,
): Promise<{ readonly answer: GetObjectOutput; readonly md5: string; readonly sizeBytes: number }> {
  const reply = await getWhole(context, item);
  const { deps, onBytes } = context;
  const expected = reply.sizeBytes ?? (item.unverified === null ? item.sizeBytes : null);
  let sizeBytes = 0;
  const blocks = new Blocks(1, expected ?? Infinity);
  const md5s = await receive(context, reply, {
    sink: deps.files.openPiece(deps.hasher, { fd: handle.fd, partBytes: Number.MAX_SAFE_INTEGER }),
    blocks,
    position: 0,
    sizeBytes: expected,
    onBytes,
    onWritten: (bytes) => {
      sizeBytes = bytes;
      onWritten(bytes);
    },
  }).finally(() => blocks.free());
  return { answer: reply, md5: md5s[0] ?? emptyMd5, sizeBytes };
}
