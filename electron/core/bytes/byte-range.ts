import type { ByteRange } from '../s3/model/object-types.ts';

export type RangeAnswer =
  /** No usable Range header: RFC 9110, section 14.2 lets a server ignore what it does not understand. */
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'unsatisfiable' };

/** Reads `bytes=0-99`, `bytes=100-` and `bytes=-100`; several ranges at once are answered with the whole. */
export function readRange(header: string | undefined, sizeBytes: number): RangeAnswer {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (match === null) return { kind: 'whole' };
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return { kind: 'whole' };
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    if (length === 0) return { kind: 'unsatisfiable' };
    return { kind: 'part', range: { firstByte: sizeBytes - length, lastByte: sizeBytes - 1 } };
  }
  const firstByte = Number(first);
  if (last !== '' && Number(last) < firstByte) return { kind: 'whole' };
  if (firstByte >= sizeBytes) return { kind: 'unsatisfiable' };
  const lastByte = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  return { kind: 'part', range: { firstByte, lastByte } };
}
