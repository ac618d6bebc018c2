import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accentShades,
  defaultAccent,
  hexColourOf,
  hexOfRgb,
  luminanceOf,
  type HexColour,
} from '../../../../../renderer/ui/theme/accent.ts';
import { theme } from '../../../../../renderer/ui/theme/theme.ts';

/** Returns the contrast between two colours from 1 to 21, as defined by WCAG 2. */
function contrastOf(left: HexColour, other: HexColour): number {
  const [darker = 0, lighter = 0] = [luminanceOf(left), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const byte = fc.integer({ min: 0, max: 255 });
const colour = fc
  .tuple(byte, byte, byte)
  .map((bytes): HexColour => `#${bytes.map((value) => value.toString(16).padStart(2, '0')).join('')}`);
const extremes: readonly HexColour[] = [
  '#000000',
  '#ffffff',
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#ffff00',
  '#0f766e',
];
const anyAccent = fc.oneof(colour, fc.constantFrom(...extremes));

/** The background of text and controls, as in global.css. */
const light = {
  surface: '#ffffff',
  sidebar: '#f5f7f7',
  raised: '#f1f3f3',
  hover: '#f1f4f4',
  menu: '#eef1f1',
} as const;
const dark = {
  surface: '#191e22',
  sidebar: '#14181b',
  raised: '#22292e',
  hover: '#20262a',
  menu: '#2f383e',
} as const;
const text = { light: '#1b2226', dark: '#e3e7e9' } as const;
const white = '#ffffff';

const shadeOf = (scale: readonly string[], at: number): HexColour =>
  hexColourOf(scale[at] ?? '') ?? '#000000';

test('contrasts match those of WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
  expect(luminanceOf('#ff0000')).toBeCloseTo(0.2126, 4);
});

function forEvery(check: (shades: ReturnType<typeof accentShades>) => void): void {
  fc.assert(
    fc.property(anyAccent, (accent) => {
      check(accentShades(accent));
    }),
    { numRuns: 2000 },
  );
}

const channels = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

describe('any accent of the system', () => {
  test('has readable text on every surface, 4.5 to 1, in both themes', () => {
    forEvery((shades) => {
      for (const surface of Object.values(light))
        expect(contrastOf(shades.light.accent, surface)).toBeGreaterThanOrEqual(4.5);
      for (const surface of Object.values(dark))
        expect(contrastOf(shades.dark.accent, surface)).toBeGreaterThanOrEqual(4.5);
    });
  });

  test('has 3 to 1 contrast for lines, marks and focus rings, also on its tints', () => {
    forEvery(({ light: onLight, dark: onDark }) => {
      for (const tint of [onLight.soft, onLight.softer])
        expect(contrastOf(onLight.accent, tint)).toBeGreaterThanOrEqual(3);
      for (const tint of [onDark.soft, onDark.softer])
        expect(contrastOf(onDark.accent, tint)).toBeGreaterThanOrEqual(3);
    });
  });

  test('has readable text on a filled button', () => {
    const threshold = theme.luminanceThreshold ?? Number.NaN;
    const black = hexColourOf(theme.black ?? '') ?? white;
    const { primaryShade } = theme;
    if (typeof primaryShade !== 'object') throw new Error('The theme has one shade for both.');
    forEvery(({ scale }) => {
      for (const at of [primaryShade.light ?? Number.NaN, primaryShade.dark ?? Number.NaN]) {
        const filled = shadeOf(scale, at);
        const written = luminanceOf(filled) > threshold ? black : white;
        expect(contrastOf(filled, written)).toBeGreaterThanOrEqual(4.5);
      }
    });
  });

  test('leaves text readable on the tinted rows', () => {
    forEvery((shades) => {
      for (const tint of [shades.light.soft, shades.light.softer])
        expect(contrastOf(text.light, tint)).toBeGreaterThanOrEqual(4.5);
      for (const tint of [shades.dark.soft, shades.dark.softer])
        expect(contrastOf(text.dark, tint)).toBeGreaterThanOrEqual(4.5);
    });
  });

  test("has shades as light as Cooper's own, from light to dark", () => {
    forEvery(({ scale }) => {
      const lights = scale.map((_, at) => luminanceOf(shadeOf(scale, at)));
      expect(lights).toEqual(lights.toSorted((a, b) => b - a));
      for (const [at, value] of lights.entries())
        expect(Math.abs(value - luminanceOf(shadeOf(defaultAccent.scale, at)))).toBeLessThan(0.012);
    });
  });
});

test("a system accent that is missing or equal to Cooper's own yields Cooper's shades", () => {
  expect(accentShades(null)).toBe(defaultAccent);
  expect(accentShades('#0f766e').light.accent).toBe('#0f766e');
});

test('an accent keeps its hue in every shade', () => {
  for (const at of [0, 1, 2]) {
    const accent = (['#d02020', '#20a020', '#2050e0'] as const)[at] ?? white;
    for (const shade of accentShades(accent).scale) {
      const bytes = channels(shade);
      expect(Math.max(...bytes)).toBe(bytes[at]);
    }
  }
});

test("a browser's colour is parsed, and anything else rejected", () => {
  expect(hexOfRgb('rgb(0, 117, 255)')).toBe('#0075ff');
  for (const other of ['rgba(0, 0, 0, 0)', 'rgb(0, 0, 300)', 'color(srgb 1 0 0)', '', 'red'])
    expect(hexOfRgb(other)).toBeNull();
  expect(hexColourOf('#12ab90')).toBe('#12ab90');
  for (const other of ['12ab90', '#12ab9', '#12ab900', 'url(x)']) expect(hexColourOf(other)).toBeNull();
});
