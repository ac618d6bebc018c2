/** The maximum number of boxes per level. Only malicious files have more. */
export const maxBoxes = 4096;

export interface Box {
  readonly kind: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Yields consecutive boxes of a HEIC or AVIF (ISO/IEC 14496-12, section 4.2). Yields a truncated box with the bytes it has. */
export function* boxesIn(bytes: Uint8Array<ArrayBuffer>): Generator<Box, void> {
  const view = viewOf(bytes);
  let at = 0;
  for (let box = 0; box < maxBoxes && at + 8 <= bytes.length; box += 1) {
    const short = view.getUint32(at);
    const head = short === 1 ? 16 : 8;
    const length = short === 1 ? Number(view.getBigUint64(at + 8)) : short === 0 ? bytes.length - at : short;
    if (length < head) return;
    yield { kind: textAt(bytes, at + 4), content: bytes.subarray(at + head, at + length) };
    at += length;
  }
}

/** Returns the content of the first box of a kind. */
export function boxIn(bytes: Uint8Array<ArrayBuffer>, kind: string): Uint8Array<ArrayBuffer> | null {
  for (const box of boxesIn(bytes)) if (box.kind === kind) return box.content;
  return null;
}

export function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

export function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView<ArrayBuffer> {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
