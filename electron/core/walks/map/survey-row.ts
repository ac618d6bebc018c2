import { createHash } from 'node:crypto';

/** The earliest stored time in seconds since 1970. Earlier times become this one, because 0 means an unknown time. */
export const epochS = 1;

/** The fields of an object that a catalogue stores. */
export interface SurveyRow {
  readonly key: string;
  readonly sizeBytes: number;
  /** The modification time in seconds since 1970, at least `epochS`; 0 if unknown. */
  readonly modifiedS: number;
  /** The first of two halves of the ETag's 64 bits, used to compare objects. Both halves are 0 if the object has no ETag. */
  readonly etagHigh: number;
  readonly etagLow: number;
  readonly storageClass: string;
}

/**
 * Returns 64 bits for an ETag: the first ones of a plain MD5, otherwise those of the ETag's SHA-256. ETags with quotes
 * (listings), without quotes (inventory reports) and with a `W/` mark (compressing proxies) give the same result.
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

/** Parses eight hex digits at `from`; returns -1 if any of them is no hex digit. */
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
