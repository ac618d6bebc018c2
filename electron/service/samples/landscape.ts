import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { seededRandom } from './random.ts';

type Colour = readonly [red: number, green: number, blue: number];

export interface Mood {
  readonly top: Colour;
  readonly horizon: Colour;
  readonly sun: Colour;
  readonly far: Colour;
  readonly near: Colour;
}

export const moods = {
  dawn: mood(0x3a4c8c, 0xffc496, 0xffecc8, 0x9678a0, 0x26223e),
  noon: mood(0x3478d2, 0xbee0f6, 0xfffce6, 0x80a0b4, 0x225434),
  dusk: mood(0x281a4a, 0xfa7850, 0xffd28c, 0x8c4664, 0x181026),
  night: mood(0x060a1e, 0x223460, 0xe8ecf6, 0x1e2a50, 0x060a16),
  mist: mood(0xbac8ce, 0xecece4, 0xfffffa, 0xc4cece, 0x465c5c),
  autumn: mood(0x6096c8, 0xf8e2be, 0xfff6d6, 0xbe8c6e, 0x783414),
} as const satisfies Record<string, Mood>;

const hills = 4;

/** Returns a PNG of a sky, a sun and several rows of hills. The same seed gives the same picture. */
export function drawLandscape(seed: string, colours: Mood, width = 640, height = 420): Promise<Buffer> {
  const random = seededRandom(seed);
  const pixels = new Uint8Array(width * height * 3);
  const [sunX, sunY, radius] = [
    width * (0.2 + 0.6 * random()),
    height * (0.2 + 0.2 * random()),
    height * 0.06,
  ];
  const ridges = Array.from({ length: hills }, (_, hill) => {
    const [waves, phase] = [1.5 + 2 * random(), random() * 6];
    const colour = mix(colours.far, colours.near, hill / (hills - 1));
    const topAt = (x: number): number =>
      height *
      (0.5 + 0.12 * hill + 0.06 * Math.sin((x / width) * 6 * waves + phase) + 0.02 * Math.sin(x / 17));
    return { colour, topAt };
  });
  for (let x = 0; x < width; x++) {
    const tops = ridges.map(({ colour, topAt }) => ({ colour, top: topAt(x) }));
    for (let y = 0; y < height; y++) {
      const distance = Math.hypot(x - sunX, y - sunY) / radius;
      const sky = mix(colours.top, colours.horizon, y / (height * 0.62));
      const hill = tops.findLast(({ top }) => y >= top);
      const colour = hill?.colour ?? mix(sky, colours.sun, distance < 1 ? 1 : 0.5 / distance ** 2);
      pixels.set(colour, (y * width + x) * 3);
    }
  }
  return encodePng(width, height, pixels);
}

function mood(...colours: readonly [number, number, number, number, number]): Mood {
  const [top, horizon, sun, far, near] = colours;
  return {
    top: colourOf(top),
    horizon: colourOf(horizon),
    sun: colourOf(sun),
    far: colourOf(far),
    near: colourOf(near),
  };
}

function colourOf(rgb: number): Colour {
  return [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff];
}

function mix(from: Colour, to: Colour, share: number): Colour {
  const part = Math.max(0, Math.min(1, share));
  return [
    Math.round(from[0] + (to[0] - from[0]) * part),
    Math.round(from[1] + (to[1] - from[1]) * part),
    Math.round(from[2] + (to[2] - from[2]) * part),
  ];
}

const compress = promisify(deflate);

/** Encodes a PNG of 8-bit RGB pixels, rows from the top. */
export async function encodePng(width: number, height: number, rgb: Uint8Array): Promise<Buffer> {
  const stride = width * 3;
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    const to = y * (stride + 1);
    // Filter 2 (Up) stores the difference from the pixel above, which compresses skies and hills well.
    rows[to] = 2;
    for (let x = 0; x < stride; x++) {
      const above = y === 0 ? 0 : (rgb[(y - 1) * stride + x] ?? 0);
      rows[to + 1 + x] = (rgb[y * stride + x] ?? 0) - above;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', await compress(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.byteLength + 12);
  framed.writeUInt32BE(data.byteLength, 0);
  framed.write(type, 4, 'latin1');
  data.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, data.byteLength + 8)), data.byteLength + 8);
  return framed;
}
