export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

export interface EncodingFound {
  readonly encoding: TextEncoding;
  /** Of the byte order mark; 0: there is none. */
  readonly markBytes: number;
}

/** UTF-8 unless a byte order mark says otherwise. */
export function encodingOf(head: Uint8Array): EncodingFound {
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  const isMarked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  return { encoding: 'utf-8', markBytes: isMarked ? 3 : 0 };
}

/** What is no text becomes visible replacement characters. A byte order mark is not part of the text. */
export function decodeText(content: Uint8Array): string {
  const { encoding, markBytes } = encodingOf(content);
  return decodePart(content.subarray(markBytes), encoding);
}

/** Bytes from within a text. */
export function decodePart(bytes: Uint8Array, encoding: TextEncoding): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}
