import { expect, test } from 'vitest';
import type { CopyInput, S3Client } from '../../../../electron/core/s3/types.ts';
import { createVersions } from '../../../../electron/core/versions/versions.ts';

const entry = { key: 'a', isDeleteMarker: false, lastModified: null, etag: '"e"', sizeBytes: 5 };

/** A bucket whose older version has these headers; its new versions would be encrypted in its own way. */
async function copyOf(headers: Readonly<Record<string, string>>): Promise<CopyInput> {
  const copies: CopyInput[] = [];
  const client = {
    listObjectVersions: () =>
      Promise.resolve({
        versions: [
          { ...entry, versionId: 'new', isLatest: true },
          { ...entry, versionId: 'old', isLatest: false },
        ],
        commonPrefixes: [],
        next: null,
      }),
    headObject: ({ versionId }: { readonly versionId?: string }) =>
      Promise.resolve({ headers: versionId === 'old' ? headers : {}, metadata: {} }),
    copyObject: (input: CopyInput) => {
      copies.push(input);
      return Promise.resolve({ etag: '"e"', lastModified: null, versionId: 'newest' });
    },
  } as unknown as S3Client;
  const versions = createVersions({ client: () => Promise.resolve(client) });
  expect(await versions.restore({ connectionId: 'c', bucket: 'b', key: 'a', versionId: 'old' })).toEqual({
    how: 'copied',
  });
  const [copied] = copies;
  if (copied === undefined) throw new Error('Nothing was copied.');
  return copied;
}

test('a version that is restored keeps the key that it was encrypted with', async () => {
  const underKey = {
    'x-amz-server-side-encryption': 'aws:kms',
    'x-amz-server-side-encryption-aws-kms-key-id': 'key-1',
    'x-amz-server-side-encryption-bucket-key-enabled': 'true',
  };
  const copied = await copyOf({ ...underKey, 'content-type': 'text/plain' });
  expect(copied.source).toEqual({ bucket: 'b', key: 'a', versionId: 'old' });
  expect(copied.attributes?.headers).toEqual(underKey);
});

test('a version without a key is restored as its bucket encrypts', async () => {
  expect((await copyOf({ 'content-type': 'text/plain' })).attributes?.headers).toEqual({});
});
