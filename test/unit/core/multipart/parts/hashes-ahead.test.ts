import { describe, expect, test } from 'vitest';
import { HashesAhead } from '../../../../../electron/core/multipart/parts/hashes-ahead.ts';

const MiB = 1024 * 1024;

interface Part {
  readonly partNumber: number;
  readonly sizeBytes: number;
}

function setUp(count: number, sizeBytes: number, isAhead = true) {
  const parts = Array.from({ length: count }, (_, index): Part => ({ partNumber: index + 1, sizeBytes }));
  const asked: number[] = [];
  const hashes = new HashesAhead<Part>({
    parts,
    isAhead,
    hash: ({ partNumber }) => {
      asked.push(partNumber);
      return partNumber === 7
        ? Promise.reject(new Error('unreadable'))
        : Promise.resolve({ md5: String(partNumber), checksums: {} });
    },
  });
  const of = async (partNumber: number): Promise<string> =>
    (await hashes.of(parts[partNumber - 1] ?? { partNumber, sizeBytes })).md5;
  return { asked, of };
}

describe('hashes of parts ahead of their sends', () => {
  test('asks for eight at once, and for the next eight once half of them are taken', async () => {
    const { asked, of } = setUp(20, 8 * MiB);
    expect(await of(1)).toBe('1');
    expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const partNumber of [2, 3, 4]) expect(await of(partNumber)).toBe(String(partNumber));
    expect(asked).toHaveLength(8);
    expect(await of(5)).toBe('5');
    expect(asked).toHaveLength(16);
    expect(await of(13)).toBe('13');
    expect(asked).toHaveLength(20);
    expect(await of(20)).toBe('20');
    expect(asked).toHaveLength(20);
  });

  test('asks for no more bytes ahead than the page cache surely holds, and for a larger part alone', async () => {
    const { asked, of } = setUp(9, 40 * MiB);
    await of(1);
    expect(asked).toEqual([1, 2, 3]);
    const large = setUp(9, 500 * MiB);
    await large.of(1);
    expect(large.asked).toEqual([1]);
    await large.of(2);
    expect(large.asked).toEqual([1, 2]);
  });

  test('hashes a part again for each further send', async () => {
    const { asked, of } = setUp(3, MiB);
    await of(2);
    await of(2);
    expect(asked).toEqual([1, 2, 3, 2]);
  });

  test('reports an error only to the send of its part', async () => {
    const { of } = setUp(8, MiB);
    expect(await of(1)).toBe('1');
    await expect(of(7)).rejects.toThrow('unreadable');
    expect(await of(8)).toBe('8');
  });

  test('hashes each part when it is needed if that cannot be done side by side', async () => {
    const { asked, of } = setUp(8, MiB, false);
    await of(3);
    await of(4);
    expect(asked).toEqual([3, 4]);
  });
});
