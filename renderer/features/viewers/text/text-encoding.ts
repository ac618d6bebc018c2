export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

export interface EncodingFound {
  readonly encoding: TextEncoding;
  /** Of the byte order mark; 0: there is none. */
  readonly markBytes: number;
}

/** UTF-8 unless a byte order mark says otherwise. */
export function textEncodingOf(head: Uint8Array): EncodingFound {
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', markBytes: 2 };
  const isMarked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  return { encoding: 'utf-8', markBytes: isMarked ? 3 : 0 };
}

/** Bytes that are not text become replacement characters. A byte order mark is not part of the text. */
export function decodeText(content: Uint8Array): string {
  const { encoding, markBytes } = textEncodingOf(content);
  return decodePart(content.subarray(markBytes), encoding);
}

/** Bytes from within a text. */
export function decodePart(bytes: Uint8Array, encoding: TextEncoding): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

const marks: Readonly<Record<TextEncoding, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};

/** The bytes of a text in the encoding it came in, with its byte order mark where it had one. */
export function encodeText(text: string, { encoding, markBytes }: EncodingFound): Uint8Array<ArrayBuffer> {
  const mark = markBytes === 0 ? [] : marks[encoding];
  if (encoding === 'utf-8') {
    const content = new TextEncoder().encode(text);
    if (mark.length === 0) return content;
    const bytes = new Uint8Array(mark.length + content.length);
    bytes.set(mark);
    bytes.set(content, mark.length);
    return bytes;
  }
  const bytes = new Uint8Array(mark.length + text.length * 2);
  bytes.set(mark);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1)
    view.setUint16(mark.length + at * 2, text.charCodeAt(at), encoding === 'utf-16le');
  return bytes;
}
