import { createHash } from 'node:crypto';

const mark = Buffer.from('cooper-thumbnail-1\n');
const sumBytes = 32;

/** Returns the bytes preceded by a file mark and their SHA-256. */
export function sealed(content: Uint8Array): Uint8Array {
  return Buffer.concat([mark, sumOf(content), content]);
}

/** Returns the content after checking its SHA-256; null if the file is damaged, truncated or of another kind. */
export function unsealed(file: Uint8Array): Uint8Array | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const start = mark.length + sumBytes;
  if (bytes.length < start || !bytes.subarray(0, mark.length).equals(mark)) return null;
  const content = bytes.subarray(start);
  return sumOf(content).equals(bytes.subarray(mark.length, start)) ? content : null;
}

function sumOf(content: Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}
