import { BadFormat } from '../frame/bytes.ts';

const names = [
  'POINT',
  'LINESTRING',
  'POLYGON',
  'MULTIPOINT',
  'MULTILINESTRING',
  'MULTIPOLYGON',
  'GEOMETRYCOLLECTION',
] as const;
const maxDepth = 32;

/**
 * Converts well-known binary to well-known text with all digits, up to `maxPoints` points. Also reads the dimension flags of
 * PostGIS. Throws BadFormat. Source: OGC 06-103r4 §8.
 */
export function geometryText(bytes: Uint8Array, maxPoints: number): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: string[] = [];
  let at = 0;
  let left = maxPoints;

  const uint = (isLittle: boolean): number => {
    at += 4;
    return view.getUint32(at - 4, isLittle);
  };
  const position = (dimensions: number, isLittle: boolean): readonly number[] =>
    Array.from({ length: dimensions }, () => {
      at += 8;
      return view.getFloat64(at - 8, isLittle);
    });
  /** Appends `( … , … )`, or `EMPTY`. */
  const list = (count: number, put: () => void): void => {
    if (count === 0) {
      pieces.push('EMPTY');
      return;
    }
    pieces.push('(');
    for (let index = 0; index < count && left > 0; index += 1) {
      left -= 1;
      if (index > 0) pieces.push(', ');
      put();
    }
    pieces.push(')');
  };
  const geometry = (depth: number, isNamed: boolean): void => {
    if (depth > maxDepth) throw new BadFormat('A geometry is too deep.');
    const isLittle = view.getUint8(at) === 1;
    at += 1;
    const type = uint(isLittle);
    const base = type & 0x0f_ff_ff_ff;
    const kind = base % 1000;
    const code = Math.floor(base / 1000);
    const hasZ = code === 1 || code === 3 || type >= 0x80_00_00_00;
    const hasM = code === 2 || code === 3 || (type & 0x40_00_00_00) !== 0;
    // Skips the number of the coordinate system.
    if ((type & 0x20_00_00_00) !== 0) at += 4;
    const name = names[kind - 1];
    if (name === undefined) throw new BadFormat('A geometry is of an unknown kind.');
    const suffix = `${hasZ ? 'Z' : ''}${hasM ? 'M' : ''}`;
    if (isNamed) pieces.push(`${name} ${suffix === '' ? '' : `${suffix} `}`);
    const dimensions = 2 + suffix.length;
    const point = (): void => void pieces.push(position(dimensions, isLittle).join(' '));
    const line = (): void => list(uint(isLittle), point);
    if (kind === 1) {
      const coordinates = position(dimensions, isLittle);
      list(coordinates.every(Number.isNaN) ? 0 : 1, () => pieces.push(coordinates.join(' ')));
    } else if (kind === 2) line();
    else if (kind === 3) list(uint(isLittle), line);
    else list(uint(isLittle), () => geometry(depth + 1, kind === 7));
  };
  geometry(0, true);
  return pieces.join('');
}
