import { failure } from '../../../shared/errors.ts';
import type { Foreign } from '../../../shared/models/objects.ts';
import type { SelectionItem } from '../../../shared/models/operations.ts';
import { noForeign } from '../s3/listing/foreign.ts';
import { versionPages } from '../s3/listing/pages.ts';
import type { ListedVersion } from '../s3/model/property-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { WalkPlace, WalkResults, WalkSource } from './walk-source.ts';

/** An object, a version or a delete marker that was chosen. */
export interface ChosenKeys {
  readonly key: string;
  readonly versionId: string | null;
  /** null if not known yet. */
  readonly sizeBytes: number | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** The source of keys: listings below a prefix, and results of a search. */
export type KeyWalks = Pick<WalkSource, 'pages' | 'results'>;

export interface ChosenKeysPlace {
  readonly connectionId: string;
  readonly bucket: string;
}

/**
 * Returns the results of a search. Throws not-found `walk-gone`, and invalid-argument for a search in another bucket, whose keys
 * do not belong to this one.
 */
export function resultsOf(
  walks: Pick<KeyWalks, 'results'>,
  place: ChosenKeysPlace,
  walkId: string,
): WalkResults {
  const results = walks.results(walkId);
  if (results.connectionId === place.connectionId && results.bucket === place.bucket) return results;
  throw failure('invalid-argument', 'The results of this search lie in another bucket.');
}

/**
 * Yields exactly the chosen keys, in pages: the folder `a/` contains neither `a` nor `ab/`. Throws AppError('invalid-argument')
 * for results of a search in another bucket.
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

/** Returns true for the delete marker that hides an object now. */
export const isHidingMarker: VersionTest = ({ isLatest, isDeleteMarker }) => isLatest && isDeleteMarker;

/**
 * Yields every version and delete marker of the chosen items that passes the test, over all pages. Named versions always pass.
 * Throws AppError('invalid-argument') for results of a search in another bucket.
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
    // Keys are sorted: no later version can belong to the chosen key.
    const last = versions.at(-1);
    if (last !== undefined && !isChosen(last.key)) return;
  }
}

function current(object: {
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
}): ChosenKeys {
  const { key, sizeBytes, etag, lastModified } = object;
  return { key, versionId: null, sizeBytes, etag, lastModified };
}
