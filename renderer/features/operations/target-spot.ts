import { crumbsOf, parentFolder } from '../../../shared/keys/paths.ts';
import type { OperationPlace } from './chosen.ts';

/** The position of the target chooser. */
export type TargetSpot =
  | { readonly kind: 'connections' }
  | { readonly kind: 'buckets'; readonly connectionId: string }
  | { readonly kind: 'folder'; readonly place: OperationPlace };

export interface SpotCrumb {
  readonly id: string;
  readonly name: string;
  readonly spot: TargetSpot;
}

export function spotAbove(spot: TargetSpot): TargetSpot | null {
  if (spot.kind === 'connections') return null;
  if (spot.kind === 'buckets') return { kind: 'connections' };
  const { connectionId, folder } = spot.place;
  const above = parentFolder(folder);
  return above === null
    ? { kind: 'buckets', connectionId }
    : { kind: 'folder', place: { ...spot.place, folder: above } };
}

/** Returns a text that is equal only for equal locations. */
export function spotId(spot: TargetSpot): string {
  if (spot.kind === 'connections') return '';
  if (spot.kind === 'buckets') return spot.connectionId;
  const { connectionId, bucket, folder } = spot.place;
  return JSON.stringify([connectionId, bucket, folder]);
}

/** Returns the path to a spot, starting with the list of connections. */
export function trailOf(
  spot: TargetSpot,
  connectionName: (connectionId: string) => string,
  rootName: string,
): readonly SpotCrumb[] {
  const crumb = (name: string, at: TargetSpot): SpotCrumb => ({ id: spotId(at), name, spot: at });
  const root = crumb(rootName, { kind: 'connections' });
  if (spot.kind === 'connections') return [root];
  const connectionId = spot.kind === 'buckets' ? spot.connectionId : spot.place.connectionId;
  const connection = crumb(connectionName(connectionId), { kind: 'buckets', connectionId });
  if (spot.kind === 'buckets') return [root, connection];
  const { bucket, folder } = spot.place;
  const inBucket = (within: string): TargetSpot => ({
    kind: 'folder',
    place: { connectionId, bucket, folder: within },
  });
  return [
    root,
    connection,
    crumb(bucket, inBucket('')),
    ...crumbsOf(folder).map((part) => crumb(part.name, inBucket(part.folder))),
  ];
}

/**
 * Returns the next entry, after the marked one and wrapping around, whose name starts with the typed text. Returns -1 if none
 * does.
 */
export function typedIndex(names: readonly string[], typed: string, after: number): number {
  const wanted = typed.toLocaleLowerCase();
  for (let step = 1; step <= names.length; step += 1) {
    const index = (after + step + names.length) % names.length;
    if (names[index]?.toLocaleLowerCase().startsWith(wanted) === true) return index;
  }
  return -1;
}
