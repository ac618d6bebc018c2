import type { RangeSource } from '../frame/range-source.ts';

interface FindBytesOptions {
  /** Must not be empty. */
  readonly wanted: Uint8Array;
  /** True if ASCII letters match regardless of case. */
  readonly foldsCase: boolean;
  readonly fromByte: number;
  readonly signal: AbortSignal;
  readonly onProgress: (readBytes: number) => void;
}

/**
 * Searches for bytes from an offset to the end of a file, in one request. Returns the offset of the first match, or null.
 * Throws the signal's reason. Source: Knuth, Morris, Pratt, "Fast Pattern Matching in Strings".
 */
export async function findBytes(source: RangeSource, options: FindBytesOptions): Promise<number | null> {
  const { foldsCase, fromByte, signal, onProgress } = options;
  const fold = foldsCase ? lowerCase : (byte: number): number => byte;
  const wanted = options.wanted.map(fold);
  const shorter = shorterMatches(wanted);
  const aborter = new AbortController();
  const reader = (await source.stream(fromByte, AbortSignal.any([signal, aborter.signal]))).getReader();
  let matched = 0;
  let at = fromByte;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) return null;
      for (const byte of value) {
        const folded = fold(byte);
        while (matched > 0 && folded !== wanted[matched]) matched = shorter[matched - 1] ?? 0;
        if (folded === wanted[matched]) matched += 1;
        at += 1;
        if (matched === wanted.length) return at - wanted.length;
      }
      onProgress(at - fromByte);
    }
  } finally {
    // Closes the request, so that the unread rest of the file is not transferred.
    aborter.abort();
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns, for each matched length, the longest shorter match that ends at the same byte. */
function shorterMatches(wanted: Uint8Array): readonly number[] {
  const shorter = [0];
  for (let at = 1, matched = 0; at < wanted.length; at += 1) {
    while (matched > 0 && wanted[at] !== wanted[matched]) matched = shorter[matched - 1] ?? 0;
    if (wanted[at] === wanted[matched]) matched += 1;
    shorter.push(matched);
  }
  return shorter;
}

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}
