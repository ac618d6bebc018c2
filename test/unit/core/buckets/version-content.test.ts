import { expect, test } from 'vitest';
import { olderVersions } from '../../../../electron/core/buckets/manage.ts';
import type { ListedVersion, ListVersionsPage } from '../../../../electron/core/s3/model/property-types.ts';

function version(patch: Partial<ListedVersion> = {}): ListedVersion {
  return {
    key: 'a',
    versionId: 'null',
    isLatest: true,
    isDeleteMarker: false,
    sizeBytes: 1,
    lastModified: '2026-11-01T00:00:00.000Z',
    etag: '"0"',
    storageClass: null,
    ...patch,
  };
}

function page(versions: readonly ListedVersion[], nextPageToken: string | null = null): ListVersionsPage {
  return { versions, commonPrefixes: [], foreign: [], unreadable: [], nextPageToken };
}

test('a bucket without versioning has no older versions, even if its objects are listed as versions', () => {
  expect(olderVersions(page([version()]), 'never')).toBe('none');
  expect(olderVersions(page([version()], 'next'), 'never')).toBe('none');
  expect(olderVersions(page([version()]), 'unknown')).toBe('none');
});

test('an older version or a delete marker counts as one in every versioning state', () => {
  expect(olderVersions(page([version({ isLatest: false })]), 'never')).toBe('some');
  expect(olderVersions(page([version({ isDeleteMarker: true })]), 'enabled')).toBe('some');
});

test('a first page of only latest versions leaves older versions possible', () => {
  expect(olderVersions(page([version()], 'next'), 'enabled')).toBe('possible');
  expect(olderVersions(page([version()], 'next'), 'suspended')).toBe('possible');
  expect(olderVersions(page([version()], 'next'), 'unknown')).toBe('possible');
  expect(olderVersions(page([version()]), 'enabled')).toBe('none');
});
