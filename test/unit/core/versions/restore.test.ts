import { expect, test } from 'vitest';
import type { S3Client } from '../../../../electron/core/s3/model/s3-client.ts';
import { createVersions } from '../../../../electron/core/versions/versions.ts';
import type { VersionRef } from '../../../../shared/models/versions.ts';

const entry = { key: 'a', lastModified: null, etag: '"e"', sizeBytes: 5 };
const ref: VersionRef = { connectionId: 'c', bucket: 'b', key: 'a', versionId: 'old' };

/** A bucket with these versions of `a`, the requests it received, and the jobs that were queued. */
function bucketOf(versions: readonly { readonly versionId: string; readonly isDeleteMarker: boolean }[]) {
  const deleted: unknown[] = [];
  const begun: VersionRef[] = [];
  const client = {
    listObjectVersions: () =>
      Promise.resolve({
        versions: versions.map((version, index) => ({ ...entry, ...version, isLatest: index === 0 })),
        commonPrefixes: [],
        nextPageToken: null,
      }),
    deleteObject: (input: unknown) => {
      deleted.push(input);
      return Promise.resolve();
    },
  } as unknown as S3Client;
  const made = createVersions({
    client: () => Promise.resolve(client),
    copyOver: (copy) => begun.push(copy),
  });
  return { made, deleted, begun };
}

test('restoring an older version starts a job', async () => {
  const { made, begun } = bucketOf([
    { versionId: 'new', isDeleteMarker: false },
    { versionId: 'old', isDeleteMarker: false },
  ]);
  expect(await made.restore(ref)).toEqual({ how: 'begun' });
  expect(begun).toEqual([ref]);
});

test('restoring the latest version does nothing, and a delete marker is deleted', async () => {
  const latest = bucketOf([{ versionId: 'old', isDeleteMarker: false }]);
  expect(await latest.made.restore(ref)).toEqual({ how: 'already-latest' });
  const marked = bucketOf([{ versionId: 'old', isDeleteMarker: true }]);
  expect(await marked.made.restore(ref)).toEqual({ how: 'marker-deleted' });
  expect(marked.deleted).toEqual([{ bucket: 'b', key: 'a', versionId: 'old' }]);
  expect([...latest.begun, ...marked.begun, ...latest.deleted]).toEqual([]);
});
