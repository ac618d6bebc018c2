import { decodePart, type TextEncoding } from './text-encoding.ts';

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
export function fittingCyrillic(bytes: Uint8Array, found: TextEncoding): TextEncoding {
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
