import { expect, test } from 'vitest';
import { deletedOf } from '../../../../electron/core/versions/versions.ts';
import type { ListedVersion } from '../../../../electron/core/s3/model/property-types.ts';

const version = (key: string, versionId: string, more: Partial<ListedVersion> = {}): ListedVersion => ({
  key,
  versionId,
  isLatest: false,
  isDeleteMarker: false,
  sizeBytes: 5,
  lastModified: '2026-01-02T03:04:05.000Z',
  etag: null,
  storageClass: null,
  ...more,
});
const marker = { isDeleteMarker: true, sizeBytes: null };

test('only delete markers that hide an object count, with the size of the version below', () => {
  const versions = [
    version('a', '3', { ...marker, isLatest: true }),
    version('a', '2', marker),
    version('a', '1', { sizeBytes: 7 }),
    version('b', '2', { isLatest: true }),
    version('b', '1', marker),
    version('c', '1', { ...marker, isLatest: true }),
    version('d', '1', { isLatest: true }),
  ];
  expect(deletedOf(versions)).toEqual([
    { key: 'a', versionId: '3', deletedAt: '2026-01-02T03:04:05.000Z', sizeBytes: 7 },
    { key: 'c', versionId: '1', deletedAt: '2026-01-02T03:04:05.000Z', sizeBytes: null },
  ]);
});
