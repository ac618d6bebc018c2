import type { PackedFiles, PlaceRequest } from './hash-messages.ts';

/** Copies the bytes of all files into one buffer, which can be transferred to a thread. */
export function packFiles(requests: readonly PlaceRequest[]): PackedFiles {
  const sizesBytes = requests.map(({ bytes }) => bytes.byteLength);
  const memory = new Uint8Array(sizesBytes.reduce((sum, bytes) => sum + bytes, 0));
  let start = 0;
  const files = requests.map(({ part, target, within, bytes, seconds, mayReplace }) => {
    memory.set(bytes, start);
    start += bytes.byteLength;
    return { part, target, within, seconds, mayReplace };
  });
  return { files, sizesBytes, memory };
}

/** Returns the files with views of the shared buffer. */
export function unpackFiles({ files, sizesBytes, memory }: PackedFiles): readonly PlaceRequest[] {
  let start = 0;
  return files.map((file, index) => {
    const end = start + (sizesBytes[index] ?? 0);
    const bytes = memory.subarray(start, end);
    start = end;
    return { ...file, bytes };
  });
}
