// The package's own types cover its index alone, which compiles WebAssembly as it is loaded: the window's policy forbids that.

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
