import type { MantineColorsTuple } from '@mantine/core';

/** A colour in linear light: red, green and blue from 0 to 1, in which luminance is a plain sum. */
type Linear = readonly [number, number, number];

/** `#rrggbb`. */
export type HexColour = `#${string}`;

/** Returns the luminance of a colour from 0 to 1, as defined by WCAG 2. All contrasts depend only on luminance. */
export function luminanceOf(colour: HexColour): number {
  return luminance(linearOf(colour));
}

/**
 * Returns the hue of one colour with the luminance of another, so that contrasts stay the same. Rounds to bytes in the direction
 * of `toward`, so that no contrast is reduced.
 */
function withLuminanceOf(hue: HexColour, model: HexColour, toward: 'darker' | 'lighter'): HexColour {
  const colour = linearOf(hue);
  const [from, to] = [luminance(colour), luminanceOf(model)];
  const mixed: Linear =
    from >= to
      ? scaled(colour, from === 0 ? 0 : to / from)
      : // Mixed with white in linear light, where the luminance rises linearly.
        mixedWithWhite(colour, (to - from) / (1 - from));
  return hexOf(mixed, toward === 'darker' ? Math.floor : Math.ceil);
}

/** Returns the text if it is a colour in the form `#rrggbb`, otherwise null. */
export function hexColourOf(text: string): HexColour | null {
  return /^#[0-9a-f]{6}$/.test(text) ? `#${text.slice(1)}` : null;
}

/** Parses a computed colour such as `rgb(1, 2, 3)`. Returns null for other notations, and for colours that are not opaque. */
export function hexOfRgb(text: string): HexColour | null {
  const found = /^rgb\((\d{1,3}), (\d{1,3}), (\d{1,3})\)$/.exec(text);
  if (found === null) return null;
  const bytes = found.slice(1).map(Number);
  if (bytes.some((byte) => byte > 255)) return null;
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function luminance([red, green, blue]: Linear): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function scaled([red, green, blue]: Linear, by: number): Linear {
  return [red * by, green * by, blue * by];
}

function mixedWithWhite([red, green, blue]: Linear, by: number): Linear {
  const lightened = (channel: number): number => channel + (1 - channel) * by;
  return [lightened(red), lightened(green), lightened(blue)];
}

function linearOf(colour: HexColour): Linear {
  const channel = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function hexOf(colour: Linear, round: (value: number) => number): HexColour {
  const byte = (value: number): string => {
    const encoded = value <= 0.003_130_8 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
    // A value within rounding error of a whole byte counts as that byte.
    const bytes = Number((encoded * 255).toFixed(6));
    return Math.min(255, Math.max(0, round(bytes)))
      .toString(16)
      .padStart(2, '0');
  };
  return `#${colour.map(byte).join('')}`;
}

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

/** The ten shades of the accent for controls, and its tints for rows. */
export interface AccentShades {
  readonly scale: MantineColorsTuple;
  readonly light: AccentTints;
  readonly dark: AccentTints;
}

interface AccentTints {
  readonly accent: HexColour;
  readonly soft: HexColour;
  readonly softer: HexColour;
}

const scale = [
  '#effcf9',
  '#d3f6ee',
  '#a9ecde',
  '#6fdcc9',
  '#2dd4bf',
  '#14b8a6',
  '#0d9488',
  '#0f766e',
  '#115e59',
  '#134e4a',
] as const satisfies readonly HexColour[];

/** The shades of Cooper's default accent. */
export const defaultAccent: AccentShades = {
  scale,
  light: { accent: scale[7], soft: '#d9f2ed', softer: '#edf8f6' },
  dark: { accent: scale[4], soft: '#12403d', softer: '#16302f' },
};

/** The first of the darker shades, which are used under white text or as text on white. */
const firstDark = 5;

/**
 * Returns the same shades in another hue. Each keeps the luminance of Cooper's own shade, so that contrasts stay the same (WCAG
 * 2.2, 1.4.3 and 1.4.11).
 */
export function accentShades(accent: HexColour | null): AccentShades {
  if (accent === null) return defaultAccent;
  const { light, dark } = defaultAccent;
  const shade = (at: number): HexColour =>
    withLuminanceOf(accent, scale[at] ?? scale[0], at < firstDark ? 'lighter' : 'darker');
  return {
    scale: [
      shade(0),
      shade(1),
      shade(2),
      shade(3),
      shade(4),
      shade(5),
      shade(6),
      shade(7),
      shade(8),
      shade(9),
    ],
    light: {
      accent: shade(7),
      soft: withLuminanceOf(accent, light.soft, 'lighter'),
      softer: withLuminanceOf(accent, light.softer, 'lighter'),
    },
    dark: {
      accent: shade(4),
      soft: withLuminanceOf(accent, dark.soft, 'darker'),
      softer: withLuminanceOf(accent, dark.softer, 'darker'),
    },
  };
}
