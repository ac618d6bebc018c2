import type { RangeSource } from '../frame/range-source.ts';
import { detectEncoding } from '../encoding/detect-encoding.ts';
import type { TextEncoding } from '../encoding/text-encoding.ts';

/** The text of a file, read block by block. */
export interface TextStream {
  /** Known once the first block was read. */
  readonly encoding: TextEncoding;
  /** The number of bytes read so far. */
  readonly readBytes: number;
  /** Returns the next block, or null at the end. Only one call may run at a time. */
  next(signal: AbortSignal): Promise<string | null>;
}

export const textBlockBytes = 256 * 1024;

export interface TextStreamOptions {
  readonly blockBytes?: number;
  /** The encoding that the user has set, or null for the detected encoding. */
  readonly chosen?: TextEncoding | null;
}

/** Reads a text from its beginning. A block that failed can be requested again. */
export function textStream(
  source: RangeSource,
  { blockBytes = textBlockBytes, chosen = null }: TextStreamOptions = {},
): TextStream {
  let decoder: TextDecoder | null = null;
  let encoding: TextEncoding = 'utf-8';
  let readBytes = 0;
  return {
    get encoding() {
      return encoding;
    },
    get readBytes() {
      return readBytes;
    },
    next: async (signal) => {
      if (readBytes >= source.sizeBytes) return null;
      const bytes = await source.read(readBytes, blockBytes, signal);
      if (bytes.length === 0) throw new Error('The source ended before its size.');
      if (decoder === null) {
        ({ encoding } = detectEncoding(bytes, chosen, 'part'));
        decoder = new TextDecoder(encoding);
      }
      readBytes += bytes.length;
      return decoder.decode(bytes, { stream: readBytes < source.sizeBytes });
    },
  };
}
