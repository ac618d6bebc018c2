/** A typed number from 1 to 64; null for anything else. */
export function parseCount(text: string): number | null {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= 1 && value <= 64 ? value : null;
}

/** Typed megabytes a second as bytes; null for no limit. */
export function parseMegabytes(text: string): number | null | 'invalid' {
  if (text.trim() === '') return null;
  const value = Number(text.replace(',', '.'));
  if (!Number.isFinite(value) || value <= 0) return 'invalid';
  return Math.max(1024, Math.round(value * 1_000_000));
}
