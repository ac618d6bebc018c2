import { toAppError, type ErrorCode } from '../../../../shared/errors.ts';
import { etagHidesMd5 } from '../../s3/model/etag.ts';
import { checkNow, isCarried, type Requirement } from '../../s3/conditions/conditional.ts';
import { hasLearned, learn } from '../../s3/conditions/learned.ts';
import { isResponseOf } from '../../s3/model/object-proof.ts';
import type { ObjectHead } from '../../s3/model/object-types.ts';
import { logged } from '../../jobs/log-request.ts';
import { loggedHead } from '../../multipart/outcome/look.ts';
import { isLastDamage, type DownloadItem } from '../items/transfer-item.ts';
import { setFileAttributes, headSource, secondsIn, verifiedBy, type Fetched } from './download-requests.ts';
import { fetchWhole } from './download-whole.ts';
import { objectOf, saveItem, type ItemContext } from '../items/item-context.ts';
import type { LocalSource } from '../../disk/fence.ts';
import { lstatOrNull, removeFile } from '../../disk/local-files.ts';
import { PartHashes } from './part-hashes.ts';
import { arePiecesOf, fetchPieces, planPieces, expectedObjectOf } from './fetch-pieces.ts';
import { reportedPartSizes } from './reported-part-sizes.ts';
import { checksumOfFile, judgeFile } from './verify-file.ts';

/**
 * Errors of HEAD after which a GET may still succeed. After the first set, GET is tried at once; after the second, only on a
 * retry.
 */
const withoutHead: ReadonlySet<ErrorCode> = new Set(['access-denied', 'unsupported']);
const withoutHeadLater: ReadonlySet<ErrorCode> = new Set(['protocol', 'server']);

/** Downloads an object in pieces, several in parallel. Uses a single request if the service does not allow pieces. */
export async function fetchLarge(
  context: ItemContext,
  item: DownloadItem,
  part: LocalSource,
): Promise<Fetched> {
  const head = await headIfPossible(context, item);
  if (head === null) return await fetchInOneRequest(context, item, part);
  const { etag, sizeBytes } = head;
  const known = { ...item, sizeBytes, etag };
  const hasUsablePieces = item.pieces !== null && arePiecesOf(item.pieces, head);
  const isSmall = sizeBytes <= context.deps.pieceBytes && !hasUsablePieces;
  if (etag === null || isSmall || hasLearned(context.client, context.job.bucket, 'ignores-ranges'))
    return await fetchInOneRequest(context, known, part);
  try {
    return await inPieces(
      context,
      { ...known, pieces: hasUsablePieces ? item.pieces : null },
      head,
      etag,
      part,
    );
  } catch (thrown) {
    if (toAppError(thrown).reason !== 'range-ignored') throw thrown;
    learn(context.client, context.job.bucket, 'ignores-ranges');
    return await fetchInOneRequest(context, known, part);
  }
}

/** Returns the response to HEAD; null if HEAD is not possible. A GET of the whole object works without it. */
async function headIfPossible(context: ItemContext, item: DownloadItem): Promise<ObjectHead | null> {
  try {
    return await logged(context.log, 'head-object', () => headSource(context, item), item.key);
  } catch (thrown) {
    const { code } = toAppError(thrown);
    // A GET of the whole object would discard stored pieces, so it is only tried if there are none.
    const isLate = item.tries > 0 && item.pieces === null;
    if (withoutHead.has(code) || (isLate && withoutHeadLater.has(code))) return null;
    throw thrown;
  }
}

/** Downloads the object from its start by a single request. */
async function fetchInOneRequest(
  context: ItemContext,
  known: DownloadItem,
  part: LocalSource,
): Promise<Fetched> {
  const item = { ...known, pieces: null };
  if (known.pieces !== null) saveItem(context, item);
  return { item, received: await fetchWhole(context, item, part) };
}

async function inPieces(
  context: ItemContext,
  item: DownloadItem,
  head: ObjectHead,
  etag: string,
  part: LocalSource,
): Promise<Fetched> {
  const { signal, deps } = context;
  const { sizeBytes } = head;
  const partStats = item.pieces === null ? null : await lstatOrNull(part.path);
  const hashes = etagHidesMd5(head.headers)
    ? null
    : new PartHashes(deps.hasher, part, sizeBytes, etag, signal);
  const pieces =
    item.pieces !== null && partStats !== null
      ? item.pieces
      : planPieces({ ...head, etag }, deps.pieceBytes, hashes?.partBytes ?? 0);
  const begun = saveItem(context, { ...item, pieces });
  const handle = await deps.files.openPart(part);
  try {
    const fetched = await fetchPieces(context, begun, pieces, handle, hashes);
    await checkIsSameObject(context, begun, pieces);
    await handle.truncate(sizeBytes);
    const byEtag =
      hashes?.verdict(reportedPartSizes(context, item, sizeBytes, etag)) ?? Promise.resolve(null);
    const [verdict] = await Promise.all([
      judgeFile(head, {
        etag: async () => await byEtag,
        checksum: async (algorithm) => await checksumOfFile(deps.hasher, part, sizeBytes, algorithm, signal),
      }),
      setFileAttributes(part.path, handle, head),
    ]);
    const isDamaged = verdict !== null && verdict !== true && item.unverified === null;
    // After the last attempt, the damaged file is kept, because the user may still want it.
    if (isDamaged && !isLastDamage(item)) {
      saveItem(context, { ...fetched, pieces: null });
      await removeFile(part.path);
    }
    const verified = verifiedBy(item, verdict);
    return { item: fetched, received: { sizeBytes, etag, seconds: secondsIn(head), verified, bytes: null } };
  } finally {
    await handle.close();
  }
}

/** After the last piece, checks that the object did not change. Skipped if every request carried If-Match. */
async function checkIsSameObject(
  context: ItemContext,
  item: DownloadItem,
  pieces: NonNullable<DownloadItem['pieces']>,
): Promise<void> {
  const { client, signal, log } = context;
  const ref = objectOf(context.job, item);
  const expectedObject = expectedObjectOf(pieces);
  const required: Requirement = {
    client,
    ref,
    operation: 'get',
    expected: { kind: 'object', etag: expectedObject.etag, is: (now) => isResponseOf(expectedObject, now) },
    look: () => loggedHead(log, client, ref, signal),
  };
  if (!isCarried(required)) await checkNow(required);
}
