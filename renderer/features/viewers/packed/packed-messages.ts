import type { Packing, Unpacked } from './unpacker.ts';

/** Messages from the window to the decompressing worker. Each gets one response. */
export type ToUnpacker =
  | {
      readonly kind: 'begin';
      readonly packing: Packing;
      readonly sizeBytes: number;
      readonly maxBytes: number;
    }
  /** The bytes that the worker requested. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> };

export type FromUnpacker =
  | { readonly kind: 'read'; readonly offset: number; readonly length: number }
  | { readonly kind: 'done'; readonly unpacked: Unpacked }
  | { readonly kind: 'damaged' }
  /** Valid data that the decoder does not support. */
  | { readonly kind: 'unknown' };
