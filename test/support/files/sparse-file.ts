/** A large file described by its pieces, with zeros between them. */
export interface SparseFile {
  readonly sizeBytes: number;
  readonly pieces: readonly { readonly at: number; readonly bytes: Uint8Array }[];
}

export function readSparse(file: SparseFile, offset: number, length: number): Buffer {
  const end = Math.min(offset + length, file.sizeBytes);
  const out = Buffer.alloc(Math.max(0, end - offset));
  for (const { at, bytes } of file.pieces) {
    const from = Math.max(at, offset);
    const to = Math.min(at + bytes.length, end);
    if (from < to) out.set(bytes.subarray(from - at, to - at), from - offset);
  }
  return out;
}
