import path from 'node:path';
import { AppFailure } from '../../../shared/errors.ts';
import type { SyncReason } from '../../../shared/models/sync.ts';
import type { ListedObject } from '../s3/model/listing-types.ts';
import { nameSystem, keyOfSegments, segmentsOfKey } from '../transfers/items/item-names.ts';
import { walkLocal, type Found } from '../disk/walk-local.ts';
import type { LocalEntry, RemoteEntry } from './plan-table.ts';
import { isMarkerKey } from './sync-rules.ts';

const batchSize = 500;
const maxKeyBytes = 1024;
/** Matches the partial files of interrupted downloads. They do not belong to the user, and the downloads may resume. */
const halfFile = /^\.cooper-[0-9A-Za-z-]{1,40}-\d+\.part$/;

/**
 * Yields all entries of a local folder in batches. Throws if the folder cannot be read, because an empty list would mean that all
 * files were deleted.
 */
export async function* localEntries(
  folder: string,
  prefix: string,
  { changesLocal, takesLinksOut }: { readonly changesLocal: boolean; readonly takesLinksOut: boolean },
  signal: AbortSignal,
): AsyncGenerator<readonly LocalEntry[], void, void> {
  let batch: LocalEntry[] = [];
  for await (const found of walkLocal(
    [{ path: folder, real: folder }],
    takesLinksOut && !changesLocal,
    signal,
  )) {
    const segments = found.segments.slice(1);
    if (segments.length === 0) {
      if (found.error !== null) throw new AppFailure(found.error);
      continue;
    }
    if (halfFile.test(segments.at(-1) ?? '')) continue;
    batch.push(localEntry(found, segments, prefix, changesLocal));
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

function localEntry(
  found: Found,
  segments: readonly string[],
  prefix: string,
  changesLocal: boolean,
): LocalEntry {
  const key = keyOfSegments(segments, nameSystem) + (found.kind === 'folder' ? '/' : '');
  const { kind, sizeBytes, modifiedAt } = found;
  const modifiedMs = modifiedAt === null ? null : Date.parse(modifiedAt);
  return {
    key,
    local: segments.join('/'),
    kind,
    sizeBytes,
    modifiedMs,
    leaves: found.leaves,
    note: noteOf(found, Buffer.byteLength(prefix + key) > maxKeyBytes, changesLocal),
  };
}

function noteOf(found: Found, isTooLong: boolean, changesLocal: boolean): SyncReason | null {
  if (found.error !== null) return 'unreadable';
  if (changesLocal && found.viaLink && found.note !== 'own-data') return 'link';
  switch (found.note) {
    case 'special-file':
    case 'own-data':
    case 'link-outside':
    case 'symlink-loop':
    case 'name-unreadable':
      return found.note;
    default:
      return isTooLong ? 'key-too-long' : null;
  }
}

/** Returns the objects below the prefix as entries, without the placeholder of the chosen folder. */
export function remoteEntries(prefix: string, page: readonly ListedObject[]): readonly RemoteEntry[] {
  return page
    .filter(({ key }) => key.startsWith(prefix) && key.length > prefix.length)
    .map(({ key, sizeBytes, etag, lastModified }) => {
      const relative = key.slice(prefix.length);
      const isMarker = isMarkerKey(relative, sizeBytes);
      const segments = segmentsOfKey(isMarker ? relative.slice(0, -1) : relative, nameSystem);
      return { key: relative, local: segments.join('/'), sizeBytes, etag, modifiedAt: lastModified };
    });
}

export function localPathOf(folder: string, local: string): string {
  return path.join(folder, ...local.split('/'));
}
