// The package declares types only for its index, which compiles WebAssembly on import. The window's CSP forbids that.

declare module 'hyparquet-compressors/src/brotli.js' {
  export function decompressBrotli(input: Uint8Array, outputLength: number): Uint8Array<ArrayBuffer>;
}

declare module 'hyparquet-compressors/src/brotli.streams.js' {
  export class BrotliOutput {
    constructor(buffer: Uint8Array<ArrayBuffer>);
    pos: number;
  }
}

declare module 'hyparquet-compressors/src/gzip.js' {
  export function gunzip(input: Uint8Array, output: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
}

declare module 'hyparquet-compressors/src/lz4.js' {
  export function decompressLz4(input: Uint8Array, outputLength: number): Uint8Array<ArrayBuffer>;
  export function decompressLz4Raw(input: Uint8Array, outputLength: number): Uint8Array<ArrayBuffer>;
}

declare module 'unbzip2-stream/lib/bit_iterator.js' {
  export interface BitReader {
    /** Reads this many bits. With null, skips to the next byte. */
    (bits: number | null): number;
    /** The number of bytes of which at least one bit was read. */
    bytesRead: number;
  }
  export default function readBits(nextBuffer: () => Uint8Array): BitReader;
}

declare module 'unbzip2-stream/lib/bzip2.js' {
  import type { BitReader } from 'unbzip2-stream/lib/bit_iterator.js';

  interface Bzip2 {
    readonly Bzip2Error: new () => Error;
    /** Reads the header of a stream and returns its compression level. */
    header(bits: BitReader): number;
    /** Decodes the next block and returns the checksum of the stream so far, or null at the end of the stream. */
    decompress(
      bits: BitReader,
      emit: (byte: number) => void,
      buffer: Int32Array,
      bufferLength: number,
      streamChecksum: number,
    ): number | null;
  }
  const decoder: Bzip2;
  export default decoder;
}
