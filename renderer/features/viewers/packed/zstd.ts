import { Decompress } from 'fzstd';
import { viewOf } from '../frame/bytes.ts';
import type { ByteSink, Remark, Unpacker } from './unpacker.ts';
import { createXxh64, type Xxh64 } from './xxh64.ts';

// RFC 8878, sections 3.1.1 (frames), 3.1.1.2 (blocks) and 3.1.2 (skippable frames).
const magic = 0xfd2fb528;
const longestHeaderBytes = 18;
const checksumBytes = 4;
/** Limit of a frame's window. The `zstd` command also refuses larger windows, unless called with `--long`. */
export const maxWindowBytes = 128 * 1024 * 1024;

/**
 * Decompresses Zstandard frame by frame, and verifies the checksum of each frame that has one. Rejects frames with a window above
 * the limit, which the decoder would allocate at once.
 */
export function zstdUnpacker(out: ByteSink): Unpacker {
  let rest = new Uint8Array(0);
  let decoder: Decompress | null = null;
  /** Null if the frame has no checksum. */
  let hash: Xxh64 | null = null;
  /** The number of bytes of the block or the skippable frame that have not arrived yet. */
  let toCome = 0;
  let isLast = false;
  let isSkipped = false;
  let frames = 0;

  const emit = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    hash?.update(bytes);
    // Copies the bytes, since the decoder reuses its window.
    out(bytes.slice());
  };
  const endFrame = (): Remark | null => {
    const expected = hash === null ? null : viewOf(rest).getUint32(0, true);
    if (hash !== null) {
      // fzstd does not verify the checksum, but may return the last bytes only after reading the checksum.
      decoder?.push(rest.subarray(0, checksumBytes));
      rest = rest.subarray(checksumBytes);
    }
    if (!isSkipped) decoder?.push(new Uint8Array(0), true);
    const found = hash?.low32() ?? null;
    decoder = null;
    hash = null;
    // A skippable frame does not prove Zstandard, since other formats such as LZ4 have such frames too.
    if (!isSkipped) frames += 1;
    isSkipped = false;
    isLast = false;
    return expected === found ? null : 'checksum';
  };
  /** Processes the next part. Returns false if more bytes are needed. */
  const step = (): boolean | Remark => {
    if (toCome > 0) {
      const part = rest.subarray(0, toCome);
      if (part.length === 0) return false;
      if (!isSkipped) decoder?.push(part);
      toCome -= part.length;
      rest = rest.subarray(part.length);
      return true;
    }
    if (isSkipped || isLast) {
      if (hash !== null && rest.length < checksumBytes) return false;
      return endFrame() ?? true;
    }
    if (decoder === null) {
      const header = headerOf(rest);
      if (header === 'foreign') {
        if (frames > 0) return 'trailing';
        throw new Error('This is no Zstandard frame.');
      }
      if (header === null) return false;
      if (header.kind === 'skippable') {
        isSkipped = true;
        toCome = header.sizeBytes;
        rest = rest.subarray(8);
        return true;
      }
      hash = header.hasChecksum ? createXxh64() : null;
      decoder = new Decompress(emit);
      decoder.push(rest.subarray(0, header.sizeBytes));
      rest = rest.subarray(header.sizeBytes);
      return true;
    }
    if (rest.length < 3) return false;
    const block = (rest[0] ?? 0) | ((rest[1] ?? 0) << 8) | ((rest[2] ?? 0) << 16);
    isLast = (block & 1) === 1;
    // A run-length block has one byte, which is repeated on decompression.
    const isRun = ((block >> 1) & 3) === 1;
    decoder.push(rest.subarray(0, 3));
    rest = rest.subarray(3);
    toCome = isRun ? 1 : block >> 3;
    return true;
  };

  return {
    push: (bytes) => {
      const joined = new Uint8Array(rest.length + bytes.length);
      joined.set(rest);
      joined.set(bytes, rest.length);
      rest = joined;
      for (;;) {
        const stepped = step();
        if (stepped === false) return null;
        if (stepped !== true) return stepped;
      }
    },
    end: () => {
      if (decoder !== null || toCome > 0) return 'ends-early';
      return rest.length > 0 ? 'trailing' : null;
    },
  };
}

type FrameHeader =
  | { readonly kind: 'frame'; readonly sizeBytes: number; readonly hasChecksum: boolean }
  | { readonly kind: 'skippable'; readonly sizeBytes: number };

/** Reads a frame header. Returns null if the header is incomplete. */
function headerOf(bytes: Uint8Array): FrameHeader | 'foreign' | null {
  if (bytes.length < 8) return null;
  const view = viewOf(bytes);
  const mark = view.getUint32(0, true);
  if ((mark & 0xfffffff0) >>> 0 === 0x184d2a50)
    return { kind: 'skippable', sizeBytes: view.getUint32(4, true) };
  if (mark !== magic) return 'foreign';
  const flags = view.getUint8(4);
  const isSingle = (flags & 0x20) !== 0;
  const idBytes = [0, 1, 2, 4][flags & 3] ?? 0;
  const contentFlag = flags >> 6;
  const contentBytes = contentFlag === 0 ? (isSingle ? 1 : 0) : 1 << contentFlag;
  const sizeBytes = 5 + (isSingle ? 0 : 1) + idBytes + contentBytes;
  if (bytes.length < Math.min(sizeBytes, longestHeaderBytes)) return null;
  const windowBytes = isSingle
    ? contentSize(view, sizeBytes - contentBytes, contentBytes)
    : windowSize(view.getUint8(5));
  if (windowBytes > maxWindowBytes) throw new Error('The window of a frame is too large.');
  return { kind: 'frame', sizeBytes, hasChecksum: (flags & 4) !== 0 };
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function contentSize(view: DataView, at: number, length: number): number {
  if (length === 1) return view.getUint8(at);
  if (length === 2) return view.getUint16(at, true) + 256;
  return length === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}
