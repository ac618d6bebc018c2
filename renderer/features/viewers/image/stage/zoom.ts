import type { Size } from '../parts/orientation.ts';

/** Quarter turns clockwise. */
export type Turns = 0 | 1 | 2 | 3;

/** The zoom and rotation of a shown image. The file does not change. */
export interface View {
  /** Pixels in the window per pixel of the image. Null fits the image to the stage. */
  readonly scale: number | null;
  readonly turns: Turns;
}

export const fittedView: View = { scale: null, turns: 0 };

const steps = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 16, 32];
const smallestScale = steps[0] ?? 0.05;
const largestScale = steps.at(-1) ?? 32;

/** Returns the size of an image after turning, before scaling. */
export function turnedSize(image: Size, turns: Turns): Size {
  return turns % 2 === 0 ? image : { width: image.height, height: image.width };
}

/** Returns the scale at which the whole image is visible. Enlarges line drawings to fit, but not photos. */
export function fitScale(image: Size, stage: Size, isDrawing = false): number {
  if (image.width <= 0 || image.height <= 0 || stage.width <= 0 || stage.height <= 0) return 1;
  const scale = Math.min(stage.width / image.width, stage.height / image.height);
  return isDrawing ? scale : Math.min(1, scale);
}

/** Returns the next larger or smaller step from a scale. */
export function nextScale(scale: number, by: -1 | 1): number {
  const next =
    by === 1 ? steps.find((step) => step > scale * 1.01) : steps.findLast((step) => step < scale * 0.99);
  return next ?? (by === 1 ? largestScale : smallestScale);
}

/** Returns the scale after a movement of the wheel or a pinch. */
export function wheeledScale(scale: number, deltaPx: number): number {
  return Math.min(largestScale, Math.max(smallestScale, scale * Math.exp(-deltaPx / 200)));
}

export function turned(view: View, by: -1 | 1): View {
  const turns = ((view.turns + by + 4) % 4) as Turns;
  return { ...view, turns };
}

export interface Scroll {
  readonly left: number;
  readonly top: number;
}

/**
 * Returns the scroll position at which the point of the image below the pointer (`at`, relative to the stage) does not move.
 * Centres content smaller than the stage.
 */
export function scrollAfterZoom(
  stage: Size,
  { from, to }: { readonly from: Size; readonly to: Size },
  scroll: Scroll,
  at: { readonly x: number; readonly y: number },
): Scroll {
  return {
    left: along(stage.width, from.width, to.width, scroll.left, at.x),
    top: along(stage.height, from.height, to.height, scroll.top, at.y),
  };
}

function along(stagePx: number, was: number, now: number, scrolled: number, point: number): number {
  const lead = Math.max(0, (stagePx - was) / 2);
  const share = was === 0 ? 0 : (scrolled + point - lead) / was;
  const leadNow = Math.max(0, (stagePx - now) / 2);
  return Math.min(Math.max(0, share * now + leadNow - point), Math.max(0, now - stagePx));
}

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/**
 * Returns the view after a key: `+` and `-` zoom, `0` fits, `1` shows the original size, `R` turns (with Shift to the left). Null
 * for other keys.
 */
export function viewAfterKey(pressed: Pressed, view: View, fit: number): View | null {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = pressed;
  if (altKey) return null;
  const scale = view.scale ?? fit;
  const isTurn = key.toLowerCase() === 'r' && !ctrlKey && !metaKey;
  if (isTurn) return turned(view, shiftKey ? -1 : 1);
  switch (key) {
    case '+':
    case '=':
      return { ...view, scale: nextScale(scale, 1) };
    case '-':
      return { ...view, scale: nextScale(scale, -1) };
    case '0':
      return { ...view, scale: null };
    case '1':
      return ctrlKey || metaKey ? null : { ...view, scale: 1 };
    default:
      return null;
  }
}
