import { analyse } from 'chardet';
import {
  declaredEncoding,
  decodePart,
  type EncodingFound,
  hasControlCharacters,
  isControlCharacter,
  isTextEncoding,
  markedEncoding,
  type TextEncoding,
} from './text-encoding.ts';

const cyrillic = ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5'] as const;
/** The encodings that the detection may return for a short text in another Cyrillic encoding. */
const mistaken: ReadonlySet<TextEncoding> = new Set([...cyrillic, 'windows-1252']);
/** Matches capitals behind a small letter, letters without a Cyrillic neighbor, and signs other than usual punctuation. */
const odd =
  /(?<=\p{Ll}\p{Lu}*)\p{Lu}|(?<!\p{sc=Cyrillic})[\p{L}--\p{ASCII}](?!\p{sc=Cyrillic})|[^\p{L}\p{ASCII}\u00a0«»‐-„№]/gv;
/** The letters that make up four fifths of a Russian, Ukrainian or Bulgarian text. */
const common = /[оеаинтсрвлкмдп]/giv;
const notAscii = /\P{ASCII}/gv;
const maxOddShare = 0.1;
/**
 * The minimum quality of a Cyrillic text. Without this minimum, a single sign would count, which may be a space in code page 866.
 */
const minQuality = 0.3;
/** The minimum difference in quality between another encoding and the detected one. */
const minGain = 0.2;

/**
 * Returns the Cyrillic encoding in which a text reads clearly better than in the detected one. Text decoded with the wrong
 * encoding has capitals inside words, rare letters, or box-drawing characters in place of letters. The detection counts groups
 * of letters, which is unreliable for a few words.
 */
function fittingCyrillic(bytes: Uint8Array, found: TextEncoding): TextEncoding {
  if (!mistaken.has(found)) return found;
  const readings = cyrillic
    .map((encoding) => ({ encoding, ...readingOf(bytes, encoding) }))
    .filter(({ oddShare, quality }) => oddShare <= maxOddShare && quality >= minQuality);
  const [best] = readings.toSorted((a, b) => b.quality - a.quality);
  return best !== undefined && best.quality >= readingOf(bytes, found).quality + minGain
    ? best.encoding
    : found;
}

function readingOf(bytes: Uint8Array, encoding: TextEncoding) {
  const text = decodePart(bytes, encoding);
  const count = Math.max(1, text.match(notAscii)?.length ?? 0);
  const oddShare = (text.match(odd)?.length ?? 0) / count;
  return { oddShare, quality: (text.match(common)?.length ?? 0) / count - oddShare };
}

/** Bytes passed to the library. More would take longer without making the result more certain. */
const sampleBytes = 64 * 1024;
const lineFeed = 0x0a;
/** Number of bytes taken around the first letters in a line without an end. */
const lineBytes = 4096;
/** Confidence out of 100 below which the library's result is a mere guess. */
const minConfidence = 25;
/** The names of encodings that browsers know under another name, or as part of a larger encoding. */
const labels: Readonly<Record<string, TextEncoding>> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-7': 'windows-1253',
  'ISO-8859-8': 'windows-1255',
  'ISO-8859-6': 'windows-1256',
  'ISO-8859-9': 'windows-1254',
  ASCII: 'utf-8',
};

/**
 * Detects the encoding of a text: by its byte order mark, by the pattern of UTF-16, by its XML declaration, as UTF-8 if it is
 * valid, and finally by the frequency of its letters. `chosen`: the encoding that the user has set; then only the mark is
 * checked. `extent`: a part of a text may end within a character.
 */
export function detectEncoding(
  bytes: Uint8Array,
  chosen: TextEncoding | null = null,
  extent: 'whole' | 'part' = 'whole',
): EncodingFound {
  const marked = markedEncoding(bytes);
  if (chosen !== null)
    return { encoding: chosen, markBytes: marked?.encoding === chosen ? marked.markBytes : 0 };
  if (marked !== null) return marked;
  return {
    encoding:
      (extent === 'whole' && bytes.length % 2 === 1 ? null : wideEncoding(bytes)) ??
      declaredEncoding(bytes) ??
      (isUtf8(bytes) ? 'utf-8' : legacyEncoding(bytes)),
    markBytes: 0,
  };
}

/**
 * Detects UTF-16 without a mark: the upper bytes of spaces, line ends and Latin letters are zeros, and decoding gives plain
 * text.
 */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, Math.min(sampleBytes, bytes.length - (bytes.length % 2)));
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd < sample.length / 100 || even + odd === 0) return null;
  const encoding = odd > even ? 'utf-16le' : 'utf-16be';
  if (Math.min(even, odd) > Math.max(even, odd) / 20) return null;
  const text = new TextDecoder(encoding).decode(sample, { stream: true });
  return hasControlCharacters(text) || /[\p{Cn}\p{Co}\uFFFD]/u.test(text) ? null : encoding;
}

/** Returns true for valid UTF-8, whose last character may be cut off. */
export function isUtf8(bytes: Uint8Array): boolean {
  return isValidIn(bytes, 'utf-8');
}

function legacyEncoding(bytes: Uint8Array): TextEncoding {
  const sample = sampleOf(bytes);
  for (const { name, confidence } of analyse(sample)) {
    if (confidence < minConfidence) break;
    const label = labels[name] ?? name.toLowerCase();
    if (isTextEncoding(label) && !label.startsWith('utf-') && isValidIn(sample, label))
      return fittingCyrillic(sample, label);
  }
  return fittingCyrillic(sample, looksCyrillic(sample) ? 'windows-1251' : 'windows-1252');
}

/** Returns the lines that are not plain ASCII. Only these reveal an encoding, and a long text may have few of them. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const lines: number[] = [];
  let from = 0;
  while (lines.length < sampleBytes) {
    const high = bytes.subarray(from).findIndex((byte) => byte >= 0x80);
    if (high < 0) break;
    const start = Math.max(from, bytes.lastIndexOf(lineFeed, from + high) + 1, from + high - lineBytes);
    const feed = bytes.indexOf(lineFeed, from + high);
    const end = Math.min(feed < 0 ? bytes.length : feed + 1, from + high + lineBytes);
    for (const byte of bytes.subarray(start, end)) lines.push(byte);
    from = end;
  }
  return Uint8Array.from(lines);
}

/** Returns true for valid text, whose last character may be cut off. */
function isValidIn(bytes: Uint8Array, encoding: TextEncoding): boolean {
  try {
    // The option `stream` accepts an incomplete character at the end.
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Returns true if the text looks Cyrillic: in a few words its letters are adjacent, while accented Latin ones are isolated. */
function looksCyrillic(bytes: Uint8Array): boolean {
  let high = 0;
  let adjacent = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0xc0) continue;
    high += 1;
    if ((bytes[at - 1] ?? 0) >= 0xc0) adjacent += 1;
  }
  return adjacent * 2 > high;
}

/** Returns true if the beginning of a file is valid UTF-8 or UTF-16 without control characters that no text has. */
export function looksLikeText(head: Uint8Array): boolean {
  if (head.length === 0) return false;
  if (markedEncoding(head)?.encoding.startsWith('utf-16') === true) return true;
  if (wideEncoding(head) !== null) return true;
  return !head.some(isControlCharacter) && isUtf8(head);
}
