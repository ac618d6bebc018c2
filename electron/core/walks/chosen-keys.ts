import { failure } from '../../../shared/errors.ts';
import type { Foreign } from '../../../shared/models/objects.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import { noForeign, foreignOf, withForeign } from '../s3/listing/prefixes.ts';
import { versionPages, objectPages } from '../s3/listing/pages.ts';
import type { ListedObject } from '../s3/model/listing-types.ts';
import type { ListedVersion } from '../s3/model/property-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { manifestText } from './tables/export-text.ts';
import type { WalkPlace, WalkResults, WalkSource, WalkProgress } from './walk-source.ts';

/** A chosen object, version or delete marker. */
export interface ChosenKeys {
  readonly key: string;
  readonly versionId: string | null;
  /** Null if the size is not known yet. */
  readonly sizeBytes: number | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Provides the keys below a prefix and the results of a search. */
export type KeyWalks = Pick<WalkSource, 'pages' | 'results'>;

export interface ChosenKeysPlace {
  readonly connectionId: string;
  readonly bucket: string;
}

/**
 * Returns the results of the search with this id. Throws not-found `walk-gone` if the search was closed, and invalid-argument if
 * it searched another bucket.
 */
export function resultsOf(
  walks: Pick<KeyWalks, 'results'>,
  place: ChosenKeysPlace,
  walkId: string,
): WalkResults {
  const results = walks.results(walkId);
  if (results.connectionId === place.connectionId && results.bucket === place.bucket) return results;
  throw failure('invalid-argument', 'This search was made in another bucket.');
}

/**
 * Yields the chosen keys and all keys below the chosen folders, in pages. The folder `a/` contains neither `a` nor `ab/`. Throws
 * AppError('invalid-argument') for results of a search in another bucket.
 */
export async function* chosenKeys(
  walks: KeyWalks,
  place: ChosenKeysPlace,
  items: readonly SelectionItem[],
  signal: AbortSignal,
  onForeign: (prefix: string, foreign: Foreign) => void,
): AsyncGenerator<readonly ChosenKeys[]> {
  for (const item of items) {
    switch (item.kind) {
      case 'key':
        yield [
          {
            key: item.key,
            versionId: item.versionId ?? null,
            sizeBytes: null,
            etag: null,
            lastModified: null,
          },
        ];
        break;
      case 'prefix':
        yield* chosenBelow(walks, { ...place, prefix: item.prefix }, signal, onForeign);
        break;
      case 'walk':
        for await (const page of resultsOf(walks, place, item.walkId).pages({ signal }))
          yield page.map(current);
        break;
      default:
        item satisfies never;
    }
  }
}

type VersionTest = (version: ListedVersion) => boolean;

/** Returns true for the latest version of a key if it is a delete marker, so that the object is hidden. */
export const isHidingMarker: VersionTest = ({ isLatest, isDeleteMarker }) => isLatest && isDeleteMarker;

/**
 * Yields the versions and delete markers of the chosen items that pass the test. A version chosen by its id always passes. Throws
 * AppError('invalid-argument') for results of a search in another bucket.
 */
export async function* chosenVersions(
  client: S3Client,
  walks: KeyWalks,
  place: ChosenKeysPlace,
  items: readonly SelectionItem[],
  signal: AbortSignal,
  passes: VersionTest = () => true,
): AsyncGenerator<readonly ChosenKeys[]> {
  const below = (prefix: string, isChosen: (key: string) => boolean) =>
    versionsBelow(client, { bucket: place.bucket, prefix }, isChosen, passes, signal);
  for (const item of items) {
    switch (item.kind) {
      case 'key':
        if (item.versionId !== undefined) yield* chosenKeys(walks, place, [item], signal, () => undefined);
        else yield* below(item.key, (key) => key === item.key);
        break;
      case 'prefix':
        yield* below(item.prefix, (key) => key.startsWith(item.prefix));
        break;
      case 'walk':
        for await (const page of resultsOf(walks, place, item.walkId).pages({ signal }))
          for (const { key } of page) yield* below(key, (found) => found === key);
        break;
      default:
        item satisfies never;
    }
  }
}

async function* chosenBelow(
  walks: KeyWalks,
  place: WalkPlace,
  signal: AbortSignal,
  onForeign: (prefix: string, foreign: Foreign) => void,
): AsyncGenerator<readonly ChosenKeys[]> {
  const { prefix } = place;
  let foreign = noForeign;
  const pages = walks.pages(place, signal, (progress) => {
    foreign = progress.foreign;
  });
  for await (const page of pages) yield page.filter(({ key }) => key.startsWith(prefix)).map(current);
  if (foreign.count > 0) onForeign(prefix, foreign);
}

async function* versionsBelow(
  client: S3Client,
  where: { readonly bucket: string; readonly prefix: string },
  isChosen: (key: string) => boolean,
  passes: VersionTest,
  signal: AbortSignal,
): AsyncGenerator<readonly ChosenKeys[]> {
  const pages = versionPages(client, where, { signal });
  for await (const { versions } of pages) {
    yield versions
      .filter((version) => isChosen(version.key) && passes(version))
      .map(({ key, versionId, sizeBytes, etag, lastModified }) => ({
        key,
        versionId,
        sizeBytes: sizeBytes ?? 0,
        etag,
        lastModified,
      }));
    // Versions are sorted by key, so no later page contains the chosen key.
    const last = versions.at(-1);
    if (last !== undefined && !isChosen(last.key)) return;
  }
}

function current({ key, sizeBytes, etag, lastModified }: ListedObject): ChosenKeys {
  return { key, versionId: null, sizeBytes, etag, lastModified };
}

/** Returns a key source that lists a prefix page by page through the client, for callers without `Walks`. */
export function listedWalks(clientOf: (connectionId: string) => Promise<S3Client>): KeyWalks {
  return {
    async *pages({ connectionId, bucket, prefix }, signal, onProgress) {
      const client = await clientOf(connectionId);
      const pages = objectPages(client, { bucket, prefix }, { signal });
      let progress: WalkProgress = { keys: 0, sizeBytes: 0, requests: 0, foreign: noForeign };
      for await (const page of pages) {
        progress = {
          keys: progress.keys + page.objects.length,
          sizeBytes: page.objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, progress.sizeBytes),
          requests: progress.requests + 1,
          foreign: withForeign(progress.foreign, foreignOf(page.foreign)),
        };
        onProgress?.(progress);
        yield page.objects;
      }
    },
    results() {
      throw failure('not-found', 'There is no such search.', { reason: 'walk-gone' });
    },
  };
}

/** A signal that never aborts. A browser reads an export after the call that created it; closing the stream stops it. */
const never = new AbortController().signal;

/**
 * Renders a manifest of the chosen keys, which are listed meanwhile. Throws AppError('invalid-argument') for results of a search in
 * another bucket.
 */
export async function* manifestChunks(
  walks: KeyWalks,
  place: ChosenKeysPlace,
  items: readonly SelectionItem[],
): AsyncGenerator<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly rows: number }, void, void> {
  const encoder = new TextEncoder();
  for await (const page of chosenKeys(walks, place, items, never, () => undefined)) {
    const keys = page.map(({ key }) => key);
    yield { bytes: encoder.encode(manifestText(place.bucket, keys)), rows: page.length };
  }
}
