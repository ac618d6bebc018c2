import { hexOfRgb, type HexColour } from './accent.ts';

/**
 * The value Chromium returns to a page that may not read the user's accent (blink-dev, "AccentColor and AccentColorText system
 * colors"). It is not the user's choice.
 */
const chromiumDefault = '#0075ff';

/** The accent of the system, as far as the browser tells it to a page (CSS Color 4, `AccentColor`). */
export function browserAccent(): HexColour | null {
  if (!CSS.supports('color', 'AccentColor')) return null;
  const probe = document.createElement('span');
  probe.style.color = 'AccentColor';
  document.body.append(probe);
  const accent = hexOfRgb(getComputedStyle(probe).color);
  probe.remove();
  return accent === chromiumDefault ? null : accent;
}
