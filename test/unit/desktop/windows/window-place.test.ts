import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  placeOnScreen,
  readPlace,
  writePlace,
  type Area,
  type Place,
} from '../../../../electron/desktop/windows/window-place.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const laptop: Area = { x: 0, y: 25, width: 1440, height: 875 };
const second: Area = { x: 1440, y: 0, width: 1920, height: 1080 };

test('without a stored position the window opens in the middle of the first screen', () => {
  expect(placeOnScreen(null, [laptop])).toEqual({ x: 80, y: 62, width: 1280, height: 800, maximized: false });
});

test('a stored position on a screen is kept', () => {
  const left: Place = { x: 1500, y: 100, width: 1000, height: 700, maximized: true };
  expect(placeOnScreen(left, [laptop, second])).toEqual(left);
});

test('a stored position on an unplugged screen is moved onto another', () => {
  const left: Place = { x: 1500, y: 100, width: 1000, height: 700, maximized: false };
  expect(placeOnScreen(left, [laptop])).toEqual({
    x: 220,
    y: 112,
    width: 1000,
    height: 700,
    maximized: false,
  });
});

test('any stored position leaves the title bar reachable and the window within the screen', () => {
  const anyPlace = fc.record({
    x: fc.integer({ min: -5000, max: 5000 }),
    y: fc.integer({ min: -5000, max: 5000 }),
    width: fc.integer({ min: 1, max: 9000 }),
    height: fc.integer({ min: 1, max: 9000 }),
    maximized: fc.boolean(),
  });
  const screens = fc.constantFrom([laptop], [second], [laptop, second]);
  fc.assert(
    fc.property(anyPlace, screens, (left, there) => {
      const place = placeOnScreen(left, there);
      const shows = there.some(
        (screen) =>
          place.width <= screen.width &&
          place.height <= screen.height &&
          place.y >= screen.y &&
          place.y + 32 <= screen.y + screen.height &&
          Math.min(place.x + place.width, screen.x + screen.width) - Math.max(place.x, screen.x) >= 120,
      );
      expect(shows).toBe(true);
    }),
  );
});

test('a stored position is read back, and a broken one is null', () => {
  const file = path.join(tempDir(), 'window.json');
  expect(readPlace(file)).toBeNull();
  const place: Place = { x: -3, y: 4, width: 1000, height: 700, maximized: true };
  writePlace(file, place);
  expect(readPlace(file)).toEqual(place);
  writeFileSync(file, '{"x": 1');
  expect(readPlace(file)).toBeNull();
  rmSync(file);
  mkdirSync(file);
  expect(readPlace(file)).toBeNull();
});
