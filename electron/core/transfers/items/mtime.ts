/**
 * The metadata name of a file's modification time. Its value is in seconds since 1970 with a fraction, like in rclone
 * (backend/s3, metaMtime).
 */
export const mtimeName = 'mtime';
/** The metadata name of the token by which Cooper recognizes that an object comes from its upload. */
export const tokenName = 'cooper-upload';

export function mtimeText(mtimeNs: bigint): string {
  const isNegative = mtimeNs < 0n;
  const ns = isNegative ? -mtimeNs : mtimeNs;
  const fraction = String(ns % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${isNegative ? '-' : ''}${ns / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Parses a modification time in seconds since 1970; null if the text is not a time. */
export function secondsOfMtime(text: string | undefined): number | null {
  if (text === undefined || !/^-?\d{1,13}(?:\.\d{1,12})?$/.test(text)) return null;
  return Number(text);
}

/** Returns true if two times differ by less than 2 ms, because reading a local time loses fractions of a millisecond. */
export function isSameMoment(leftMs: number, rightMs: number): boolean {
  return Math.abs(leftMs - rightMs) < 2;
}
