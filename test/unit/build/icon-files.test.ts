import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert, property, tuple, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { icnsOf, icoOf } from '../../../build/scripts/icon-files.ts';

const icons = fileURLToPath(new URL('../../../build/icons', import.meta.url));
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const pictures = (sizes: readonly number[]) =>
  tuple(
    ...sizes.map((size) => uint8Array({ maxLength: 50 }).map((bytes) => ({ size, png: Buffer.from(bytes) }))),
  );

/** Returns the pictures of an .ico file according to its directory. */
function readIco(file: Buffer): readonly { readonly size: number; readonly png: Buffer }[] {
  expect([file.readUInt16LE(0), file.readUInt16LE(2)]).toEqual([0, 1]);
  return Array.from({ length: file.readUInt16LE(4) }, (_, index) => {
    const at = 6 + 16 * index;
    const offset = file.readUInt32LE(at + 12);
    return {
      size: file.readUInt8(at) || 256,
      png: file.subarray(offset, offset + file.readUInt32LE(at + 8)),
    };
  });
}

function readIcns(file: Buffer): ReadonlyMap<string, Buffer> {
  expect(file.toString('latin1', 0, 4)).toBe('icns');
  expect(file.readUInt32BE(4)).toBe(file.length);
  const found = new Map<string, Buffer>();
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at + 4);
    found.set(file.toString('latin1', at, at + 4), file.subarray(at + 8, at + length));
    at += length;
  }
  return found;
}

/** Returns the side length in a PNG's header. */
function sideOf(png: Buffer): number {
  expect(png.subarray(0, 8)).toEqual(signature);
  expect(png.readUInt32BE(16)).toBe(png.readUInt32BE(20));
  return png.readUInt32BE(16);
}

describe('an .ico file', () => {
  test('contains every picture it was made of', () => {
    assert(
      property(pictures([16, 48, 256]), (given) => {
        expect(readIco(icoOf(given))).toEqual(given);
      }),
    );
  });

  test('refuses pictures larger than the format allows', () => {
    expect(() => icoOf([{ size: 512, png: signature }])).toThrow(RangeError);
  });
});

test('an .icns file contains every picture, twice if it is also a retina size', () => {
  assert(
    property(pictures([16, 32, 1024]), ([small, middle, large]) => {
      const found = readIcns(icnsOf([small, middle, large].filter((icon) => icon !== undefined)));
      expect([...found.keys()]).toEqual(['icp4', 'icp5', 'ic11', 'ic10']);
      expect(found.get('ic11')).toEqual(middle?.png);
      expect(found.get('ic10')).toEqual(large?.png);
    }),
  );
  expect(() => icnsOf([{ size: 48, png: signature }])).toThrow(RangeError);
});

function shapes(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/\sd="([^"]+)"/g)].map(([, shape]) => shape ?? '');
}

describe('the committed icons', () => {
  test('have the size that their name says', () => {
    for (const { size, png } of readIco(readFileSync(path.join(icons, 'icon.ico'))))
      expect(sideOf(png)).toBe(size);
    const icns = readIcns(readFileSync(path.join(icons, 'icon.icns')));
    expect([...icns].map(([type, png]) => [type, sideOf(png)])).toEqual([
      ['icp4', 16],
      ['icp5', 32],
      ['ic11', 32],
      ['icp6', 64],
      ['ic12', 64],
      ['ic07', 128],
      ['ic08', 256],
      ['ic13', 256],
      ['ic09', 512],
      ['ic14', 512],
      ['ic10', 1024],
    ]);
    const names = readdirSync(path.join(icons, 'png'));
    expect(names).toHaveLength(8);
    for (const name of names) {
      const side = sideOf(readFileSync(path.join(icons, 'png', name)));
      expect(name).toBe(`${String(side)}x${String(side)}.png`);
    }
  });

  test('are made of the logo that the window shows', () => {
    const logo = fileURLToPath(new URL('../../../renderer/app/logo.tsx', import.meta.url));
    expect(shapes(path.join(icons, 'cooper.svg'))).toEqual(shapes(logo));
  });
});
