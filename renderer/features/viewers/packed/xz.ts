import { XzReadableStream } from 'xz-decompress';
import { chunksOf, crc32, joinedBytes, viewOf } from '../frame/bytes.ts';
import type { RangeSource } from '../frame/range-source.ts';
import { type Remark, UnknownCompression, type Unpacked } from './unpacker.ts';

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
    try {
      // Leaving the loop cancels the rest, which could have any size.
      for await (const value of chunksOf(new XzReadableStream(feed.pieces))) {
        const piece = value.subarray(0, maxBytes - size);
        pieces.push(piece);
        size += piece.length;
        isCut = piece.length < value.length;
        if (isCut) break;
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

/** One of the concatenated streams in a file. */
interface XzStream {
  readonly start: number;
  readonly end: number;
  /** The offsets of each block's checksum and end. Empty if they are unknown. */
  readonly blocks: readonly XzBlock[];
}

interface XzBlock {
  readonly checkAt: number;
  readonly end: number;
}

const headerBytes = 12;
const footerBytes = 12;
/** Sizes of checksums by the check id in a stream's flags (section 2.1.1.2). */
const checkSizes = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];
/** Number of bytes at the end in which the last footer is searched for. */
const tailBytes = 64 * 1024;
const maxStreams = 1000;
const maxIndexBytes = 16 * 1024 * 1024;

/**
 * Finds the streams of a file from its end, where each has an index of its blocks and a footer. Returns null if the streams do
 * not cover the file from its beginning. Source: The .xz File Format 1.2.1, sections 2.1, 2.2 and 4.
 */
async function xzStreams(source: RangeSource, signal: AbortSignal) {
  const streams: XzStream[] = [];
  /** True if bytes other than zeros follow the last stream. */
  let hasTrailing = false;
  let end = source.sizeBytes;
  while (end > 0) {
    const tailAt = Math.max(0, end - tailBytes);
    const tail = await source.read(tailAt, end - tailAt, signal);
    const footerAt = lastFooter(tail, tailAt);
    if (footerAt === null || streams.length >= maxStreams) return null;
    if (tail.subarray(footerAt - tailAt + footerBytes).some((byte) => byte !== 0)) {
      // Bytes between streams that are not padding mean that a stream is damaged.
      if (streams.length > 0) return null;
      hasTrailing = true;
    }
    const footer = new DataView(tail.buffer, tail.byteOffset + footerAt - tailAt, footerBytes);
    const indexBytes = (footer.getUint32(4, true) + 1) * 4;
    const indexAt = footerAt - indexBytes;
    if (indexAt < headerBytes || indexBytes > maxIndexBytes) return null;
    const sizes = blockSizes(await source.read(indexAt, indexBytes, signal));
    if (sizes === null) return null;
    const start = indexAt - headerBytes - sizes.reduce((sum, size) => sum + size, 0);
    if (start < 0) return null;
    const checkBytes = checkSizes[footer.getUint8(9)] ?? 0;
    let blockEnd = start + headerBytes;
    const blocks = sizes.map((size) => {
      blockEnd += size;
      return { checkAt: blockEnd - checkBytes, end: blockEnd };
    });
    streams.unshift({ start, end: footerAt + footerBytes, blocks });
    end = start;
  }
  return { streams, hasTrailing };
}

/** Returns the offset of the last footer in these bytes. Streams and their padding have a multiple of four bytes. */
function lastFooter(bytes: Uint8Array, bytesAt: number): number | null {
  const fileEnd = bytesAt + bytes.length;
  for (let at = fileEnd - (fileEnd % 4) - footerBytes; at >= bytesAt; at -= 4) {
    const footer = bytes.subarray(at - bytesAt, at - bytesAt + footerBytes);
    if (footer[10] !== 0x59 || footer[11] !== 0x5a) continue;
    const view = viewOf(footer);
    if (view.getUint32(0, true) === crc32(footer.subarray(4, 10))) return at;
  }
  return null;
}

/** Reads the padded sizes of blocks from an index, or returns null if the index is damaged. */
function blockSizes(index: Uint8Array): readonly number[] | null {
  let at = 1;
  /** Reads a variable-length integer (section 1.2). */
  const number = (): number => {
    let value = 0;
    for (let power = 1; at < index.length; power *= 128) {
      const byte = index[at] ?? 0;
      at += 1;
      value += (byte & 127) * power;
      if (byte < 128) return value;
    }
    return Number.NaN;
  };
  const count = number();
  if (index[0] !== 0 || !Number.isSafeInteger(count)) return null;
  const sizes: number[] = [];
  for (let record = 0; record < count; record += 1) {
    const storedBytes = number();
    const decompressedBytes = number();
    if (!Number.isSafeInteger(storedBytes) || !Number.isSafeInteger(decompressedBytes)) return null;
    sizes.push(Math.ceil(storedBytes / 4) * 4);
  }
  return sizes;
}
