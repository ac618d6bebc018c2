import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';

async function silent<T extends object>(response: Promise<T>): Promise<T> {
  return { ...(await response), etag: null };
}

/** Returns a client whose service reports no ETags, except for parts, because CompleteMultipartUpload has to name those. */
export function withoutEtags(client: S3Client): S3Client {
  return {
    ...client,
    putObject: async ({ ifMatch: _unknown, ...input }, options) =>
      await silent(client.putObject(input, options)),
    copyObject: async ({ ifMatch: _unknown, ...input }, options) =>
      await silent(client.copyObject(input, options)),
    headObject: async (ref, options) => await silent(client.headObject(ref, options)),
    getObject: async (input, options) =>
      Object.assign(await client.getObject(input, options), { etag: null }),
    listObjects: async (input, options) => {
      const page = await client.listObjects(input, options);
      return { ...page, objects: page.objects.map((object) => ({ ...object, etag: null })) };
    },
    completeMultipartUpload: async (input, options) =>
      await silent(client.completeMultipartUpload(input, options)),
  };
}
