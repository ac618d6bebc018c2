/** Converts linear light from 0 to 1 into a level of sRGB from 0 to 255 (IEC 61966-2-1). Clamps light outside of the range. */
export function linearToSrgb(light: number): number {
  const inside = Math.min(1, Math.max(0, light));
  return Math.round(255 * (inside <= 0.0031308 ? 12.92 * inside : 1.055 * inside ** (1 / 2.4) - 0.055));
}

/** The white point D50 of colour profiles, to which Lab refers (ICC.1, section 7.2.16). */
const whiteX = 0.9642;
const whiteZ = 0.8249;

/** Converts CIE 1976 L*a*b* into levels of sRGB. Adapts the white point D50 to that of sRGB by the Bradford method. */
export function labToSrgb(lightness: number, a: number, b: number): readonly [number, number, number] {
  const fy = (lightness + 16) / 116;
  const x = whiteX * uncompressed(fy + a / 500);
  const y = uncompressed(fy);
  const z = whiteZ * uncompressed(fy - b / 200);
  return [
    linearToSrgb(3.1338561 * x - 1.6168667 * y - 0.4906146 * z),
    linearToSrgb(-0.9787684 * x + 1.9161415 * y + 0.033454 * z),
    linearToSrgb(0.0719453 * x - 0.2289914 * y + 1.4052427 * z),
  ];
}

/** Undoes the compression of CIE 1976, which is a cube root except near black. */
function uncompressed(value: number): number {
  return value > 6 / 29 ? value ** 3 : (value - 4 / 29) * 3 * (6 / 29) ** 2;
}
