import { expect, test } from 'vitest';
import type { S3Client } from '../../../../electron/core/s3/model/s3-client.ts';
import { createVersions } from '../../../../electron/core/versions/versions.ts';
import { type ErrorCode, failure } from '../../../../shared/errors.ts';
import type { Unlisted } from '../../../../shared/models/versions.ts';

const partBytes = 100;

/** Counts a bucket with the uploads A, B and C, one per page. ListParts of A fails with this code. */
async function unlistedWith(failsWith: ErrorCode): Promise<Unlisted | null> {
  const ids = ['A', 'B', 'C'];
  const client = {
    listObjectVersions: () => Promise.resolve({ versions: [], nextPageToken: null }),
    listMultipartUploads: ({ keyMarker = 'A' }: { readonly keyMarker?: string }) =>
      Promise.resolve({
        uploads: [{ key: keyMarker, uploadId: keyMarker, storageClass: null }],
        next: keyMarker === 'C' ? null : { keyMarker: ids[ids.indexOf(keyMarker) + 1] },
      }),
    listParts: async ({ uploadId }: { readonly uploadId: string }) => {
      await Promise.resolve();
      if (uploadId === 'A') throw failure(failsWith, 'ListParts failed.');
      return {
        parts: [{ partNumber: 1, sizeBytes: partBytes }],
        storageClass: null,
        nextPartNumberMarker: null,
      };
    },
  } as unknown as S3Client;
  const versions = createVersions({ client: () => Promise.resolve(client), copyOver: () => undefined });
  const request = { connectionId: 'c', bucket: 'b', prefix: '', smallest: [] };
  let last: Unlisted | null = null;
  for await (const now of versions.unlisted(request, new AbortController().signal)) last = now;
  return last;
}

test('an upload that ends while uploads are counted counts as none, and the others are still counted', async () => {
  expect(await unlistedWith('upload-gone')).toMatchObject({
    isComplete: true,
    uploads: 2,
    parts: [{ storageClass: 'STANDARD', sizeBytes: 2 * partBytes }],
    refused: { versions: null, uploads: null },
  });
});

test('a refusal to list the parts of an upload is reported', async () => {
  expect(await unlistedWith('access-denied')).toMatchObject({
    isComplete: true,
    uploads: 0,
    refused: { versions: null, uploads: { code: 'access-denied' } },
  });
});
