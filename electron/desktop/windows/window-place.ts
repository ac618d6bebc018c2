import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const placeSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximized: z.boolean(),
});

export type Place = Readonly<z.infer<typeof placeSchema>>;

export type Area = Omit<Place, 'maximized'>;
type Size = Pick<Area, 'width' | 'height'>;

const defaultSize = { width: 1280, height: 800 };
export const minSize = { width: 720, height: 480 };
/** The part of the title bar in pixels that must be on a screen, so that the mouse can drag the window. */
const graspable = { width: 120, height: 32 };

/** Returns the position for a window: its last one if that is still on a screen, otherwise the centre of the first screen. */
export function placeOnScreen(lastPlace: Place | null, screens: readonly Area[]): Place {
  const first = screens[0] ?? { x: 0, y: 0, ...defaultSize };
  const preferredSize = {
    width: lastPlace?.width ?? defaultSize.width,
    height: lastPlace?.height ?? defaultSize.height,
  };
  const home =
    lastPlace === null
      ? undefined
      : screens.find((screen) => isGraspable({ ...lastPlace, ...fit(preferredSize, screen) }, screen));
  const screen = home ?? first;
  const { width, height } = fit(preferredSize, screen);
  const maximized = lastPlace?.maximized ?? false;
  if (home !== undefined && lastPlace !== null)
    return { x: lastPlace.x, y: lastPlace.y, width, height, maximized };
  return {
    x: screen.x + Math.floor((screen.width - width) / 2),
    y: screen.y + Math.floor((screen.height - height) / 2),
    width,
    height,
    maximized,
  };
}

/** Returns a position slightly below and to the right of another window, so that both are visible. */
export function offset(place: Place): Place {
  return { ...place, x: place.x + 28, y: place.y + 28, maximized: false };
}

/** Limits a size to the minimum usable size and to the screen. If both conflict, the screen wins. */
function fit(size: Size, screen: Area): Size {
  return {
    width: Math.min(Math.max(size.width, minSize.width), screen.width),
    height: Math.min(Math.max(size.height, minSize.height), screen.height),
  };
}

function isGraspable(place: Area, screen: Area): boolean {
  const shownWidth = Math.min(place.x + place.width, screen.x + screen.width) - Math.max(place.x, screen.x);
  const isTitleVisible = place.y >= screen.y && place.y + graspable.height <= screen.y + screen.height;
  return shownWidth >= graspable.width && isTitleVisible;
}

/** Returns the stored position; null if it is missing or invalid, so that the window opens centred. */
export function readPlace(file: string): Place | null {
  try {
    return placeSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null; // A damaged position must not prevent a window from opening.
  }
}

export function writePlace(file: string, place: Place): void {
  writeFileSync(file, JSON.stringify(place), { mode: 0o600 });
}
