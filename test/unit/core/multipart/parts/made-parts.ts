import { createHash } from 'node:crypto';
import type { ListedPart } from '../../../../../electron/core/s3/model/multipart-types.ts';

export const MiB = 1024 * 1024;

export function part(partNumber: number, sizeBytes: number, change: Partial<ListedPart> = {}): ListedPart {
  const etag = `"${createHash('md5').update(`${partNumber} ${sizeBytes}`).digest('hex')}"`;
  return { partNumber, sizeBytes, etag, lastModified: '2026-01-01T00:00:00Z', checksums: {}, ...change };
}

export function parts(...list: readonly (readonly [number, number])[]): ListedPart[] {
  return list.map(([partNumber, sizeBytes]) => part(partNumber, sizeBytes));
}
