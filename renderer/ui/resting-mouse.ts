/** Whoever moves on within this time wants nothing of what is under the mouse. */
export const restMs = 150;

/**
 * Tells what the mouse rests on: `onRest` hears of a thing once the mouse has been over it for `restMs`, and of null once it is
 * over nothing any more. `same` decides whether two events are about one thing.
 */
export function restingMouse<Thing>(
  onRest: (thing: Thing | null) => void,
  same: (left: Thing, right: Thing) => boolean,
): { over(thing: Thing | null): void; end(): void } {
  let under: Thing | null = null;
  let told = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = (thing: Thing | null): void => {
    if (thing === under || (thing !== null && under !== null && same(thing, under))) return;
    clearTimeout(timer);
    under = thing;
    if (thing === null) {
      if (told) onRest(null);
      told = false;
      return;
    }
    timer = setTimeout(() => {
      told = true;
      onRest(thing);
    }, restMs);
  };
  return {
    over,
    end: () => {
      over(null);
    },
  };
}
