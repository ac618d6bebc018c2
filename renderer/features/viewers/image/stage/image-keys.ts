import { nextScale, turned, type View } from './zoom.ts';

interface Pressed {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

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
