/** Milliseconds for which the mouse must rest on an item before the item is reported. */
export const restMs = 150;

/**
 * Reports the item under a resting mouse. Calls `onRest` with an item after `restMs`, and with null once the mouse has left it.
 * `same` returns true if two events are about the same item.
 */
export function mouseRestDetector<Item>(
  onRest: (item: Item | null) => void,
  same: (left: Item, right: Item) => boolean,
): { over(item: Item | null): void; end(): void } {
  let under: Item | null = null;
  let wasResting = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = (item: Item | null): void => {
    if (item === under || (item !== null && under !== null && same(item, under))) return;
    clearTimeout(timer);
    under = item;
    if (item === null) {
      if (wasResting) onRest(null);
      wasResting = false;
      return;
    }
    timer = setTimeout(() => {
      wasResting = true;
      onRest(item);
    }, restMs);
  };
  return { over, end: () => over(null) };
}

/** Follows the position of the pointer in pixels of the screen. */
export function movingPointer(): {
  /** Returns true if the pointer is not where the previous event was. Each event must be passed. */
  hasMoved(event: { readonly screenX: number; readonly screenY: number }): boolean;
} {
  let last: { readonly x: number; readonly y: number } | null = null;
  return {
    hasMoved: ({ screenX: x, screenY: y }) => {
      const isSame = last !== null && last.x === x && last.y === y;
      last = { x, y };
      return !isSame;
    },
  };
}
