import { createHash } from 'node:crypto';

/** Stored for 1970-01-01T00:00:00 and earlier, because 0 means an unknown time. */
export const epochS = 1;

/** The fields of an object in a catalogue. */
export interface SurveyRow {
  readonly key: string;
  readonly sizeBytes: number;
  /** Seconds since 1970, `epochS` for the first; 0 if unknown. */
  readonly modifiedS: number;
  /** 64 bits of the ETag, to compare objects; both 0 if there is none. */
  readonly etagHigh: number;
  readonly etagLow: number;
  readonly storageClass: string;
}

/**
 * Returns the first 64 bits of a plain MD5; for other ETags, those of their SHA-256. Listings quote ETags, inventory reports do
 * not, and compressing proxies mark them as weak: all three forms give the same result.
 */
export function etagBits(etag: string | null): readonly [high: number, low: number] {
  if (etag === null) return [0, 0];
  const start = etag.startsWith('W/"') ? 2 : 0;
  const from = etag.startsWith('"', start) ? start + 1 : 0;
  const to = from > 0 && etag.endsWith('"') ? etag.length - 1 : etag.length;
  if (to <= from) return [0, 0];
  if (to - from === 32) {
    const high = hexOf(etag, from);
    const low = hexOf(etag, from + 8);
    if (high !== -1 && low !== -1) return [high, low];
  }
  const digest = createHash('sha256').update(etag.slice(from, to)).digest();
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
}

/** Parses eight hex digits; -1 for anything else. */
function hexOf(text: string, from: number): number {
  let value = 0;
  for (let at = from; at < from + 8; at += 1) {
    const code = text.charCodeAt(at);
    const lower = code | 0x20;
    const digit = code >= 48 && code <= 57 ? code - 48 : lower >= 97 && lower <= 102 ? lower - 87 : -1;
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
}
