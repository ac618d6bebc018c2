import { Decompress } from 'fzstd';

// RFC 8878, sections 3.1.1 (frames), 3.1.1.2 (blocks) and 3.1.2 (skippable frames).
const magic = 0xfd2fb528;
const longestHeaderBytes = 18;
/** `zstd` itself refuses a larger window, unless it is told otherwise (--long). */
export const mostWindowBytes = 128 * 1024 * 1024;

/** Unpacks Zstandard, frame by frame. No frame gets a larger window than the limit: the decoder would take the memory at once. Ends soon after the other limit. */
export function zstdStream(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let rest = new Uint8Array(0);
  let decoder: Decompress | null = null;
  /** Bytes of the block, the checksum or the skippable frame that are still to come. */
  let toCome = 0;
  let isLast = false;
  let hasChecksum = false;
  let isSkipped = false;
  let cameBytes = 0;

  const step = (out: (bytes: Uint8Array) => void): boolean => {
    if (toCome > 0) {
      const part = rest.subarray(0, toCome);
      if (part.length === 0) return false;
      if (!isSkipped) decoder?.push(part);
      toCome -= part.length;
      rest = rest.subarray(part.length);
      if (toCome === 0 && (isLast || isSkipped)) endFrame();
      return true;
    }
    if (decoder === null) {
      const header = headerOf(rest);
      if (header === null) return false;
      if (header.kind === 'skippable') {
        isSkipped = true;
        toCome = header.sizeBytes;
        rest = rest.subarray(8);
        if (toCome === 0) endFrame();
        return true;
      }
      ({ hasChecksum } = header);
      decoder = new Decompress(out);
      decoder.push(rest.subarray(0, header.sizeBytes));
      rest = rest.subarray(header.sizeBytes);
      return true;
    }
    if (rest.length < 3) return false;
    const block = (rest[0] ?? 0) | ((rest[1] ?? 0) << 8) | ((rest[2] ?? 0) << 16);
    isLast = (block & 1) === 1;
    // A run-length block is one byte, however long it becomes.
    const isRun = ((block >> 1) & 3) === 1;
    decoder.push(rest.subarray(0, 3));
    rest = rest.subarray(3);
    toCome = (isRun ? 1 : block >> 3) + (isLast && hasChecksum ? 4 : 0);
    if (toCome === 0 && isLast) endFrame();
    return true;
  };
  const endFrame = (): void => {
    if (!isSkipped) decoder?.push(new Uint8Array(0), true);
    decoder = null;
    isSkipped = false;
    isLast = false;
    toCome = 0;
  };

  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      const joined = new Uint8Array(rest.length + chunk.length);
      joined.set(rest);
      joined.set(chunk, rest.length);
      rest = joined;
      const out = (bytes: Uint8Array): void => {
        // The decoder goes on using its window.
        if (bytes.length > 0) controller.enqueue(bytes.slice());
        cameBytes += bytes.length;
      };
      // oxlint-disable-next-line no-unmodified-loop-condition -- the decoder's output counts
      while (cameBytes <= mostBytes && step(out));
      if (cameBytes > mostBytes) controller.terminate();
    },
    flush: () => {
      if (decoder !== null || toCome > 0 || rest.length > 0)
        throw new Error('The file ends in the middle of a frame.');
    },
  });
}

type FrameHeader =
  | { readonly kind: 'frame'; readonly sizeBytes: number; readonly hasChecksum: boolean }
  | { readonly kind: 'skippable'; readonly sizeBytes: number };

/** null: not all of it is there yet. */
function headerOf(bytes: Uint8Array): FrameHeader | null {
  if (bytes.length < 8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = view.getUint32(0, true);
  if ((mark & 0xfffffff0) >>> 0 === 0x184d2a50)
    return { kind: 'skippable', sizeBytes: view.getUint32(4, true) };
  if (mark !== magic) throw new Error('This is no Zstandard frame.');
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
  if (windowBytes > mostWindowBytes) throw new Error('The window of a frame is too large.');
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
