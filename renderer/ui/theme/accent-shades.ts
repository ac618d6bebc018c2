import type { MantineColorsTuple } from '@mantine/core';
import { withLuminanceOf, type HexColour } from './accent.ts';

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
export const ownAccent: AccentShades = {
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
  if (accent === null) return ownAccent;
  const { light, dark } = ownAccent;
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
