import { XzReadableStream } from 'xz-decompress';
import { joinedBytes } from '../frame/bytes.ts';
import type { RangeSource } from '../frame/range-source.ts';
import { UnknownCompression, type Remark, type Unpacked } from './unpacker.ts';
import { xzStreams, type XzStream } from './xz-streams.ts';

/** Result codes of xz-embedded (linux/xz.h), as they appear in the decoder's error messages. */
const foreignCode = '5';
const unknownCode = '6';
const damagedCode = '7';
const noMoreInputCode = '8';

const readBytes = 256 * 1024;
/** Bytes given to the decoder per call. If it fails, the output of the last piece is lost. */
const pieceBytes = 4 * 1024;

/**
 * Decompresses the streams of an xz file up to a limit. Throws if nothing can be decompressed, UnknownCompression if a stream has
 * filters other than LZMA2 or SHA-256 checksums, which the decoder does not support.
 */
export async function unpackXz(
  source: RangeSource,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Unpacked> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let remark: Remark | null = null;
  let isCut = false;
  const found = await xzStreams(source, signal);
  const streams = found?.streams ?? [{ start: 0, end: source.sizeBytes, blocks: [] }];
  for (const stream of streams) {
    const feed = feedOf(source, stream, signal);
    const reader = new XzReadableStream(feed.pieces).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const piece = value.subarray(0, maxBytes - size);
        pieces.push(piece);
        size += piece.length;
        if (piece.length < value.length) {
          isCut = true;
          // The rest could have any size.
          await reader.cancel();
          break;
        }
      }
    } catch (thrown) {
      signal.throwIfAborted();
      if (size === 0) throw codeOf(thrown) === unknownCode ? new UnknownCompression() : thrown;
      remark = remarkOf(thrown, feed.isAtChecksum());
    }
    if (isCut || remark !== null) break;
  }
  // With unknown streams, the first stream was intact but bytes follow it.
  if (!isCut && found?.hasTrailing !== false) remark ??= 'trailing';
  return { bytes: joinedBytes(pieces), isCut, remark };
}

/**
 * Streams the bytes in pieces, with each checksum as a separate piece. This keeps the content before a wrong checksum, and tells
 * it from damaged content, for which the decoder has the same error code.
 */
function feedOf(source: RangeSource, { start, end, blocks }: XzStream, signal: AbortSignal) {
  const cuts = blocks.flatMap((block) => [block.checkAt, block.end]).values();
  let cut = start;
  let at = start;
  let pieceAt = start;
  let read = new Uint8Array();
  const checks = new Set(blocks.map(({ checkAt }) => checkAt));
  const pieces = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (read.length === 0 && at < end)
          read = await source.read(at, Math.min(readBytes, end - at), signal);
        while (cut <= at) cut = cuts.next().value ?? Infinity;
        const piece = read.subarray(0, Math.min(pieceBytes, cut - at));
        read = read.subarray(piece.length);
        pieceAt = at;
        at += piece.length;
        if (piece.length > 0) controller.enqueue(piece);
        else controller.close();
      },
    },
    // Queues nothing, so that the decoder pulls a piece only after it has consumed the previous piece.
    { highWaterMark: 0 },
  );
  return { pieces, isAtChecksum: () => checks.has(pieceAt) };
}

function remarkOf(thrown: unknown, isAtChecksum: boolean): Remark {
  const code = codeOf(thrown);
  if (code === undefined || code === noMoreInputCode) return 'ends-early';
  if (code === foreignCode) return 'trailing';
  return code === damagedCode && isAtChecksum ? 'checksum' : 'damaged';
}

function codeOf(thrown: unknown): string | undefined {
  return /error code (?<code>\d+)$/.exec(String(thrown))?.groups?.['code'];
}
