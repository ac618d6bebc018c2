import type { RangeSource } from '../frame/range-source.ts';
import type { TextEncoding } from '../encoding/text-encoding.ts';

/** Limit of bytes of an incomplete character at the end of the previous slice. */
const maxHeldBack = 3;
/** Bytes searched at a time. */
const sliceBytes = 64 * 1024;

export interface FindInFileOptions {
  /** Must not be empty. Case is ignored. */
  readonly text: string;
  readonly encoding: TextEncoding;
  readonly fromByte: number;
  readonly signal: AbortSignal;
  readonly onProgress: (readBytes: number) => void;
}

/**
 * Searches a file from an offset to its end, in one request. Returns an offset at most about 128 KiB before the first match, or
 * null without a match.
 */
export async function findInFile(source: RangeSource, options: FindInFileOptions): Promise<number | null> {
  const { encoding, fromByte, signal, onProgress } = options;
  const wanted = options.text.toLowerCase();
  const aborter = new AbortController();
  const reader = (await source.stream(fromByte, AbortSignal.any([signal, aborter.signal]))).getReader();
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  // `tail` is the end of the previous slice, where a match may begin. `before` is the offset of the previous slice.
  let tail = '';
  let before = fromByte;
  let at = fromByte;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) return null;
      for (let from = 0; from < value.length; from += sliceBytes) {
        const slice = value.subarray(from, from + sliceBytes);
        const decoded = decoder.decode(slice, { stream: true }).toLowerCase();
        const text = tail + decoded;
        if (text.includes(wanted)) return Math.max(fromByte, (tail === '' ? at : before) - maxHeldBack);
        tail = wanted.length === 1 ? '' : text.slice(1 - wanted.length);
        // With short slices, a match may begin more than one slice back.
        if (decoded.length >= tail.length) before = at;
        at += slice.length;
      }
      onProgress(at - fromByte);
    }
  } finally {
    // Closes the request, so that the unread rest of the file is not transferred.
    aborter.abort();
    await reader.cancel().catch(() => undefined);
  }
}
