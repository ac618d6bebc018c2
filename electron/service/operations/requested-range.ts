export type Range =
  | { readonly kind: 'whole' }
  | { readonly kind: 'range'; readonly first: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' };

/** Parses a single range of bytes. Ignores anything else, as RFC 9110 requires, and multiple ranges, as S3 does. */
export function parseRange(header: string | undefined, sizeBytes: number): Range {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec((header ?? '').trim());
  const firstText = match?.[1] ?? '';
  const lastText = match?.[2] ?? '';
  if (firstText === '' && lastText === '') return { kind: 'whole' };
  if (firstText === '') {
    const length = Math.min(Number(lastText), sizeBytes);
    return length === 0
      ? { kind: 'unsatisfiable' }
      : { kind: 'range', first: sizeBytes - length, end: sizeBytes };
  }
  const first = Number(firstText);
  const end = lastText === '' ? sizeBytes : Math.min(Number(lastText) + 1, sizeBytes);
  if (lastText !== '' && Number(lastText) < first) return { kind: 'whole' };
  return first >= sizeBytes ? { kind: 'unsatisfiable' } : { kind: 'range', first, end };
}
