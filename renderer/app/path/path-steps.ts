import { crumbsOf } from '../../../shared/keys/paths.ts';
import type { DropSpot } from '../../ui/drop/drop-place.ts';
import { folderPlace, type WindowPlace } from '../places/places.ts';
import type { Segment } from './siblings-menu.tsx';

/** A step in the path: its name and its target. */
export interface PathStep {
  readonly name: string;
  /**
   * With `key`, the name is part of an object key and is shown with invisible characters marked. With `words`, it is plain text.
   */
  readonly kind: 'key' | 'words';
  readonly icon: 'connection' | 'computer' | null;
  readonly place: WindowPlace;
  /** The segment whose siblings the menu lists, or null without a menu. */
  readonly segment: Segment | null;
  /** The drop target for rows dragged onto this step, or null if it accepts no rows. */
  readonly drop: DropSpot | null;
}

/** The names in the path that are not parts of keys. */
export interface PathWords {
  /** The name of the connection, or null while it is unknown. */
  readonly connection: string | null;
  readonly computer: string;
  readonly uploads: string;
  readonly search: string;
  readonly localName: (folder: { readonly handle: string; readonly name: string }) => string;
}

const plain = { icon: null, segment: null, drop: null } as const;

/** Returns the steps to a location, outermost first. The last step is the location itself. */
export function stepsTo(place: WindowPlace, words: PathWords): readonly PathStep[] {
  if (place.kind === 'start') return [];
  if (place.kind === 'local')
    return [
      { ...plain, name: words.computer, kind: 'words', icon: 'computer', place: { ...place, trail: [] } },
      ...place.trail.map((folder, at): PathStep => ({
        ...plain,
        name: words.localName(folder),
        kind: 'key',
        place: { ...place, trail: place.trail.slice(0, at + 1) },
        drop: { kind: 'local', folder },
      })),
    ];
  const { connectionId } = place;
  const connection: PathStep = {
    ...plain,
    name: words.connection ?? '',
    kind: 'words',
    icon: 'connection',
    place: { kind: 'connection', connectionId },
    segment: { kind: 'connection', connectionId },
  };
  const before = words.connection === null ? [] : [connection];
  if (place.kind === 'connection') return before;
  if (place.kind === 'folder')
    return [...before, ...folderSteps(place.connectionId, place.bucket, place.folder)];
  const { bucket, prefix } = place;
  const about: readonly PathStep[] =
    bucket === null
      ? []
      : [
          {
            ...plain,
            name: bucket + (prefix === '' ? '' : `/${prefix}`),
            kind: 'key',
            place: folderPlace(connectionId, bucket, prefix),
          },
        ];
  return [...before, ...about, { ...plain, name: words[place.kind], kind: 'words', place }];
}

function folderSteps(connectionId: string, bucket: string, folder: string): readonly PathStep[] {
  return [{ name: bucket, folder: '' }, ...crumbsOf(folder)].map((crumb): PathStep => {
    const place = folderPlace(connectionId, bucket, crumb.folder);
    return {
      ...plain,
      name: crumb.name,
      kind: 'key',
      place,
      segment: { kind: 'folder', connectionId, bucket, prefix: crumb.folder },
      drop: { kind: 'bucket', place: { connectionId, bucket, folder: crumb.folder } },
    };
  });
}

const shownAtEnd = 3;
/** The connection, the bucket and the first folder. */
const shownAtStart = 3;
/** Estimated widths: a letter on average, the padding and separator of a step, the widest step, and the menu. */
const letterPx = 7;
const aroundPx = 30;
const maxStepPx = 255;
const menuPx = 40;

/** The visible steps of a path. A menu holds the steps in `hidden`. */
export interface ShownSteps {
  readonly start: readonly PathStep[];
  readonly hidden: readonly PathStep[];
  readonly end: readonly PathStep[];
}

function widthOf(steps: readonly PathStep[]): number {
  const widths = steps.map(({ name, icon }) =>
    Math.min(maxStepPx, aroundPx + name.length * letterPx + (icon === null ? 0 : 20)),
  );
  return widths.reduce((sum, width) => sum + width, 0);
}

/**
 * Returns the steps to show. A long path keeps its start and its end. If these do not fit, outer steps are hidden first, so that
 * the current folder stays readable. `widthPx` is the available width, or 0 if unknown.
 */
export function stepsThatFit(steps: readonly PathStep[], widthPx: number): ShownSteps {
  const isLong = steps.length > shownAtStart + shownAtEnd + 1;
  const whole: ShownSteps = isLong
    ? {
        start: steps.slice(0, shownAtStart),
        hidden: steps.slice(shownAtStart, -shownAtEnd),
        end: steps.slice(-shownAtEnd),
      }
    : { start: steps, hidden: [], end: [] };
  if (widthPx === 0 || widthOf(whole.start) + widthOf(whole.end) + (isLong ? menuPx : 0) <= widthPx)
    return whole;
  for (let first = Math.max(1, steps.length - shownAtEnd); first < steps.length; first += 1)
    if (first === steps.length - 1 || menuPx + widthOf(steps.slice(first)) <= widthPx)
      return { start: [], hidden: steps.slice(0, first), end: steps.slice(first) };
  return whole;
}
