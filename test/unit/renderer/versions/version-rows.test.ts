import { expect, test } from 'vitest';
import { versionActionsFor } from '../../../../renderer/features/versions/version-rows.ts';
import type { VersionEntry } from '../../../../shared/models/versions.ts';

const entry = (more: Partial<VersionEntry>): VersionEntry => ({
  key: 'a',
  versionId: '1',
  isLatest: false,
  isDeleteMarker: false,
  sizeBytes: 1,
  lastModified: null,
  etag: null,
  storageClass: null,
  ...more,
});

test('the latest delete marker is undeleted, and not also deleted under another name', () => {
  expect(versionActionsFor(entry({ isDeleteMarker: true, isLatest: true }))).toEqual(['undelete', 'copyId']);
  expect(versionActionsFor(entry({ isDeleteMarker: true }))).toEqual(['copyId', 'remove']);
});

test('an older version can be restored, and the latest cannot', () => {
  expect(versionActionsFor(entry({}))).toContain('restore');
  expect(versionActionsFor(entry({ isLatest: true }))).not.toContain('restore');
});
