// The package's types omit the decoder's results, and that its factory is CommonJS.

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

declare module 'virtual:heic-decoder' {
  /** The address of the decoder's WebAssembly, compressed by gzip (build/vite/packed-wasm.ts). */
  const address: string;
  export default address;
}
