import { z } from 'zod';
import type { Executor } from '../http/executor.ts';
import type { S3Client } from '../model/s3-client.ts';
import { repeatable } from '../http/s3-operation.ts';
import { foreignNames } from '../listing/prefixes.ts';
import { follow, noTrail, readPageToken, trailSchema } from '../listing/pages.ts';
import type { Trail } from '../model/listing-types.ts';
import { readVersions, type VersionsResponse, requireReadable } from '../xml/listing-response.ts';

/** The position of the next page. It is encoded in a page token, which other files do not read. */
const positionSchema = z.object({
  keyMarker: z.string(),
  versionIdMarker: z.string().nullable(),
  trail: trailSchema,
});

/** Implements the requests for versions (https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html). */
export function versionOperations(executor: Executor) {
  return {
    async listObjectVersions(input, options) {
      const markers = input.pageToken === undefined ? null : readPageToken(input.pageToken, positionSchema);
      const response = await executor.execute(
        repeatable({
          name: 'ListObjectVersions',
          method: 'GET',
          bucket: input.bucket,
          query: {
            versions: '',
            'encoding-type': 'url',
            ...(input.prefix ? { prefix: input.prefix } : {}),
            ...(input.delimiter ? { delimiter: input.delimiter } : {}),
            ...(input.maxKeys === undefined ? {} : { 'max-keys': String(input.maxKeys) }),
            ...(markers === null ? {} : { 'key-marker': markers.keyMarker }),
            ...(markers?.versionIdMarker ? { 'version-id-marker': markers.versionIdMarker } : {}),
          },
        }),
        options,
        async (reply) => readVersions(await reply.xml('ListVersionsResult'), reply.quote),
      );
      if (input.setsAside !== true) requireReadable(response.unreadable);
      const { next, unreadable } = response;
      const trail = next === null ? noTrail : trailOf(markers?.trail ?? noTrail, response);
      const { prefix = '' } = input;
      const names = [...response.versions.map(({ key }) => key), ...response.commonPrefixes];
      return {
        versions: response.versions.filter(({ key }) => key.startsWith(prefix)),
        commonPrefixes: response.commonPrefixes.filter(
          // Some servers repeat the common prefix that was used as the marker.
          (name) => name.startsWith(prefix) && name !== markers?.keyMarker,
        ),
        foreign: foreignNames(names, prefix),
        unreadable,
        nextPageToken:
          next === null ? null : JSON.stringify({ ...next, trail } satisfies z.infer<typeof positionSchema>),
      };
    },

    async versioningOf({ bucket }, options) {
      return await executor.execute(
        repeatable({ name: 'GetBucketVersioning', method: 'GET', bucket, query: { versioning: '' } }),
        options,
        async (reply) => {
          const status = (await reply.xml('VersioningConfiguration')).child('Status')?.trim().toLowerCase();
          return status === 'enabled' || status === 'suspended' ? status : null;
        },
      );
    },
  } satisfies Partial<S3Client>;
}

function trailOf(before: Trail, { versions, commonPrefixes }: VersionsResponse): Trail {
  const names = [versions.map(({ key, versionId }) => [key, versionId]), commonPrefixes];
  return follow(before, names, versions.length + commonPrefixes.length === 0);
}
