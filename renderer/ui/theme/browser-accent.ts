import { hexOfRgb, type HexColour } from './accent.ts';

/**
 * The default that Chromium returns if a page may not read the user's accent (blink-dev, "AccentColor and AccentColorText system
 * colors").
 */
const chromiumDefault = '#0075ff';

/** Returns the system's accent as far as the browser exposes it (CSS Color 4, `AccentColor`), or null. */
export function browserAccent(): HexColour | null {
  if (!CSS.supports('color', 'AccentColor')) return null;
  const probe = document.createElement('span');
  probe.style.color = 'AccentColor';
  document.body.append(probe);
  const accent = hexOfRgb(getComputedStyle(probe).color);
  probe.remove();
  return accent === chromiumDefault ? null : accent;
}
