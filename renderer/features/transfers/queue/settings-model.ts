/** Parses a number from 1 to 64. Returns null for any other text. */
export function parseCount(text: string): number | null {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= 1 && value <= 64 ? value : null;
}
