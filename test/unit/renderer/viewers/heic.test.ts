import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { lightHeic } from '../../../../electron/service/samples/kept-files.ts';
import { seededRandom } from '../../../../electron/service/samples/random.ts';
import { decodeHeic } from '../../../../renderer/features/viewers/image/heic/heic.ts';
import { imageTypeOf } from '../../../../renderer/features/viewers/image/parts/image-type.ts';
import type { ImageResponse } from '../../../../renderer/features/viewers/image/worker/image-messages.ts';
import { withMemoryLimit } from '../../../../renderer/features/viewers/frame/wasm.ts';

const wasm = readFileSync(
  createRequire(import.meta.url).resolve('libheif-js/libheif-wasm/libheif.wasm'),
) as Uint8Array;
const pageBytes = 65_536;

/** Decodes a file and returns the kind of result. The decoder may throw anything for a damaged file. */
async function outcomeOf(bytes: Uint8Array<ArrayBuffer>): Promise<ImageResponse['kind'] | 'thrown'> {
  try {
    const { kind } = await decodeHeic(bytes, wasm);
    return kind;
  } catch {
    return 'thrown';
  }
}

/** Returns a HEIC whose image property declares this width and height (ISO/IEC 23008-12, section 6.5.3). */
function sized(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(lightHeic);
  const at = bytes.indexOf('ispe', 0, 'latin1');
  expect(at).toBeGreaterThan(0);
  bytes.writeUInt32BE(width, at + 8);
  bytes.writeUInt32BE(height, at + 12);
  return Uint8Array.from(bytes);
}

describe('a HEIC image', () => {
  test('is decoded to its pixels', async () => {
    const response = await decodeHeic(Uint8Array.from(lightHeic), wasm);
    if (response.kind !== 'picture') throw new Error(response.kind);
    const { width, height, pages, rgba } = response.picture;
    expect([width, height, pages, rgba.length]).toEqual([320, 200, 1, 320 * 200 * 4]);
    const pixel = (x: number, y: number) => [...rgba.subarray((y * 320 + x) * 4, (y * 320 + x) * 4 + 4)];
    // One pixel of the white tower, and one of the sea.
    const [tower, sea] = [pixel(224, 70), pixel(40, 180)];
    expect(Math.min(...tower)).toBeGreaterThan(215);
    expect(sea[0]).toBeLessThan(80);
    expect(sea[3]).toBe(255);
  });

  test('with too many pixels is not decoded', async () => {
    expect(await outcomeOf(sized(20_000, 20_000))).toBe('too-many-pixels');
    expect(['damaged', 'thrown', 'too-many-pixels']).toContain(
      await outcomeOf(sized(0xffffffff, 0xffffffff)),
    );
    expect(['damaged', 'thrown']).toContain(await outcomeOf(sized(0, 0)));
  });

  test('damaged anywhere is reported as damaged or decoded at its stated size', async () => {
    const random = seededRandom('damaged heic');
    for (let turn = 0; turn < 12; turn += 1) {
      const bytes = Uint8Array.from(lightHeic);
      for (let change = 0; change <= turn % 4; change += 1)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      const cut = turn % 3 === 0 ? bytes.slice(0, Math.floor(random() * bytes.length)) : bytes;
      expect(['picture', 'damaged', 'thrown', 'too-many-pixels']).toContain(await outcomeOf(cut));
    }
  });

  test('with a generic first brand is recognised by its other brands', () => {
    expect(imageTypeOf(ftyp('mif1avifmiaf'))).toBe('image/avif');
    expect(imageTypeOf(ftyp('mif1heic'))).toBe('image/heic');
  });
});

describe('the WebAssembly memory limit', () => {
  test('is enforced when memory grows', () => {
    const module = new WebAssembly.Module(tinyModule(2, 30_000));
    const bounded = new WebAssembly.Module(withMemoryLimit(tinyModule(2, 30_000), 3));
    expect(grownOnce(module).grow(1)).toBe(3);
    const memory = grownOnce(bounded);
    expect(() => memory.grow(1)).toThrow(RangeError);
  });

  test("changes the decoder only if it is below the decoder's own limit", () => {
    expect(Buffer.compare(withMemoryLimit(wasm, 65_536), wasm)).toBe(0);
    expect(Buffer.compare(withMemoryLimit(wasm, 12_288), wasm)).not.toBe(0);
    expect(new WebAssembly.Module(withMemoryLimit(wasm, 12_288))).toBeInstanceOf(WebAssembly.Module);
    expect(() => withMemoryLimit(wasm.subarray(0, 9), 1)).toThrow('cut off');
    expect(() => withMemoryLimit(Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0]), 1)).toThrow('no memory');
  });
});

/** Builds a WebAssembly module with only an exported memory, whose maximum takes three bytes. */
function tinyModule(pages: number, maxPages: number): Uint8Array<ArrayBuffer> {
  const maximum = [(maxPages & 127) | 128, ((maxPages >> 7) & 127) | 128, maxPages >> 14];
  const memory = [5, 6, 1, 1, pages, ...maximum];
  const name = [...Buffer.from('memory')];
  const exported = [7, name.length + 4, 1, name.length, ...name, 2, 0];
  return Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, ...memory, ...exported]);
}

function grownOnce(module: WebAssembly.Module): WebAssembly.Memory {
  const { memory } = new WebAssembly.Instance(module).exports;
  if (!(memory instanceof WebAssembly.Memory)) throw new Error('It has no memory.');
  memory.grow(1);
  expect(memory.buffer.byteLength).toBe(3 * pageBytes);
  return memory;
}

function ftyp(brands: string): Uint8Array {
  const length = String.fromCharCode(8 + brands.length + 4);
  return Buffer.from(`\0\0\0${length}ftypmif1\0\0\0\0${brands}`, 'latin1');
}
