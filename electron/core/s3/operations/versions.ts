import { failure } from '../../../../shared/errors.ts';
import { protocolFailure } from '../errors.ts';
import type { Executor } from '../executor.ts';
import type { PropertyOperations } from '../property-types.ts';
import { readVersions } from '../xml/versions.ts';

interface Markers {
  readonly keyMarker: string;
  readonly versionIdMarker: string | null;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html */
export function versionOperations(
  executor: Executor,
): Pick<PropertyOperations, 'listObjectVersions' | 'versioningOf'> {
  return {
    async listObjectVersions(input, options) {
      const markers = readToken(input.pageToken);
      const answer = await executor.execute(
        {
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
          effect: 'read',
          repeatable: 'always',
        },
        options,
        async (got) => readVersions(await got.xml('ListVersionsResult')),
      );
      const { next } = answer;
      if (next !== null && markers !== null && sameMarkers(next, markers)) {
        throw protocolFailure(
          'listing-stuck',
          'The service says that there are more versions, but gives the same place to go on from again.',
          { retry: 'after-fix' },
        );
      }
      return {
        versions: answer.versions,
        // A server that does not skip the common prefix that is the marker would list it twice.
        commonPrefixes: answer.commonPrefixes.filter((prefix) => prefix !== markers?.keyMarker),
        nextPageToken: next === null ? null : JSON.stringify([next.keyMarker, next.versionIdMarker]),
      };
    },

    async versioningOf({ bucket }, options) {
      return await executor.execute(
        {
          name: 'GetBucketVersioning',
          method: 'GET',
          bucket,
          query: { versioning: '' },
          effect: 'read',
          repeatable: 'always',
        },
        options,
        async (got) => {
          const status = (await got.xml('VersioningConfiguration')).child('Status')?.trim().toLowerCase();
          return status === 'enabled' || status === 'suspended' ? status : null;
        },
      );
    },
  };
}

function sameMarkers(a: Markers, b: Markers): boolean {
  return a.keyMarker === b.keyMarker && a.versionIdMarker === b.versionIdMarker;
}

function readToken(token: string | undefined): Markers | null {
  if (token === undefined) return null;
  try {
    const value: unknown = JSON.parse(token);
    if (Array.isArray(value) && value.length === 2) {
      const [keyMarker, versionIdMarker] = value as readonly unknown[];
      if (typeof keyMarker === 'string' && (versionIdMarker === null || typeof versionIdMarker === 'string'))
        return { keyMarker, versionIdMarker };
    }
  } catch {
    // Told below, as for any other text that is no token of ours.
  }
  throw failure('invalid-argument', 'The page token is not one that this client gave out.');
}
