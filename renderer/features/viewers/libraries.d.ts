// hyparquet-compressors declares types only for its index, which compiles WebAssembly on import. The window's CSP forbids that.

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

// unbzip2-stream has no types.

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

// The types of libheif-js omit the decoder's results, and that its factory is CommonJS.

declare module 'libheif-js/libheif-wasm/libheif.js' {
  /** A pointer of libheif. It is 0 or an error if the object does not exist. */
  type Handle = object;

  interface HeifResult {
    /** Set if decoding failed. */
    readonly code?: unknown;
  }

  interface Decoded {
    readonly channels: readonly {
      readonly width: number;
      readonly height: number;
      readonly stride: number;
      /** In the memory of the decoder. */
      readonly data: Uint8Array;
    }[];
  }

  interface HeifLibrary {
    readonly heif_error_code: { readonly heif_error_Ok: unknown };
    readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
    readonly heif_chroma: { readonly heif_chroma_interleaved_RGBA: unknown };
    heif_context_alloc(): Handle;
    heif_context_read_from_memory(context: Handle, bytes: Uint8Array): HeifResult;
    heif_js_context_get_primary_image_handle(context: Handle): (Handle & HeifResult) | null;
    heif_image_handle_get_width(handle: Handle): number;
    heif_image_handle_get_height(handle: Handle): number;
    heif_js_decode_image2(
      handle: Handle,
      colorspace: unknown,
      chroma: unknown,
    ): HeifResult | Decoded | Promise<HeifResult | Decoded>;
  }

  export default function load(options: {
    readonly wasmBinary: Uint8Array;
    readonly print: (line: string) => void;
    readonly printErr: (line: string) => void;
  }): HeifLibrary;
}

// sql.js has no types.

declare module 'sql.js/dist/sql-wasm-browser.js' {
  type SqlValue = number | bigint | string | Uint8Array<ArrayBuffer> | null;

  interface Statement {
    /** Returns true if there is a row. */
    step(): boolean;
    get(parameters: null, options: { readonly useBigInt: true }): readonly SqlValue[];
    bind(parameters: readonly SqlValue[]): boolean;
    getColumnNames(): readonly string[];
    free(): boolean;
  }

  interface Database {
    prepare(sql: string): Statement;
    run(sql: string): Database;
  }

  interface SqlLibrary {
    readonly Database: new (bytes: Uint8Array) => Database;
  }

  export default function load(options: {
    readonly wasmBinary: Uint8Array;
    readonly print: (line: string) => void;
    readonly printErr: (line: string) => void;
  }): Promise<SqlLibrary>;
}

// Modules that the build makes.

declare module 'virtual:heic-decoder' {
  /** The address of the decoder's WebAssembly, compressed by gzip (build/vite/packed-libraries.ts). */
  const address: string;
  export default address;
}

declare module 'virtual:sqlite-engine' {
  /** The address of the engine's WebAssembly, compressed by gzip (build/vite/packed-libraries.ts). */
  const address: string;
  export default address;
}

declare module 'virtual:pdf-parts' {
  /** The address of the folder from which pdf.js loads parts on demand. It ends in `/`. */
  const address: string;
  export default address;
}
