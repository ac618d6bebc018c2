import { encodePng } from './png.ts';
import { seededRandom } from './random.ts';

type Colour = readonly [red: number, green: number, blue: number];

export interface Mood {
  readonly top: Colour;
  readonly horizon: Colour;
  readonly sun: Colour;
  readonly far: Colour;
  readonly near: Colour;
  readonly hasStars?: boolean;
  readonly hasWater?: boolean;
}

export const moods = {
  dawn: {
    top: [58, 76, 140],
    horizon: [255, 196, 150],
    sun: [255, 236, 200],
    far: [150, 120, 160],
    near: [38, 34, 62],
    hasWater: true,
  },
  noon: {
    top: [52, 120, 210],
    horizon: [190, 224, 246],
    sun: [255, 252, 230],
    far: [128, 160, 180],
    near: [34, 84, 52],
  },
  dusk: {
    top: [40, 26, 74],
    horizon: [250, 120, 80],
    sun: [255, 210, 140],
    far: [140, 70, 100],
    near: [24, 16, 38],
  },
  night: {
    top: [6, 10, 30],
    horizon: [34, 52, 96],
    sun: [232, 236, 246],
    far: [30, 42, 80],
    near: [6, 10, 22],
    hasStars: true,
  },
  mist: {
    top: [186, 200, 206],
    horizon: [236, 236, 228],
    sun: [255, 255, 250],
    far: [196, 206, 206],
    near: [70, 92, 92],
  },
  autumn: {
    top: [96, 150, 200],
    horizon: [248, 226, 190],
    sun: [255, 246, 214],
    far: [190, 140, 110],
    near: [120, 52, 20],
    hasWater: true,
  },
} as const satisfies Record<string, Mood>;

/** A landscape with a sky, a sun or moon, and hills one behind the other, as a PNG. */
export function drawLandscape(seed: string, mood: Mood, width = 640, height = 420): Promise<Buffer> {
  const random = seededRandom(seed);
  const pixels = new Uint8Array(width * height * 3);
  const shore = mood.hasWater === true ? Math.round(height * 0.78) : height;
  const set = (x: number, y: number, colour: Colour): void => {
    const at = (y * width + x) * 3;
    pixels[at] = colour[0];
    pixels[at + 1] = colour[1];
    pixels[at + 2] = colour[2];
  };
  const sun = {
    x: width * (0.2 + 0.6 * random()),
    y: height * (0.2 + 0.25 * random()),
    radius: height * 0.055,
  };
  for (let y = 0; y < shore; y++) {
    const sky = mix(mood.top, mood.horizon, y / (height * 0.62));
    for (let x = 0; x < width; x++) {
      const distance = ((x - sun.x) ** 2 + (y - sun.y) ** 2) / sun.radius ** 2;
      // Far from the sun its light is less than one step of a colour.
      if (distance > 100) set(x, y, sky);
      else set(x, y, mix(sky, mood.sun, distance < 1 ? 1 : 0.55 / distance));
    }
  }
  if (mood.hasStars === true) {
    for (let star = 0; star < 260; star++) {
      const y = Math.floor(random() * height * 0.6);
      set(Math.floor(random() * width), y, mix(mood.top, [255, 255, 255], 0.4 + 0.6 * random()));
    }
  }
  const layers = 5;
  for (let layer = 0; layer < layers; layer++) {
    const depth = layer / (layers - 1);
    const ridge = ridgeLine(random, width, height * (0.5 + 0.1 * layer), height * (0.16 - 0.022 * layer));
    const colour = mix(mood.far, mood.near, depth);
    const shades = Array.from({ length: height }, (_, depth) =>
      mix(colour, mood.horizon, Math.min(0.35, (depth / height) * 0.6)),
    );
    for (let x = 0; x < width; x++) {
      const top = Math.max(0, Math.round(ridge[x] ?? height));
      for (let y = top; y < shore; y++) set(x, y, shades[y - top] ?? colour);
    }
  }
  // Water: what is above the shore, upside down, darker and a little shaken.
  for (let y = shore; y < height; y++) {
    const shake = Math.round(Math.sin(y * 0.9) * (1 + (y - shore) / 18));
    const from = Math.max(0, 2 * shore - y - 1);
    for (let x = 0; x < width; x++) {
      const at = (from * width + Math.min(width - 1, Math.max(0, x + shake))) * 3;
      set(x, y, mix([pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0], mood.top, 0.35));
    }
  }
  return encodePng(width, height, pixels);
}

function ridgeLine(random: () => number, width: number, base: number, size: number): Float64Array {
  const line = new Float64Array(width).fill(base);
  for (let octave = 0; octave < 6; octave++) {
    const waves = (1.2 + random()) * 1.9 ** octave;
    const phase = random() * Math.PI * 2;
    const height = size / 1.8 ** octave;
    for (let x = 0; x < width; x++) {
      line[x] = (line[x] ?? base) + Math.sin((x / width) * Math.PI * 2 * waves + phase) * height;
    }
  }
  return line;
}

function mix(from: Colour, to: Colour, share: number): Colour {
  const part = Math.max(0, Math.min(1, share));
  return [
    Math.round(from[0] + (to[0] - from[0]) * part),
    Math.round(from[1] + (to[1] - from[1]) * part),
    Math.round(from[2] + (to[2] - from[2]) * part),
  ];
}
