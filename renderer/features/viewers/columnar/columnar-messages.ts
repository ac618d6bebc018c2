import type { ColumnarFormat, FileProblem, TableDescription, TextPart } from './columnar-file.ts';

export type ColumnarRequest =
  | { readonly kind: 'open'; readonly format: ColumnarFormat; readonly sizeBytes: number }
  | { readonly kind: 'part'; readonly column: number; readonly row: number };

/** To the decoder: a question, or what became of a read that it has asked for. */
export type ToDecoder =
  | { readonly kind: 'ask'; readonly id: number; readonly question: ColumnarRequest }
  | { readonly kind: 'bytes'; readonly read: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'unread'; readonly read: number };

export type Answer = { readonly description: TableDescription } | { readonly part: TextPart | null };

/** From the decoder: a wish for bytes, or the end of a question. */
export type FromDecoder =
  | { readonly kind: 'read'; readonly read: number; readonly offset: number; readonly length: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  /** The window could not bring the bytes of this read. */
  | { readonly kind: 'unread'; readonly id: number; readonly read: number }
  /** A part of the program could not be loaded. */
  | { readonly kind: 'unloaded'; readonly id: number }
  /** The bytes are not what the format demands, or of a form that is not read. */
  | { readonly kind: 'refused'; readonly id: number; readonly problem: FileProblem | null };

/** No read of the decoder is longer. */
export const mostReadBytes = 64_000_000;
